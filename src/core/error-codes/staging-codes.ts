import type { ErrorCodeEntry } from './entry.ts';

/** What is wrong with rows and control records of a file that can be read as such. Only the client reports them. */
export const STAGING_CODES = {
  delimiter_differs: row(
    'the header is one single cell; the delimiter looks like {delimiter}',
    'Set `source.delimiter: {delimiter}` in a mapping file; `dataimport map init` writes one.',
  ),
  header_repeated: row(
    'the row repeats the header: two exports seem to be joined',
    'Remove the line, or push the parts one by one; then nothing is counted twice.',
  ),
  row_empty: row(
    'the row has no value at all',
    'Remove the line, or leave such rows out with `filter` in a mapping: a column that is always filled, `is: empty`.',
  ),
  row_continues_nothing: row(
    'the row goes on with a record that does not begin before it',
    'Put the rows of a record one after another; `continuation` in the mapping says what goes on with what.',
  ),
  record_has_too_many_rows: row(
    'the record has more than {limit} rows',
    'Check `continuation` in the mapping: its key may not tell records apart.',
  ),
  trailer_missing: row(
    'the file ends without the control record that the mapping expects',
    'The file looks cut: export it again, or correct `source.trailer` in the mapping.',
  ),
  trailer_not_last: row(
    'the control record is not the last row of the file',
    'Push joined exports one by one, or correct `source.trailer` in the mapping.',
  ),
} as const satisfies Record<string, ErrorCodeEntry>;

function row(sentence: string, next: string): ErrorCodeEntry {
  return { authority: 'chosen', status: null, retry: 'never', exit: 'INPUT_INVALID', sentence, next };
}
