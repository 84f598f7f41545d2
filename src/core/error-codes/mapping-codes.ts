import type { ErrorCodeEntry } from './entry.ts';
import { row } from './row.ts';

const CHECK_MAPPING = 'Correct the mapping file; `dataimport map schema` prints what it may hold.';
const FIX_CELL = 'Correct the cell, or describe such cells in the mapping file: ';

/** What can be wrong with a mapping file, and with cells read by one. */
export const MAPPING_CODES = {
  // The mapping file.
  mapping_invalid: row(
    'USAGE',
    'the mapping cannot be used ({count} in all): {reason}',
    'Type `dataimport map check {mapping}` for all of them.',
  ),
  mapping_not_yaml: row('USAGE', 'the file is not readable YAML: {reason}', CHECK_MAPPING),
  mapping_key_unknown: row('USAGE', 'there is no key `{key}` here{suggestion}', CHECK_MAPPING),
  mapping_key_missing: row('USAGE', 'the key `{key}` is missing', CHECK_MAPPING),
  mapping_value_invalid: row('USAGE', 'must be {expected}', CHECK_MAPPING),
  mapping_value_unfit: row('USAGE', 'gives a value that the field cannot have: it {reason}', CHECK_MAPPING),
  mapping_field_open: row(
    'USAGE',
    'has nothing behind it',
    'Write a column or a `constant` there, or remove the line; in a draft the comment above it asks what the field is.',
  ),
  mapping_fields_missing: row(
    'USAGE',
    'the fields {fields} have no mapping and every record needs them',
    'Add them under `fields`; `dataimport map init` proposes columns.',
  ),
  mapping_keys_conflict: row('USAGE', '`{key}` does not go with `{other}`', 'Keep one of the two.'),
  mapping_needs: row('USAGE', 'needs {needed}', CHECK_MAPPING),
  mapping_field_unknown: row('USAGE', 'no field `{field}` has a mapping{suggestion}', CHECK_MAPPING),
  mapping_cycle: row(
    'USAGE',
    'the conditions of the fields {fields} wait for each other',
    'Let one of the conditions look at a `column` instead of a `field`.',
  ),
  mapping_unreachable: row(
    'USAGE',
    'is never reached: the alternative before it has no `when`',
    'Give the alternative before it a `when`, or remove this one.',
  ),
  mapping_file_unreadable: row(
    'USAGE',
    'the file {path} cannot be used: {reason}',
    'Correct the path or the file.',
  ),
  mapping_resource_differs: row(
    'USAGE',
    'the mapping {mapping} is for {expected}, and {given} was typed',
    'Type {expected}, or give another mapping with --map.',
  ),
  mapping_supplier_missing: row(
    'USAGE',
    'no import supplier is known',
    'Give --supplier, or add `import_supplier` to `fields` of the mapping.',
  ),
  line_without_record: row(
    'INPUT_INVALID',
    'line {line} belongs to no record{near}',
    'Give a line on which a record stands with --line.',
  ),

  // The header of a mapped file.
  mapped_column_missing: row(
    'INPUT_INVALID',
    'the mapping names the column `{header}`, which {where} does not have{suggestion}',
    'Correct the name in the mapping file, or `source.delimiter` and `source.skip_lines` when every column is missing.',
  ),
  mapping_question_open: row(
    'INPUT_INVALID',
    'question {question} of the draft is not answered',
    'Look for `{header}` in the mapping file: the comment asks what the field is; put a column or a `constant` there, or remove the line.',
  ),
  mapped_column_repeated: row(
    'INPUT_INVALID',
    'the mapping names the column `{header}`, which {where} has more than once',
    'Rename one of the columns; or set `source.header: false`, `source.skip_lines: 1` and name them in `source.columns`.',
  ),
  column_unused: row(
    'INPUT_INVALID',
    'the column is not used by the mapping',
    'Map it, or list it under `ignore` in the mapping file.',
  ),

  // Cells.
  number_unreadable: row(
    'INPUT_INVALID',
    'is not a number such as {example}',
    `${FIX_CELL}\`decimal_mark\`, \`thousands_mark\`, \`negative\`, \`positive_suffixes\`, \`negative_suffixes\`.`,
  ),
  minor_digits_lost: row(
    'INPUT_INVALID',
    'has more than {digits} digits after the point, which its unit does not have',
    'Nothing is rounded: correct the cell, or `unit` and `minor_digits` in the mapping file.',
  ),
  debit_credit_both: row(
    'INPUT_INVALID',
    'has a value, and so has the column `{other}`',
    'Give a debit or a credit; only one of the two may differ from zero.',
  ),
  debit_credit_none: row(
    'INPUT_INVALID',
    'has no value, and neither has the column `{other}`',
    'Fill one of the two cells, or set `when` for the field in the mapping file.',
  ),
  date_unreadable: row(
    'INPUT_INVALID',
    'does not fit the format {formats}',
    `${FIX_CELL}\`format\` of the field, or \`source.date_format\` and \`source.datetime_format\`.`,
  ),
  date_nonexistent: row(
    'INPUT_INVALID',
    'is a day or a time of day that does not exist',
    'Correct the cell.',
  ),
  date_ambiguous: row(
    'INPUT_INVALID',
    'fits the formats {formats}, which make different dates of it',
    'Keep one of the formats in the mapping file.',
  ),
  time_skipped: row(
    'INPUT_INVALID',
    'does not exist in {zone}: the clocks were put forward over it',
    'Correct the cell, or `time_zone` in the mapping file.',
  ),
  time_repeated: row(
    'INPUT_INVALID',
    'occurs twice in {zone}: the clocks were put back',
    'Set `fold: earlier` or `fold: later` in the mapping file.',
  ),
  flag_unreadable: row(
    'INPUT_INVALID',
    'is none of {known}',
    `${FIX_CELL}\`true_tokens\`, \`false_tokens\`.`,
  ),
  lookup_missing: row(
    'INPUT_INVALID',
    'is not in the lookup table',
    'Add it to `lookup` in the mapping file, or set `otherwise: keep` or a value.',
  ),
  continuation_differs: row(
    'INPUT_INVALID',
    'differs from the first row of the record, on line {first_line}',
    'Leave the cell empty or repeat the value; or correct `continuation` in the mapping file.',
  ),

  // Joined files and control records.
  join_orphan: row(
    'INPUT_INVALID',
    'no record has the key of this row',
    'Add the record, correct the key, or correct `join.key` in the mapping file.',
  ),
  trailer_cell_unreadable: row(
    'INPUT_INVALID',
    'the control record has no readable number here',
    'Correct `source.trailer` in the mapping file, or export the file again.',
  ),
  trailer_count_differs: row(
    'INPUT_INVALID',
    'the control record counts {stated}, and the file has {found}',
    'Export the file again: rows are missing or twice.',
  ),
  trailer_sum_differs: row(
    'INPUT_INVALID',
    'the control record says {stated} for `{column}`, and the rows make {found}',
    'Export the file again: rows are missing, twice or changed.',
  ),
  trailer_sum_unreadable: row(
    'INPUT_INVALID',
    'the sum of `{column}` is not known: cells of it that are no numbers: {count}, the first on line {first_line}',
    'Correct the cells, or the number format of the mapping file.',
  ),
} as const satisfies Record<string, ErrorCodeEntry>;
