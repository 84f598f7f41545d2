import type { ErrorCodeEntry } from './entry.ts';
import { row } from './row.ts';

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
