import type { ErrorCodeEntry } from './entry.ts';

/** What only `replay` reports: folders that cannot be replayed. */
export const REPLAY_CODES = {
  replay_folder_unknown: row(
    '{folder} holds no fixture: neither it nor a folder in it has an expected.yaml or a seed.yaml',
    'Check the path; `dataimport replay --help` says what such a folder holds.',
  ),
  expectation_missing: row(
    '{file} does not exist',
    'Type `dataimport replay --update {folder}` to write it; that begins with a push of every CSV that has a mapping file or the name of a resource.',
  ),
  expectation_invalid: row(
    'is not a valid expectation: {reason}',
    'Correct the file; `dataimport replay --update` writes everything but the steps.',
  ),
  step_invalid: row('the step `{command}` cannot be run: {reason}', 'Correct the step in expected.yaml.'),
} as const satisfies Record<string, ErrorCodeEntry>;

function row(sentence: string, next: string): ErrorCodeEntry {
  return { authority: 'chosen', status: null, retry: 'never', exit: 'USAGE', sentence, next };
}
