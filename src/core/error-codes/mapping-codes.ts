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
    'the control record says {stated} rows, and the file has {found}{left_out}',
    'Export the file again: rows are missing or twice. If the filter should not count, compare the figure in a query.',
  ),
  trailer_sum_differs: inputCode(
    'the sum of `{column}` is {stated} in the control record and {found} in the rows{sign}{left_out}',
    'Name the sign when only that differs. Else export the file again: rows are missing, twice or changed. If the filter should not count, compare the figure in a query.',
  ),

  // Queries.
  query_invalid: usageCode(
    'the query cannot be used: {reason}',
    '{todo|Correct `source.sql` in the mapping file: files belong to `source.tables`, and the type of a column that is no text to `types` of its table (docs/mapping-recipes.md).}',
  ),
} as const satisfies Record<string, ErrorCodeEntry>;
