import type { ErrorCodeEntry } from './entry.ts';
import { row } from './row.ts';

/** What is said of run files. */
export const RUN_CODES = {
  run_not_found: row(
    'RUN_FILE',
    'no run `{run}` in {folder}',
    "Type `dataimport runs --run-dir '{folder}'`.",
  ),
  run_none_unfinished: row(
    'RUN_FILE',
    'no unfinished run in {folder}',
    "Type `dataimport runs --run-dir '{folder}'`.",
  ),
  run_locked: row('RUN_FILE', 'the run {run} is in use by another process', 'Wait for it, or stop it first.'),
  run_damaged: row(
    'RUN_FILE',
    'the run file {file} cannot be used: {reason}',
    'Restore it, or start over with `push --new`, with the check for earlier transactions on: what it has sent is then recognised.',
  ),
  run_unfinished_exists: row(
    'RUN_FILE',
    'an unfinished run of the same content to the same target exists',
    'Type `{resume}`, or start over with --new, with the check for earlier transactions on.',
  ),
  run_finished_exists: row(
    'RUN_FILE',
    'the run {run} has sent the same content to the same target, and without the check for earlier transactions all of it would be added again',
    'Type `{show}` to see what it sent; leave --no-check-previously-added out to send what is missing, or add --new when other rows of the file are meant.',
  ),
  run_of_file_exists: row(
    'RUN_FILE',
    'the run {run} has sent transactions of another version of this file to the same target, and without the check for earlier transactions those that are in this one, too, would be added again',
    'Leave --no-check-previously-added out: then the platform adds what is missing. `{show}` shows what was sent; with --new all of it is sent.',
  ),
  run_never_staged: row(
    'RUN_FILE',
    'the run {run} was stopped while it read the file; nothing was sent',
    'Type the push again.',
  ),
  run_forgotten: row(
    'RUN_FILE',
    'the payloads of the run {run} were erased, so nothing of it can be sent',
    'Push the file again: what the run sent stays on the platform, as `dataimport runs show` tells.',
  ),
  run_not_writable: row(
    'RUN_FILE',
    'the run file cannot be written in {folder}: {reason}',
    'Free space or give another --run-dir, then type the command again.',
  ),
  run_write_failed: row(
    'RUN_FILE',
    'the run file can no longer be written: {reason}',
    'Free space or mend the disk, then resume the run: it finds out first what became of the requests in flight.',
  ),
  run_nothing_to_retry: row(
    'USAGE',
    'the run {run} has no record that is {outcomes}',
    'Type `dataimport runs show {run}`.',
  ),
  run_retried: row(
    'RUN_FILE',
    'the records of the run {run} were taken over by {by}, which {state}',
    'Type `{next}`{again}.',
  ),
  run_taken_over: row(
    'RUN_FILE',
    'records of the run {run} were taken over by {by}, which is unfinished',
    'Type `{resume}` first: the records of an account go in their order.',
  ),
  run_folder_unreadable: row(
    'RUN_FILE',
    'the folder of the run files {folder} cannot be read: {reason}',
    'Give another folder with --run-dir.',
  ),
  run_other_target: row('RUN_FILE', 'the run goes to {expected}, not to {given}', 'Type `{resume}`.'),

  source_changed: row(
    'RUN_FILE',
    '{file} is not what it was when the run was begun',
    'Put the file back as it was pushed, or leave out --rejects: `resume` itself does not need it.',
  ),
} as const satisfies Record<string, ErrorCodeEntry>;
