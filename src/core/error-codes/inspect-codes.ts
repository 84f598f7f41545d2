import type { ErrorCodeEntry, ErrorExit } from './entry.ts';

/** What only `inspect` and `map init` report. */
export const INSPECT_CODES = {
  mapping_exists: row(
    'USAGE',
    '{file} exists already',
    'Give --force to write over it, or --out FILE for another name.',
  ),
  file_is_no_table: row(
    'INPUT_INVALID',
    '{file} is no table: {reason}',
    'Export it again as CSV; `dataimport inspect` shows what it is.',
  ),
} as const satisfies Record<string, ErrorCodeEntry>;

function row(exit: ErrorExit, sentence: string, next: string): ErrorCodeEntry {
  return { authority: 'chosen', status: null, retry: 'never', exit, sentence, next };
}
