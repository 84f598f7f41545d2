import {
  busyCode,
  codesEnding,
  inputCode,
  partialCode,
  refusedCode,
  runFileCode,
  temporaryCode,
  unfinishedCode,
  unreconciledCode,
  usageCode,
  warningCode,
  type ErrorCodeEntry,
} from './entry.ts';

/** How to go on without a journal. */
const WITHOUT_JOURNAL =
  'and the `.head` beside it, and run the command again: the platform recognises transactions and notes, and `--on-existing accept` counts the statements and instructions that it has.';

/** A run: its journal, its records and how sending them ended. */
export const RUN_CODES = {
  // The journal and its folder.
  run_not_found: runFileCode('{reason|no such run}', '{todo|Type `dataimport runs --run-dir {folder}`.}'),
  run_to_verify_missing: usageCode(
    'no {resource} were sent{to|} from {folder}',
    'Send the files first, or name the folder with --run-dir, the address with --base-url, or a ledger with --ledger. `dataimport runs` lists what was sent.',
  ),
  run_none: codesEnding('NOTHING_TO_DO')('no run in {folder}', 'Type `dataimport push --help`.'),
  run_locked: busyCode(
    '{reason|the journal is in use by another process}',
    'Wait until it is free, then run the same command again. Another command or a backup may read it.',
  ),
  run_rolled_back: runFileCode(
    '{file} is an older copy: its chain has {links} links, and {seen} were seen before',
    `Put the newer file back, with the \`-wal\` beside it. If it is lost, remove this one ${WITHOUT_JOURNAL}`,
  ),
  run_removed: runFileCode(
    'the journal {file} {what|is gone: it says which {resource} were sent to {target}, and its chain has {links} links}',
    "Put the file back, with the `-wal` beside it, and run the command again. If it is lost, type `rm '{head}'` and run the command again: the platform recognises transactions and notes, and `--on-existing accept` counts the statements and instructions that it has.",
  ),
  run_inaccessible: runFileCode(
    '{what|the journal {file} cannot be opened}: {reason}',
    '{todo|{remedy}, then type the command again. Keep the file: it knows what was sent.}',
  ),
  run_damaged: runFileCode(
    'the journal {file} is damaged: {reason}',
    `Restore it from a copy, with the \`-wal\` beside it. If there is none, remove it ${WITHOUT_JOURNAL}`,
  ),
  run_not_writable: runFileCode(
    '{what|the journal cannot be written in {folder}}: {reason}',
    '{remedy}, {todo|then type the command again. Another --run-dir does not know what was sent from this one.}',
  ),
  run_write_failed: runFileCode(
    'the journal can no longer be written: {reason}',
    '{remedy}, then type `{resume}`. It first finds out what became of the requests in flight.',
  ),
  run_folder_foreign: runFileCode(
    'another user could say with the journals what is sent: {file} {how|belongs to another user}',
    '{todo|Work as that user, make the files yours with chown if you trust that user, or use another folder with --run-dir.}',
  ),
  run_other_target: runFileCode(
    'the last command went to {expected}, and the settings lead to {given} now',
    'Type `{resume}`.',
  ),

  // Records of a run.
  identical_notes: warningCode(
    'notes with the body and created_at of an earlier note, or with its body and no created_at: {count} (accounts: {accounts}); the platform keeps one of each',
    'Nothing to do when one of each is enough; a created_at of its own keeps a note apart.',
  ),
  outcome_unproven: partialCode(
    'may or may not be on the platform, because {why|an answer was lost}',
    'Look at the account on the platform, then settle the row with `dataimport runs confirm`{unless|}.',
  ),
  existing_differs: partialCode(
    'differs from what the platform already had under this id, or repeats in its answer; the platform did not change it',
    'Compare the row with the account on the platform; a row with an id of its own is added.',
  ),
  differs_by_blanks: partialCode(
    'differs from what the platform has by blanks at its ends alone, so the platform removes blanks there',
    'Say `trim: true` for the field in a mapping file. If the operator removes blanks from every text, say `"trims": true` in its contract.',
  ),
  answer_of_another_request: warningCode(
    'an answer to this request named another account, or a record that was not sent; it is not believed, and the platform is asked again',
    'Tell the operator that the platform, or a proxy before it, mixes up answers. The outcome of each row is right all the same.',
  ),
  platform_database_changed: refusedCode(
    'the database of the platform was replaced while records were sent, for example by a reset or a restored snapshot',
    'Type the same command again: it begins a journal for the new database.',
  ),
  payment_instruction_refused: refusedCode(
    'the platform refused this payment instruction',
    'The instruction is not sent again in the same form (interface.md 4.5). Correct the row in its file and run the command again. When the cause was on the platform and is gone, list such rows with `dataimport runs show --unresolved --csv FILE` and confirm them with `dataimport runs confirm --rows FILE --missing`: the same command sends them again.',
  ),
  sent_again: warningCode(
    'names a record that was sent again after a lost answer or a 500, and the platform took it; a platform that does not refuse a second one may have it twice',
    'Look for one of these rows on the platform. If it is there twice, ask the operator to remove the second ones.',
  ),
  transaction_date_moved: warningCode(
    'is not the date on the platform, which moved the transaction into the open statement period',
    'Nothing to do when that is meant; `--no-force-add-to-current-statement` of a push has such transactions refused instead.',
  ),

  // The end of sending.
  retry_time_used_up: temporaryCode(
    '{what|a request was given up}; it failed last with: {reason}',
    '{todo|Wait until the platform is well, then type `{resume}`. If the same rows fail again, show them to the operator.}',
  ),
  answer_unproven: refusedCode(
    '{what|the answer is status {status} without a readable reason, from the platform or from something before it}',
    'Show this answer to the operator: a gateway may refuse these rows although `dataimport auth` succeeds. They may have arrived all the same: the same command, run again, finds out. With `--on-reject skip` the other accounts go on.',
  ),
  max_duration_over: temporaryCode(
    '{what|stopped after {time}, as --max-duration asked}',
    '{todo|Type `{resume}`.}',
  ),
  max_errors_exceeded: refusedCode(
    'rows that are invalid or were refused: {errors}, more than the {limit} of --max-errors',
    'Remove the cause, or raise --max-errors, then type `{resume}`.',
  ),

  // The files that a run writes.
  file_exists: usageCode(
    '{file} {what|exists already}',
    '{remedy|Move it away or give another name: nothing overwrites rows that may be repaired already.}',
  ),

  // What the journal says about the rows of a file.
  record_changed: inputCode(
    '{reason|the platform has this record with {what}, sent from {since_file}:{since_line} of the reading {since}}',
    '{todo|The platform cannot change a record: ask the operator to correct it there, then confirm the row with `dataimport runs confirm`. Where the new value is wrong, put the old one back. `--skip-invalid` sends the other rows.}',
  ),
  record_moved: inputCode(
    'the platform has this record, or may have it, on another account, sent from {since_file}:{since_line} of the reading {since}',
    'Ask the operator to move it there, then confirm the row with `dataimport runs confirm`. `--skip-invalid` sends the other rows.',
  ),
  record_vanished: warningCode(
    '{since_file}:{since_line} of the reading {since} is on the platform, or may be, and no valid row has it now',
    'Ask the supplier whether the record was wrong: nothing removes it from the platform but its operator.',
  ),

  // Differences that `verify` finds between the source files and a run or a ledger.
  record_missing: unreconciledCode(
    'the row has no record there',
    'When its run is not finished (`dataimport runs`), run the command again first. Else push the file again with `--again` and the check for earlier transactions on: the platform adds what it does not have. That sends a row again, too, that a person has confirmed by mistake.',
  ),
  record_doubled: unreconciledCode(
    'the record is there more than once',
    'Ask the operator to remove all but one of them.',
  ),
  record_differs: unreconciledCode(
    '{what|the record there differs from the row}',
    '{todo|Find out which side is right. Push a changed file again. A changed journal proves nothing, so restore it. The operator moves a record from another account; correct the account number of the row if that is wrong.}',
  ),
  record_without_row: unreconciledCode(
    'no row of the files explains the record',
    'Name all files of the resource in one command. A record that no run of this folder has sent has another origin: find out who has sent it.',
  ),

  // Our own mistakes.
  bug: codesEnding('BUG')(
    'this is a bug in dataimport: {reason}',
    'Please report it with the output of `dataimport --version`.',
  ),
} as const satisfies Record<string, ErrorCodeEntry>;

/** A cohort: its file, what its files say of each other, and its accounts. */
export const COHORT_CODES = {
  cohort_check_failed: inputCode(
    '{reason|the files of the cohort say different things of an account}',
    '{todo|Compare the files for this account. `--show-values` shows both totals. Where this is right, write `severity: warning` below `checks.totals`.}',
  ),
  account_not_imported: unfinishedCode(
    'the account is not imported yet ({state}), so its {resource} are not sent; rows: {rows}',
    'Have the account imported, then run the command again; `--wait-for-accounts 4h` waits for it. If it stays "not begun, or failed", ask the operator: the platform says UNKNOWN for both, and a failed import has to be started again.',
  ),
  account_not_asked: unfinishedCode(
    'nobody knows whether the account is imported, because {reason}, so its {resource} are not sent; rows: {rows}',
    'Run the same command again. It asks the platform before it sends, and nothing is sent twice.',
  ),
  account_import_failed: partialCode(
    'the import of the account failed, so its {resource} are not sent; rows: {rows}',
    'Ask the operator why the import failed. Once it is imported, run the command again.',
  ),
  earlier_resource_failed: partialCode(
    'a record of the {earlier} of the account {state|was refused}, so its {resource} are not sent; rows: {rows}',
    'Remove the cause, or correct the row in its file, then run the command again: it sends the refused record first. To send the rest without it, write `after_failure: continue` into the cohort file.',
  ),
  earlier_record_unsettled: unfinishedCode(
    'a record of the {earlier} of the account {state}, so its {resource} are not sent; rows: {rows}',
    'Run the command again: it finds out first whether the record was applied.',
  ),
} as const;
