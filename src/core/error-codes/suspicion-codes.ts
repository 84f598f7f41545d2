import type { ErrorCodeEntry } from './entry.ts';

/**
 * What the contract lets pass and a person would not: damage that spreadsheets and wrong decoding leave behind, and what
 * only shows when the whole file is seen. Only the client reports them.
 */
export const SUSPICION_CODES = {
  // Identifiers.
  spreadsheet_damage: row(
    'is a number that a spreadsheet has shortened; the digits behind it are lost',
    'Export the file again and do not save it from a spreadsheet.',
  ),
  identifier_has_spaces: row(
    'has {character} {where}',
    'Remove it from the cell, or set `trim: true` for the field in a mapping file when it stands at an end.',
  ),
  identifier_is_no_value: row(
    'is not an identifier but a text that stands for "no value" or for an error',
    'Fill in the identifier, or name the text under `null_tokens` in a mapping file.',
  ),
  identifiers_may_collide: row(
    'values that differ from another only by upper and lower case or by how accents are written: {count}',
    'Nothing to do when they are different records; the platform may take them for one.',
  ),
  identifier_on_several_accounts: row(
    'values that stand on more than one account: {count}',
    'Nothing to do when ids count up by account; otherwise check the account numbers.',
  ),
  leading_zeros_lost: row(
    'account numbers that are shorter than the others ({lengths}), none of which begins with a zero: {count}',
    'Check that no program has removed leading zeros; `pad` in a mapping file puts them back.',
  ),

  // Text and dates.
  text_has_byte_order_mark: row(
    'has a byte order mark inside the text',
    'Nothing to do when it does no harm; files joined end to end leave it behind.',
  ),
  text_damaged: row(
    'has the replacement character U+FFFD: the text was damaged before it was exported',
    'Export the file again from the source system with the right encoding.',
  ),
  text_decoded_wrongly: row(
    'has the marks of {was} that was read as Windows-1252',
    'Set `source.encoding: {encoding}` in a mapping file if the whole file is that; else export it again as UTF-8. The text is sent as it is.',
  ),
  date_implausible: row(
    'lies {bound}',
    'Correct the cell; `--earliest-date` allows older dates, and nothing allows later ones.',
  ),
  issued_before_bill_period: row(
    'lies before bill_period_from_date',
    'Compare the row with the source system.',
  ),

  zero_amount: row('is zero', 'Nothing to do when the amount is zero.'),

  // The file as a whole.
  split_seconds: row(
    'date-times with parts of a second, which the interface does not show: {count}; they are sent as they are',
    String.raw`Nothing to do when the platform takes them; else cut them off in a mapping file: "replace: [{ pattern: '\.\d+', with: '' }]" for the field.`,
  ),
  exact_duplicate_skipped: row(
    'rows left out because they repeat an earlier one in every field: {count}',
    'Nothing to do: `--exact-duplicates skip` asked for it.',
  ),
  amounts_all_negative: row(
    'all {count} amounts of {type} are negative, as reversals are',
    'Turn the sign with `negate: true` in a mapping if the supplier writes it so; nothing to do if they are reversals.',
  ),
  gross_amounts_look_like_major_units: row(
    'all {count} gross amounts {oddity}',
    'The platform takes whole minor units, such as 5324 for 53.24; `unit: major` in a mapping file says that the file has major units.',
  ),
} as const satisfies Record<string, ErrorCodeEntry>;

function row(sentence: string, next: string): ErrorCodeEntry {
  return { authority: 'chosen', status: null, retry: 'never', exit: 'INPUT_INVALID', sentence, next };
}
