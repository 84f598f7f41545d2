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
  mapping_not_yaml: usageCode('the file is not readable YAML: {reason}', CHECK_MAPPING),
  mapping_key_unknown: usageCode('there is no key `{key}` here{suggestion}', CHECK_MAPPING),
  mapping_key_missing: usageCode('the key `{key}` is missing', CHECK_MAPPING),
  mapping_value_invalid: usageCode('must be {expected}', CHECK_MAPPING),
  mapping_value_unfit: usageCode('gives a value that the field cannot have: it {reason}', CHECK_MAPPING),
  mapping_field_open: usageCode(
    'has no value',
    'Write a value there, such as a column, a `constant` or the conditions of a filter, or remove the line.',
  ),
  mapping_question_open: usageCode(
    'is open; answer question {question}, line {line}: {text}',
    'Remove the "# " of an answer below line {line}, or write another one behind the key.',
  ),
  mapping_fields_missing: usageCode(
    'the fields {fields} have no mapping and every record needs them',
    'Add them under `fields`. For a value above the header or in the name of the file: docs/mapping-recipes.md.',
  ),
  mapping_keys_conflict: usageCode('`{key}` does not go with {other}', 'Keep one of the two.'),
  mapping_needs: usageCode('needs {needed}', CHECK_MAPPING),
  mapping_cycle: usageCode(
    'the conditions of the fields {fields} wait for each other',
    'Let one of the conditions look at a `column` instead of a `field`.',
  ),
  mapping_unreachable: usageCode(
    'is never reached: the alternative before it has no `when`',
    'Give the alternative before it a `when`, or remove this one.',
  ),
  mapping_file_unreadable: usageCode(
    'the file {path} cannot be used: {reason}',
    'Correct the path or the file.',
  ),
  resource_differs: usageCode(
    '{file} has the columns of {found}, and the command names {given}',
    'Type {found} in place of {given}. If the rows are {given}, say in a mapping file which column is which: `dataimport init {file} --resource {given}`.',
  ),
  mapping_resource_differs: usageCode(
    'the mapping {mapping} is for {expected}, and the command names {given}',
    'Type {expected}, or give another mapping with --map.',
  ),
  mapping_supplier_missing: usageCode(
    'no import supplier is known',
    'Give --supplier, or add `import_supplier` to `fields` of the mapping.',
  ),

  // The header.
  header_unknown: inputCode(
    'the header `{header}` is not a field of {resource}{suggestion}',
    'Rename or remove the column.',
  ),
  header_conflict: inputCode(
    'the headers `{header}` and `{other}` fill the same field',
    'Keep one of the two columns.',
  ),
  column_missing: inputCode(
    'the file has no column `{field}`',
    'Add the column{hint}; or say in a mapping file which column it is: `dataimport init` drafts one for a file and a --resource.',
  ),
  mapped_column_missing: inputCode(
    'the mapping names the column `{header}`, which {where} does not have{suggestion}',
    'Correct the name in the mapping file; or `source.encoding` when letters are wrong, `source.delimiter` and `source.skip` when every column is missing.',
  ),
  mapped_column_repeated: inputCode(
    'the mapping names the column `{header}`, which {where} has more than once',
    'Rename one of the columns (in a query with AS); or set `source.header: false`, `source.skip_lines: 1` and name them in `source.columns`.',
  ),

  // Conditions.
  amount_decimals_lost: usageCode(
    'amounts {what|without decimals that are ten times as large as the others on average}, which have {usual} decimals: {count} of {total}',
    'Compare them with the source system: a decimal mark or a digit may be lost. Nothing to do for a warning when they are right.',
  ),

  // Cells.
  list_unreadable: inputCode(
    '{reason|the value is no list of objects}',
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
    'is not a number such as {example}{form|}',
    `${FIX_CELL}{key|\`decimal_mark\`, \`thousands_mark\`, \`currency_signs\`, \`negative\`, \`positive_suffixes\`, \`negative_suffixes\`}.`,
  ),
  minor_digits_lost: inputCode(
    'is more exact than the smallest unit: it may have {allowed} after the point',
    'Nothing is rounded: correct the cell, or `unit` and `minor_digits` in the mapping file.',
  ),
  debit_credit_both: inputCode(
    'has a value, and so has the column `{other}`',
    'Give a debit or a credit; only one of the two may differ from zero.',
  ),
  debit_credit_none: inputCode(
    'has no value, and neither has the column `{other}`',
    'Fill one of the two cells, or set `when` for the field in the mapping file.',
  ),
  date_unreadable: inputCode(
    'does not fit the format {formats}{hidden|}',
    `${FIX_CELL}{key|\`format\` of the field, or \`source.date_format\` and \`source.datetime_format\`}.`,
  ),
  date_nonexistent: inputCode('is a day or a time of day that does not exist', 'Correct the cell.'),
  date_is_moment: inputCode(
    'is a moment with an offset, and its day differs from zone to zone',
    'Set `time_zone` for the field, or in `source`: the day there is taken, such as that in Europe/London. `time_zone: UTC` means the day in UTC.',
  ),
  date_ambiguous: inputCode(
    'fits the formats {formats}, which make different dates of it',
    'Keep one of the formats in the mapping file.',
  ),
  time_skipped: inputCode(
    'does not exist in {zone}: the clocks were put forward over it',
    'Correct the cell, or `time_zone` in the mapping file.',
  ),
  time_repeated: inputCode(
    'occurs twice in {zone}: the clocks were put back',
    'Set `fold: earlier` or `fold: later` in the mapping file.',
  ),
  flag_unreadable: inputCode('is none of {known}', `${FIX_CELL}\`true_tokens\`, \`false_tokens\`.`),
  lookup_missing: inputCode(
    '{what|is not in the lookup table}',
    '{todo|Add it to the table. `otherwise` gives a value to every text that is not there.}',
  ),

  // Records, joined files and control records.
  rows_not_joined: inputCode(
    '{reason|the rows of a record do not fit together}',
    'Put the rows of a record one after another, as with `mlr --csv sort -f COLUMN FILE` (ORDER BY of a query moves none), or correct the cells. In the mapping file, `continuation` and `join.key` say which rows belong to a record.',
  ),
  line_without_record: inputCode(
    'line {line} belongs to no record{near}',
    'Give the line of a record with --line.',
  ),
  trailer_unreadable: inputCode(
    '{reason|the control record cannot be compared with the rows}',
    'Export the file again when it is cut, and push joined exports one by one. Else correct the cells, or `source.trailer` and the number format of the mapping file.',
  ),
  trailer_count_differs: inputCode(
    'the control record says {stated} rows, and the file has {found}{left_out}',
    'Export the file again: rows are missing or twice. If the filter should not count, compare the figure in a query.',
  ),
  trailer_sum_differs: inputCode(
    'the sum of `{column}` is {stated} in the control record and {found} in the rows{sign}{left_out}',
    'Name the sign when only that differs. Else export the file again: rows are missing, twice or changed. If the filter should not count, compare the figure in a query.',
  ),
} as const satisfies Record<string, ErrorCodeEntry>;
