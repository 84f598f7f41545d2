import type { ErrorCodeEntry } from './entry.ts';

const FIX_CELL = 'Correct the cell in the source file.';

/** What can be wrong with one value. Codes by kind of field: deployments.md, "Framework behaviour". */
export const FIELD_CODES = {
  required: row('is required but has no value', 'Fill the cell, or add the column when the file has none.'),
  null: row('must not be null', 'Leave an optional field out instead of giving null.'),
  invalid: row('is not {expected}', FIX_CELL),
  blank: row('must not be blank', FIX_CELL),
  max_length: row(
    'is longer than {limit}',
    'Shorten the value; lists: send fewer items per request (--batch-size).',
  ),
  min_length: row('is shorter than {limit}', FIX_CELL),
  null_characters_not_allowed: row(
    'contains a null character',
    'Remove the NUL byte; it often marks a damaged export.',
  ),
  max_value: row('is greater than {limit}', FIX_CELL),
  min_value: row(
    'is less than {limit}',
    'Correct the cell, or turn the sign with `negate: true` in a mapping.',
  ),
  max_digits: row('has more than {limit} digits in all', FIX_CELL),
  max_decimal_places: row(
    'has more than {limit} digits after the decimal point',
    'Nothing is rounded: give the exact amount.',
  ),
  max_whole_digits: row('has more than {limit} digits before the decimal point', FIX_CELL),
  invalid_choice: row('is not one of the allowed values', 'Use one of: {known}.'),
  not_a_list: row(
    'is not a list',
    'Give a JSON array, or numbered columns such as `line_items.0.net_amount`.',
  ),
  empty: row('is an empty list', 'Give at least one item, or leave an optional list out.'),
  unexpected_field: {
    ...row(
      'is not a field of the interface',
      'Remove it; only documented fields may be sent (interface.md 2.1).',
    ),
    authority: 'chosen',
  },
} as const satisfies Record<string, ErrorCodeEntry>;

function row(sentence: string, next: string): ErrorCodeEntry {
  return { authority: 'observed', status: 400, retry: 'never', exit: 'INPUT_INVALID', sentence, next };
}
