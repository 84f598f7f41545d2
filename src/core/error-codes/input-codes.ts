import { inputCode, usageCode, warningCode, type ErrorCodeEntry } from './entry.ts';

const CHECK_MAPPING = 'Correct the mapping file. `dataimport schema mapping` prints its allowed content.';
const FIX_CELL = 'Correct the cell, or describe such cells in the mapping file: ';

/** A mapping file is wrong, a header does not fit it, or a cell cannot be read as it says. */
export const MAPPING_CODES = {
  // The mapping file.
  mapping_invalid: usageCode(
    'the mapping cannot be used ({count} in all): {reason}',
    '`dataimport check --map {mapping}` lists all of them, with what to do.',
  ),
  mapping_value_invalid: usageCode('{what|must be {expected}}', CHECK_MAPPING),

  // The header.
  mapping_question_open: usageCode(
    '{reason|has no value}',
    '{todo|Write a value there, such as a column, a `constant` or the conditions of a filter, or remove the line.}',
  ),
  header_unknown: inputCode(
    'the header `{header}` is not a field of {resource}{suggestion}',
    'Rename or remove the column, or give the contract of the operator that has the field (`--contract`).',
  ),
  column_missing: inputCode(
    'the file has no column `{field}`',
    'Add the column{hint}; or say in a mapping file which column it is: `dataimport init` drafts one for a file and a --resource.',
  ),
  mapped_column_missing: inputCode(
    'the mapping names the column `{header}`, which {where} does not have{suggestion}',
    'Correct the name in the mapping file; or `source.encoding` when letters are wrong, `source.delimiter` and `source.skip` when every column is missing.',
  ),

  // Conditions.
  amount_decimals_lost: usageCode(
    'amounts {what|without decimals that are ten times as large as the others on average}, which have {usual} decimals: {count} of {total}',
    'Compare them with the source system: a decimal mark or a digit may be lost. Nothing to do for a warning when they are right.',
  ),

  // Cells.
  list_unreadable: inputCode(
    '{reason|the value is a list, and the field takes a single value}',
    '{todo|Name the key path of a list of objects in `each`, and that of a single value for a field; or leave out the record with a `filter`.}',
  ),
  undocumented_value: warningCode(
    'is {what|not a value that the interface shows}',
    'Ask the operator whether the platform takes it. Shown: {known|other values}.',
  ),
  leading_zeros: warningCode(
    'has leading zeros, which are not sent',
    'Nothing to do when the number is right.',
  ),
  negative_zero: warningCode(
    'is zero with a minus, which is not sent',
    'Nothing to do when the amount is zero.',
  ),
  mixed_suppliers: inputCode(
    'differs from the supplier given with --supplier',
    'Push each supplier by itself; a row of totals needs `source.trailer` in a mapping file.',
  ),
  number_unreadable: inputCode(
    '{reason|is not a number such as {example}}{form|}',
    `{todo|${FIX_CELL}}{key|\`decimal_mark\`, \`thousands_mark\`, \`currency_signs\`, \`negative\`, \`positive_suffixes\`, \`negative_suffixes\`}.`,
  ),
  date_unreadable: inputCode(
    'does not fit the format {formats}{hidden|}',
    `${FIX_CELL}{key|\`format\` of the field, or \`source.date_format\` and \`source.datetime_format\`}.`,
  ),
  date_nonexistent: inputCode('is a day or a time of day that does not exist', 'Correct the cell.'),
  date_ambiguous: inputCode(
    '{reason|fits formats that make different dates of it}',
    '{todo|Keep one of the formats in the mapping file.}',
  ),
  time_skipped: inputCode(
    'does not exist in {zone}: the clocks were put forward over it',
    'Correct the cell, or `time_zone` in the mapping file.',
  ),
  time_repeated: inputCode(
    'occurs twice in {zone}: the clocks were put back',
    'Set `fold: earlier` or `fold: later` in the mapping file.',
  ),
  lookup_missing: inputCode('{what|is not in the lookup table}', '{todo|Add it to the table.}'),

  // Records, joined files and control records.
  rows_not_joined: inputCode(
    '{reason|the row continues a record, and no record begins before it}',
    '{todo|Put the rows of a record one after another, as with `mlr --csv sort -f COLUMN FILE` (ORDER BY of a query moves none), or correct the cells. In the mapping file, `continuation` and `join.key` say which rows belong to a record.}',
  ),
  trailer_unreadable: inputCode(
    '{reason|the file ends without the control record that the mapping expects}',
    '{todo|Export the file again when it is cut, and push joined exports one by one. Else correct the cells, or `source.trailer` and the number format of the mapping file.}',
  ),
  trailer_count_differs: inputCode(
    'the control record says {stated} rows, and the file has {found}{left_out|}',
    'Export the file again: rows are missing or twice. If the filter should not count, compare the figure in a query.',
  ),
  trailer_sum_differs: inputCode(
    'the sum of `{column}` is {stated} in the control record and {found} in the rows{sign|}{left_out|}',
    'When only the sign differs, say in the mapping how the control record writes it. Else export the file again: rows are missing, twice or changed. If the filter should not count, compare the figure in a query.',
  ),

  // Queries.
  query_invalid: usageCode(
    'the query cannot be used: {reason}',
    '{todo|Correct `source.sql` in the mapping file: files belong to `source.tables`, and the type of a column that is no text to `types` of its table (docs/mapping-recipes.md).}',
  ),
} as const satisfies Record<string, ErrorCodeEntry>;

const KINDS_OF_RECORDS =
  'Where rows of several kinds are mixed, take those of one kind into a file of their own; docs/recipes.md shows how.';
const REPAIR_EXPORT = 'Export the file again, or repair it in a text editor.';

/** A file cannot be opened, or not be cut into rows and cells, or a row is none. */
export const INPUT_CODES = {
  // Opening a file.
  file_not_readable: usageCode(
    '{file} cannot be read: {reason}',
    '{todo|Check the path, and that you may read what is there.}',
  ),
  file_not_regular: usageCode(
    '{file} is a pipe or a device, which can be read only once',
    'Pipe the content into the command and give `-` for the file, or save it to a file first.',
  ),
  file_changed: inputCode(
    'the file changed while it was read',
    'Wait until the export is finished, then push again.',
  ),

  // The kind of file.
  file_empty: inputCode('the file has no header line', REPAIR_EXPORT),
  file_has_no_rows: inputCode(
    '{what|the file has a header and no rows}',
    'Check that the export was complete, and `filter` in the mapping file. Without a row to send there is nothing to import.',
  ),
  json_invalid: inputCode(
    '{reason|the line or the cell is not readable JSON}',
    'Export the file again, or correct it: JSON Lines have one whole object on each line, and a cell has JSON such as {example|a list in brackets}.',
  ),
  file_is_no_table: inputCode(
    '{what|the file is no table: {reason}}',
    '{remedy|Export the data as CSV from the source system.}',
  ),
  separator_line: inputCode(
    'the first line is a note to a spreadsheet (`sep=`), not the header',
    'Set `source.skip_lines: 1` and `source.delimiter` in a mapping file; `dataimport init` writes one.',
  ),

  // Characters.
  encoding_invalid: inputCode(
    'byte {byte} of the file (counted from 0) is not {encoding}',
    'Type `dataimport inspect` and the file, which shows how encodings read it, and set `source.encoding` in a mapping file, which `dataimport init` drafts; or convert the file: `iconv -f CP850 -t UTF-8 FILE > NEW`.',
  ),
  encoding_differs: inputCode(
    'the file is {found} by its first bytes, and is read as {encoding}',
    'Set `source.encoding: {found}` in a mapping file; `dataimport init` writes one.',
  ),
  nul_byte: inputCode(
    'byte {byte} of the file (counted from 0) begins a NUL character, which no text has',
    'Export the file again: it is damaged, or UTF-16, which `source.encoding: utf-16le` in a mapping file reads.',
  ),
  dos_end_mark: inputCode(
    'the file ends with the end mark of DOS (byte 1A)',
    'Set `source.end_mark: true` in a mapping file, or remove the last character; `dataimport init` writes one.',
  ),

  // Lines.
  newlines_mixed: warningCode(
    'lines end in different ways: {first} from line {first_line}, {other} from line {other_line}',
    'Nothing to do when the file is whole; files that were joined look like this.',
  ),
  newline_inconsistent: inputCode(
    'some lines end with a CR alone, others do not: {first} from line {first_line}, {other} from line {other_line}',
    'Quote cells that contain a CR, or let every line end alike.',
  ),

  // Rows and cells.
  quote_not_closed: inputCode('a quoted cell that opens in this row is never closed', REPAIR_EXPORT),
  quote_misplaced: inputCode(
    '{what|there is a quotation mark where none is allowed}',
    '{todo|Quote the whole cell and double the quotation marks in it. In a mapping file, `source.escape` names another character before them (such as a backslash), and `source.quote: none` makes them plain text. Where whole rows are in quotes: docs/mapping-recipes.md.}',
  ),
  record_too_large: inputCode('the row is longer than {limit} bytes', REPAIR_EXPORT),
  too_many_columns: inputCode(
    'the header has {columns} columns; {limit} is the most',
    'Check `source.delimiter` in the mapping file, or export the columns that are needed.',
  ),
  row_too_short: inputCode(
    '{what|the row has fewer cells ({cells}) than the header ({columns})}',
    `{todo|Export the file again. Where a program leaves out empty cells at the ends of rows, fill them up first: docs/mapping-recipes.md, "A file that no delimiter describes". ${KINDS_OF_RECORDS}}`,
  ),
  row_too_long: inputCode(
    'the row has more cells ({cells}) than the header ({columns})',
    `Quote cells that contain the delimiter. In a file of fixed columns, \`source.fixed\` has to cover the whole line. ${KINDS_OF_RECORDS}`,
  ),
  row_cut_off: inputCode(
    'the last row has {cells} of {columns} cells and no line break: the file looks cut off',
    'Compare its size with the original and fetch it again.',
  ),
  skipped_lines_wrong: inputCode(
    '{reason|the line is passed over, but it is a row of data}',
    'Compare the lines with `source.skip`, `source.skip_lines` and `source.page_lines` in the mapping file: no row of data may be among them, and the columns of the mapping have to be in the header.',
  ),
  header_name_empty: inputCode('the header of this column is empty', 'Give the column a name or remove it.'),
  header_duplicate: inputCode(
    '{reason|the header names a column twice}',
    'Remove or rename one of the columns, in a query with AS. `source.header: false` with `source.skip_lines: 1` and `source.columns` names them in a mapping file.',
  ),
  delimiter_differs: inputCode(
    'the header is one single cell; the delimiter looks like {delimiter}',
    'Set `source.delimiter: {delimiter}` in a mapping file; `dataimport init` writes one.',
  ),
  header_repeated: inputCode(
    'the row repeats the header: two exports seem to be joined',
    'Set `source.repeated_header: skip` in a mapping file when that is meant, or push the parts one by one; then nothing is counted twice.',
  ),
  row_empty: inputCode(
    'the row has no value at all',
    'Remove the line, or leave such rows out with `filter` in a mapping: a column that is always filled, `is: empty`.',
  ),
} as const satisfies Record<string, ErrorCodeEntry>;

/**
 * The contract accepts it and a person would not: damage that spreadsheets and wrong decoding leave behind, and oddities
 * that only show when the whole file is read.
 */
export const PLAUSIBILITY_CODES = {
  // Identifiers.
  spreadsheet_damage: inputCode(
    '{what|is a number with an exponent, as a spreadsheet or a program writes it; its last digits may be lost}',
    'Export the file again with this column as text, and do not save it from a spreadsheet.',
  ),
  identifier_has_text_mark: inputCode(
    '{what|has a mark with which a spreadsheet keeps a number as a text}',
    "Export the file again, or remove it in a mapping file: replace: [{ pattern: {remove}, with: '' }] for the field.",
  ),
  identifier_has_spaces: inputCode(
    'has {character} {where}',
    'Remove it from the cell, or set `trim: true` for the field in a mapping file when it is at the beginning or the end.',
  ),
  identifier_is_no_value: inputCode(
    'is not an identifier but a text that means "no value" or an error',
    'Fill in the identifier, or name the text under `null_tokens` in a mapping file.',
  ),
  cell_is_no_value: inputCode(
    'comes from a cell with a text that means "no value", or that a spreadsheet shows in place of a lost value',
    'Export the file again; name a text that means "no value" under `null_tokens` in a mapping file.',
  ),
  identifiers_may_collide: warningCode(
    'values that differ from another only by upper and lower case, by how accents are written or by leading zeros: {count}',
    'Put lost zeros back: export the file again, or use `pad` in a mapping file. Nothing to do when they are different records; the platform may take them for one.',
  ),
  identifier_on_several_accounts: warningCode(
    'values that belong to more than one account: {count}{money|}',
    'Nothing to do when the platform keeps ids by account, or one document is meant for all; otherwise check the account numbers and the paths: a customer would see the statement of another one.',
  ),
  leading_zeros_lost: warningCode(
    'values that are shorter than the others ({lengths}), {zeros|none of which begins with a zero}: {count}',
    'Check that no program has removed leading zeros; `pad` in a mapping file puts them back.',
  ),

  // Documents.
  document_not_listed: inputCode(
    '{what|is not in} {listing}',
    'Upload the document and list the file store again, or correct the path. A listing with `%20` for a space is escaped: list it without. Nothing to do when other files name the documents.',
  ),

  // Text, dates and amounts.
  text_has_byte_order_mark: warningCode(
    'has a byte order mark inside the text',
    'Nothing to do when it does no harm; files joined end to end leave it behind.',
  ),
  text_damaged: warningCode(
    '{what|has the replacement character U+FFFD: the text was damaged before it was exported}',
    '{todo|Export the file again from the source system with the right encoding.} The texts are sent as they are.',
  ),
  text_decoded_wrongly: warningCode(
    'has the marks of {was} that was read as {as}',
    'Where a mapping says `source.encoding`, write `{encoding}` there if the whole file is that. Else it was read wrongly before it was saved as UTF-8: export it again, or type `iconv -f UTF-8 -t {as} FILE > NEW`, which takes that back, and read NEW as {encoding}. The text is sent as it is.',
  ),
  date_implausible: inputCode(
    '{what|lies outside of the days that a record may have}',
    '{todo|Correct the cell; the setting `earliestDate` allows older dates, and nothing allows later ones. If today is another day, set the clock of this machine.}',
  ),
  issued_before_bill_period: warningCode(
    'lies before bill_period_from_date',
    'Compare the row with the source system.',
  ),
  dates_far_apart: warningCode(
    'lies more than {years} years after {other}',
    'Compare the row with the source system: one of the two years may be wrong.',
  ),
  zero_amount: warningCode('is zero', 'Nothing to do when the amount is zero.'),

  // The file as a whole.
  identifier_shape_differs: warningCode(
    '{count} of {records} {what|have another shape than all others}',
    '{todo|Compare the rows with the source system: a cell of another column may be here. Nothing to do when the values are right.}',
  ),
  amounts_filled_down: warningCode(
    'the amount of the record before, which is of another account, in {count} of {records} records',
    'Compare them with the source system: empty cells may have been filled down. Nothing to do when the records have these amounts there.',
  ),
  split_seconds: warningCode(
    'date-times with parts of a second, which the interface does not show: {count}; they are sent as they are',
    String.raw`Nothing to do when the platform takes them; else cut them off in a mapping file: "replace: [{ pattern: '\.\d+', with: '' }]" for the field.`,
  ),
  record_contradicts_itself: warningCode('{what} in {count} of {records}{factor|}', '{todo}'),
  rows_equal_in_record: warningCode(
    'records with rows that are equal in every cell, so that their items are added up twice: {count}',
    'Take them out with a query: `SELECT min(_row) AS _row, … GROUP BY ALL` (docs/mapping-recipes.md). Nothing to do when the record has the same item twice.',
  ),
  amounts_all_negative: warningCode(
    'all {count} amounts of {what} are negative, as reversals are',
    'If the supplier writes them so, turn the sign with `negate: true`, and with a `when` where others keep theirs; nothing to do if they are reversals.',
  ),
  gross_amounts_look_like_major_units: warningCode(
    'amounts that {oddity}: {count}',
    'Give the field `unit: minor` when 5324 means 53.24, and `unit: major` when it means 5324.00. `minor_digits` are those of the currency.',
  ),
} as const satisfies Record<string, ErrorCodeEntry>;
