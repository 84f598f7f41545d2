import type { ErrorCodeEntry, ErrorExit } from './entry.ts';

const REPAIR_EXPORT = 'Export the file again, or repair it in a text editor.';
const EXPORT_AS_CSV = 'Export the data as CSV from the source system.';

/** Why a file cannot be opened, or cut into rows and cells. Only the client reports them. */
export const SOURCE_CODES = {
  // Opening it.
  file_not_readable: row(
    '{file} cannot be read: {reason}',
    'Check the path, and that you may read what is there.',
    'USAGE',
  ),
  file_not_utf8: row(
    '{file} is not UTF-8, which a file of YAML has to be',
    'Save it as UTF-8 in a text editor. A CSV file may have another encoding: `dataimport inspect` finds out which, and `source.encoding` in a mapping file names it.',
    'USAGE',
  ),
  file_not_regular: row(
    '{file} is a pipe or a device, which can be read only once',
    'Pipe the content into the command and give `-` for the file, or save it to a file first.',
    'USAGE',
  ),
  file_damaged: row(
    '{file} cannot be unpacked: {reason}',
    'Compare its size with the original and fetch it again; `gzip -t` tells whether it is whole.',
  ),
  file_changed: row(
    'the file changed while it was read',
    'Wait until the export is finished, then push again.',
  ),

  // What kind of file it is.
  file_empty: row('the file has no header line', REPAIR_EXPORT),
  file_has_no_rows: row('the file has a header and no rows', 'Check that the export was complete.'),
  file_is_workbook: row(
    'the file is a workbook of a spreadsheet, or another packed file',
    'Open it and save the sheet as "CSV UTF-8"; unpack an archive first.',
  ),
  file_is_gzip: row(
    'the file is packed with gzip',
    'Give it a name that ends in `.gz`, which is unpacked while it is read, or unpack it first (standard input: `gunzip -c`).',
  ),
  file_is_pdf: row('the file is a PDF', EXPORT_AS_CSV),
  file_is_html: row(
    'the file is a web page or XML',
    `It may be the page of a failed download. ${EXPORT_AS_CSV}`,
  ),
  file_is_json: row('the file is JSON', EXPORT_AS_CSV),
  separator_line: row(
    'the first line is a note to a spreadsheet (`sep=`), not the header',
    'Set `source.skip_lines: 1` and `source.delimiter` in a mapping file; `dataimport map init` writes one.',
  ),

  // Characters.
  encoding_invalid: row(
    'byte {byte} of the file (counted from 0) is not {encoding}',
    'Find out with `dataimport inspect` what it is, and set `source.encoding` in a mapping file, which `dataimport map init` writes; or fetch the file again if it is damaged.',
  ),
  encoding_differs: row(
    'the file is {found} by its first bytes, and is read as {encoding}',
    'Set `source.encoding: {found}` in a mapping file; `dataimport map init` writes one.',
  ),
  nul_byte: row(
    'byte {byte} of the file (counted from 0) begins a NUL character, which no text has',
    'Export the file again: it is damaged, or UTF-16, which `source.encoding: utf-16le` in a mapping file reads.',
  ),
  dos_end_mark: row(
    'the file ends with the end mark of DOS (byte 1A)',
    'Set `source.end_mark: true` in a mapping file, or remove the last character; `dataimport map init` writes one.',
  ),

  // Lines.
  newlines_mixed: row(
    'lines end in different ways: {first} from line {first_line}, {other} from line {other_line}',
    'Nothing to do when the file is whole; files that were joined look like this.',
  ),
  newline_inconsistent: row(
    'some lines end with a CR alone, others do not: {first} from line {first_line}, {other} from line {other_line}',
    'Quote cells that contain a CR, or let every line end alike.',
  ),

  // Rows and cells.
  quote_not_closed: row('a quoted cell that opens in this row is never closed', REPAIR_EXPORT),
  quote_misplaced: row(
    'a quotation mark stands where none may stand',
    'Quote the whole cell and double the quotation marks in it. In a mapping file, `source.escape` names another character before them (such as a backslash), and `source.quote: none` makes them plain text.',
  ),
  escape_unclear: row(
    'a quoted cell has the escape character before one that needs none',
    'Double the escape character where it is text; programs disagree on what a single one means.',
  ),
  record_too_large: row('the row is longer than {limit} bytes', REPAIR_EXPORT),
  too_many_columns: row(
    'the header has {columns} columns; {limit} is the most',
    'Check `source.delimiter` in the mapping file, or export the columns that are needed.',
  ),
  row_too_short: row('the row has fewer cells ({cells}) than the header ({columns})', REPAIR_EXPORT),
  row_too_long: row(
    'the row has more cells ({cells}) than the header ({columns})',
    'Quote cells that contain the delimiter. In a file of fixed columns, `source.fixed` has to cover the whole line.',
  ),
  row_cut_off: row(
    'the last row has {cells} of {columns} cells and no line break: the file looks cut off',
    'Compare its size with the original and fetch it again.',
  ),
  header_name_empty: row('the header of this column is empty', 'Give the column a name or remove it.'),
  header_duplicate: row(
    'the header `{header}` occurs twice, first in column {first_column}',
    'Remove or rename one of the columns.',
  ),
} as const satisfies Record<string, ErrorCodeEntry>;

function row(sentence: string, next: string, exit: ErrorExit = 'INPUT_INVALID'): ErrorCodeEntry {
  return { authority: 'chosen', status: null, retry: 'never', exit, sentence, next };
}
