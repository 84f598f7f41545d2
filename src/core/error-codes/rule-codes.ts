import type { Authority, ErrorCodeEntry } from './entry.ts';

const FIND_ACCOUNT = 'Look for the account in the list of `dataimport accounts --supplier CODE`';
const ELSE_WRONG = 'if it is not there, the supplier code or the account number is wrong.';
const FIX_ROW = 'Correct the row in the source file and push it again.';

/** What breaks a rule between values or with what the platform holds. Named by deployments.md, "Rules named by deployments". */
export const RULE_CODES = {
  account_not_found: row(
    'no imported account has this supplier code and account number',
    `${FIND_ACCOUNT}: it must be imported, not only staged; ${ELSE_WRONG}`,
    404,
  ),
  import_process_does_not_exist: row(
    'no import process exists for this account: it was never staged',
    `${FIND_ACCOUNT}; ${ELSE_WRONG}`,
  ),
  import_supplier_migration_not_ongoing: row(
    'the import supplier is paused or complete, so every request of it is refused',
    'Ask the operator to set the supplier to Ongoing, then resume the run.',
  ),
  note_body_or_document_path_not_found: betweenFields(
    'a note needs a body or document paths',
    'Fill `body` or `document_paths`.',
    'documented',
  ),
  notes_differ: row(
    'the note has the body and the time of another one and differs in the rest; the platform would keep the first only',
    'Make one note of them, or give one of them another time.',
    400,
    'chosen',
  ),
  note_unpin_at_earlier_than_creation_date: betweenFields('unpin_at lies before created_at'),
  path_does_not_exist_in_file_store: row(
    'the document is not in the file store',
    'Upload the document below the root of the supplier, then resume the run.',
  ),
  missing_transaction_id: row('a transaction of the request has no transaction_id', FIX_ROW),
  duplicate_transaction_ids: row(
    'the transaction_id occurs more than once for the account',
    'Decide which row is right and remove the other; `--exact-duplicates skip` leaves out rows that only repeat another.',
  ),
  transaction_in_future: row('lies after today, {today}, in the zone of the platform', FIX_ROW),
  transaction_outside_open_statement: row(
    'lies outside the open statement period {from} to {to}',
    'Push with --force-add-to-current-statement to let the platform move it into the period, or correct the date.',
    400,
    'documented',
  ),
  historical_statement_already_exists: row(
    'a statement with this statement_id is already on the account; the whole request was refused',
    'It is there already, and resuming meets the same refusal: `--on-reject skip`, of `push` and of `resume`, sets such rows aside and sends the others.',
  ),
  duplicate_statement_ids: row(
    'the statement_id occurs more than once for the account',
    'Remove one of the rows; `--exact-duplicates skip` leaves out rows that only repeat another.',
    400,
    'chosen',
  ),
  bill_period_from_later_than_to: betweenFields(
    'bill_period_from_date lies after bill_period_to_date',
    FIX_ROW,
    'chosen',
  ),
  start_date_later_than_end_date: betweenFields('start_date lies after end_date'),
  line_item_units_must_be_two_values: row('units must be exactly two readings', FIX_ROW),
  incorrect_line_item_net_amount: betweenFields(
    'net_amount is not price_per_unit times number_of_units, rounded to its own decimals',
  ),
  ledger_transaction_amount_does_not_match_with_line_item_net_amount_and_tax_amount: betweenFields(
    'amount is not the sum of the net amounts of the line items and the amounts of the tax items',
  ),
  line_items_overlap_already_charged_period: betweenFields('the period of a line item was charged already'),
  product_code_does_not_exist: row(
    'the platform has no product with this code',
    'Ask the operator for the product codes.',
  ),
  conflicting_rate_band_specification: betweenFields('not exactly one way to name the rate is used'),
  mutually_exclusive_field_required: betweenFields('exactly one of several fields has to be given'),
  payment_instruction_already_active: row(
    'the account has an active payment instruction',
    'It has one already, and resuming meets the same refusal: `--on-reject skip`, of `push` and of `resume`, sets such rows aside and sends the others.',
  ),
  duplicate_payment_instructions: row(
    'the account has another payment instruction in this file',
    'An account takes one instruction: remove the other row.',
    400,
    'chosen',
  ),
  payment_instruction_not_found: row(
    'the payment vendor has no such instruction',
    'Check `reference` with the vendor.',
    400,
    'documented',
  ),
  payment_vendor_unreachable: row(
    'the payment vendor cannot be reached, and this will not pass by itself',
    'Do not send the same request again (interface.md 4.5): ask the operator.',
    400,
    'documented',
  ),
  payment_vendor_failed: {
    ...row(
      'the payment vendor could not be reached just now',
      'Send the same request again.',
      500,
      'documented',
    ),
    retry: 'wait',
  },
  transaction_import_error: row(
    'the platform refused this transaction',
    'Read the reason, correct the row, then push the corrected file; resume the run when the cause was on the platform.',
    400,
    'documented',
  ),
} as const satisfies Record<string, ErrorCodeEntry>;

function row(
  sentence: string,
  next: string,
  status = 400,
  authority: Authority = 'observed',
): ErrorCodeEntry {
  return { authority, status, retry: 'never', exit: 'REFUSED', sentence, next };
}

function betweenFields(sentence: string, next = FIX_ROW, authority: Authority = 'observed'): ErrorCodeEntry {
  return { ...row(sentence, next, 400, authority), wholeObject: true };
}
