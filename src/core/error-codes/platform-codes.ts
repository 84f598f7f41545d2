import { platformCode, type ErrorCodeEntry } from './entry.ts';

const CHOSEN = { authority: 'chosen' } as const;
const DOCUMENTED = { authority: 'documented' } as const;
const WHOLE_OBJECT = { wholeObject: true } as const;
const BY_RECORD = { decidedBy: 'record' } as const;
const BY_PLATFORM = { decidedBy: 'platform' } as const;
const BY_SOME = { decidedBy: 'some platforms' } as const;

const LEAVE_OUT = 'Leave an optional field out instead of giving null.';
const ONE_ITEM = 'Give at least one item, or leave an optional list out.';
const UNKNOWN_FIELD = 'Remove it; only documented fields may be sent (interface.md 2.1).';
const FIX_CELL = 'Correct the cell in the source file.';
const FIX_FIELD = 'Correct `{field|the field}` in the request.';

/** One value is wrong. Codes by kind of field: deployments.md, "Framework behaviour". */
export const FIELD_CODES = {
  required: field(
    'is required but has no value',
    'Fill the cell, or add the column when the file has none. A `when` of the field in the mapping may have left it out.',
    'Add `{field|the field}` to the request.',
  ),
  null: field(
    'must not be null',
    LEAVE_OUT,
    'Give `{field|the field}` a value, or leave it out when it is optional.',
  ),
  invalid: field('is not {expected}', `{remedy|${FIX_CELL}}`),
  blank: field('must not be blank'),
  max_length: field(
    'is longer than {limit}',
    'Shorten the value.',
    'Shorten the value; of a list send fewer items in a request.',
  ),
  min_length: field('is shorter than {limit}'),
  null_characters_not_allowed: field(
    'contains a null character',
    'Remove the NUL byte; it often marks a damaged export.',
  ),
  max_value: field('is greater than {limit}'),
  min_value: field(
    'is less than {limit}',
    'Correct the cell. Where only some rows write the other sign, turn it in these with `negate: true` and a `when`.',
  ),
  max_digits: field('has more than {limit} digits in all'),
  max_decimal_places: field(
    'has more than {limit} digits after the decimal point',
    '{todo|Nothing is rounded: give the exact amount.}',
    'Nothing is rounded: send the exact amount, with at most {limit|the allowed} digits after the decimal point.',
  ),
  max_whole_digits: field('has more than {limit} digits before the decimal point'),
  invalid_choice: field(
    'is not one of the {list|allowed values}',
    'Use one of: {known}.',
    'Use one of: {known|the values of the interface}.',
  ),
  not_a_list: field(
    'is not a list',
    'Give a JSON array, or numbered columns such as `line_items.0.net_amount`.',
    'Send a JSON array, also for one record.',
  ),
  empty: field('is an empty list', ONE_ITEM, ONE_ITEM),
  unexpected_field: {
    ...field('is not a field of {of|the interface}', UNKNOWN_FIELD, UNKNOWN_FIELD),
    ...CHOSEN,
  },
} as const satisfies Record<string, ErrorCodeEntry>;

function field(sentence: string, next = FIX_CELL, inRequest = FIX_FIELD): ErrorCodeEntry {
  return platformCode(sentence, next, { exit: 'INPUT_INVALID', inRequest });
}

/** A rule that one row breaks. */
function rowCode(sentence: string, changes: Partial<ErrorCodeEntry> = {}): ErrorCodeEntry {
  return platformCode(sentence, FIX_ROW, { ...BY_RECORD, inRequest: FIX_FIELD, ...changes });
}

const FIND_ACCOUNT = 'Look for the account in the list of `dataimport accounts --supplier {supplier|CODE}`';
const ELSE_WRONG = 'if it is not there, the supplier code or the account number is wrong.';
const LISTED_ACCOUNTS =
  'The supplier has no account with this number: `GET …/all-account-import-processes/{supplier|CODE}/` lists its accounts.';
const PATH_BELOW_ROOT =
  'Give the path below the root, such as `letters/1.pdf`: the platform puts the root before it (interface.md 2.2).';
const DOCUMENT_BELOW_ROOT = `${PATH_BELOW_ROOT} A mapping can remove a prefix.`;
const FIX_ROW = 'Correct the row in the source file and push it again.';

/**
 * A rule between values is broken, or a record does not fit the records of the platform. Named by deployments.md, "Rules
 * named by deployments".
 */
export const RULE_CODES = {
  account_not_found: platformCode(
    'no imported account has this supplier code and account number',
    `${FIND_ACCOUNT}: once it is imported, not only staged, run the command again; ${ELSE_WRONG}`,
    { ...BY_PLATFORM, status: 404, inRequest: LISTED_ACCOUNTS },
  ),
  import_process_does_not_exist: platformCode(
    'no import process exists for this account: it was never staged',
    `${FIND_ACCOUNT}; ${ELSE_WRONG}`,
    { ...BY_SOME, inRequest: LISTED_ACCOUNTS },
  ),
  import_supplier_migration_not_ongoing: platformCode(
    'the import supplier is paused or complete, so every request of it is refused',
    'Ask the operator to set the supplier to Ongoing, then run the command again.',
    BY_PLATFORM,
    'Ask the operator to set the supplier to Ongoing, then send the request again.',
  ),
  note_body_or_document_path_not_found: platformCode(
    'a note needs a body or document paths',
    'Fill `body` or `document_paths`.',
    { ...BY_RECORD, ...DOCUMENTED, ...WHOLE_OBJECT },
  ),
  notes_differ: platformCode(
    'the note has the body and the time of another one and differs in the rest; the platform would keep the first only',
    'Make one note of them, or give one of them another time.',
    CHOSEN,
  ),
  note_unpin_at_earlier_than_creation_date: rowCode('unpin_at lies before created_at', WHOLE_OBJECT),
  document_path_not_relative: platformCode(
    'is not a path below the root of the supplier, because it begins with a scheme, a drive or a slash',
    DOCUMENT_BELOW_ROOT,
    { ...BY_RECORD, ...CHOSEN, inRequest: PATH_BELOW_ROOT },
  ),
  document_path_leaves_root: platformCode(
    'leads out of the root of the supplier with `..`',
    DOCUMENT_BELOW_ROOT,
    { ...BY_RECORD, ...CHOSEN, inRequest: PATH_BELOW_ROOT },
  ),
  path_does_not_exist_in_file_store: platformCode(
    'the document is not in the file store',
    'Upload the document below the root of the supplier, then run the command again.',
    BY_PLATFORM,
    'Upload the document below the root of the supplier, then send the request again.',
  ),
  missing_transaction_id: rowCode('a transaction of the request has no transaction_id'),
  duplicate_transaction_ids: platformCode(
    'the transaction_id occurs more than once for the account',
    'Where the rows are lines of one booking, `continuation` in a mapping makes one record of them. Where each row is a booking of its own, give it an id of its own with `row_number()` in a query; where rows only repeat each other, GROUP BY makes one of them (docs/mapping-recipes.md). Else remove the row that is wrong.',
    { ...BY_RECORD, inRequest: 'Send each transaction of an account once, or give each an id of its own.' },
  ),
  transaction_in_future: platformCode(
    'lies after today, {today}, in the zone of the platform',
    `${FIX_ROW} If today is another day, set the clock of this machine.`,
    { ...BY_RECORD, inRequest: FIX_FIELD },
  ),
  transaction_outside_open_statement: platformCode(
    'lies outside the open statement period {from} to {to}',
    'Push with --force-add-to-current-statement to let the platform move it into the period, or correct the date.',
    { ...BY_PLATFORM, ...DOCUMENTED },
    'Send `force_add_to_current_statement=true` in the query to let the platform move it into the period, or correct the date.',
  ),
  historical_statement_already_exists: platformCode(
    'a statement with this statement_id is already on the account; the whole request was refused',
    'The platform has it already, and nothing proves that it is equal. Add `--on-existing accept` to count such records as there, or compare them with their accounts and confirm them with `dataimport runs confirm`.',
    BY_PLATFORM,
    'The platform has the statement, perhaps from a request whose answer was lost: leave it out.',
  ),
  duplicate_statement_ids: platformCode(
    'the statement_id occurs more than once for the account',
    'Remove one of the rows; a query with GROUP BY (docs/mapping-recipes.md) makes one of rows that only repeat each other.',
    { ...BY_RECORD, ...CHOSEN, inRequest: 'Send each statement of an account once.' },
  ),
  bill_period_from_later_than_to: rowCode('bill_period_from_date lies after bill_period_to_date', {
    ...CHOSEN,
    ...WHOLE_OBJECT,
  }),
  start_date_later_than_end_date: rowCode('start_date lies after end_date', WHOLE_OBJECT),
  line_item_units_must_be_two_values: rowCode('units must be exactly two readings'),
  incorrect_line_item_net_amount: rowCode(
    'net_amount is not price_per_unit times number_of_units, rounded to its own decimals{factor|}',
    { ...WHOLE_OBJECT, next: `{remedy|${FIX_ROW}}` },
  ),
  ledger_transaction_amount_does_not_match_with_line_item_net_amount_and_tax_amount: rowCode(
    'amount is not the sum of the net amounts of the line items and the amounts of the tax items{factor|}',
    {
      ...WHOLE_OBJECT,
      next: `{remedy|Bring the rows of a record together where others are between them. Else: ${FIX_ROW}}`,
    },
  ),
  line_items_overlap_already_charged_period: rowCode('the period of a line item was charged already', {
    ...BY_SOME,
    ...WHOLE_OBJECT,
  }),
  product_code_does_not_exist: platformCode(
    'the platform has no product with this code',
    'Ask the operator for the product codes.',
    BY_PLATFORM,
  ),
  conflicting_rate_band_specification: rowCode('not exactly one way to name the rate is used', WHOLE_OBJECT),
  mutually_exclusive_field_required: rowCode('exactly one of several fields has to be given', WHOLE_OBJECT),
  supply_point_identifier_required_for_rate_specification_code: platformCode(
    'a line item with a rate_specification_code needs a supply_point_identifier',
    'Ask the operator how the supply point is sent, and add the field, or name the rate by `rate_band`.',
  ),
  invalid_charge_target_type: platformCode(
    'the charge target type in the params of a line item is not valid',
    'Ask the operator for the types of charge targets.',
  ),
  ledger_code_does_not_exist: platformCode(
    'the platform has no ledger with this code',
    'Ask the operator for the ledger codes.',
  ),
  missing_statement_path_or_pdf_context: platformCode(
    'the statement names no document',
    'Fill `statement_path`: an operator with this rule requires a document for each statement.',
  ),
  received_statement_path_and_pdf_context: platformCode(
    'the statement names its document in two ways',
    'Give `statement_path` alone.',
  ),
  from_time_not_after_to_time: rowCode('the two ends of a period are in the wrong order'),
  payment_instruction_already_active: platformCode(
    'the account has an active payment instruction',
    'The platform takes no second one. Add `--on-existing accept` to count such records as there, or compare them with their accounts and confirm them with `dataimport runs confirm`.',
    { ...BY_PLATFORM, ...CHOSEN },
    'The platform takes no second one, and the first may be from a request whose answer was lost: send none.',
  ),
  duplicate_payment_instructions: platformCode(
    'the account has another payment instruction in this file',
    'An account takes one instruction: remove the other row.',
    { ...CHOSEN, inRequest: 'Send one instruction for an account.' },
  ),
  payment_instruction_not_found: platformCode(
    'the payment vendor has no such instruction',
    'Check `reference` with the vendor.',
    { ...BY_PLATFORM, ...DOCUMENTED },
  ),
  payment_vendor_unreachable: platformCode(
    'the payment vendor cannot be reached, and this will not pass by itself',
    'Do not send the same request again (interface.md 4.5): ask the operator.',
    { ...BY_PLATFORM, ...DOCUMENTED },
  ),
  payment_vendor_failed: platformCode(
    'the payment vendor could not be reached just now',
    'Send the same request again.',
    { ...BY_PLATFORM, ...DOCUMENTED, status: 500 },
  ),
  transaction_import_error: platformCode(
    'the platform refused this transaction',
    'Read the reason. Correct the row in its file, or remove the cause on the platform, then run the command again.',
    { ...DOCUMENTED, inRequest: 'Read the reason, correct the transaction, and send it again.' },
  ),
} as const satisfies Record<string, ErrorCodeEntry>;

const CREDENTIALS =
  'Check that DATAIMPORT_API_KEY and the base URL belong together, or ask the operator for a key.';
const CHECK_URL =
  'Check the base URL. If `dataimport auth` succeeds with it, ask the operator whether this endpoint is switched on.';

/** A request or its answer is wrong as a whole. deployments.md, "Framework behaviour". */
export const HTTP_CODES = {
  validation_error: platformCode(
    'the request failed validation',
    'Correct the cells that the problems name, then push the corrected file with the check for earlier transactions on, as it is by default: some of the rows are there. `--rejects FILE` of a push writes the refused rows to a file of their own. Resume the run when the cause was on the platform.',
    { ...CHOSEN, inRequest: 'Correct the fields that the answer names, then send the request again.' },
  ),
  parse_error: platformCode(
    'the body is not readable JSON: {reason}',
    'Send one JSON document in UTF-8, without a byte order mark.',
  ),
  not_authenticated: platformCode('authentication credentials were not provided', CREDENTIALS, {
    status: 401,
    exit: 'AUTH',
    inRequest: 'Send `Authorization: Token <token>` with a token that the token mutation has issued.',
  }),
  authentication_failed: platformCode('the token or the API key is unknown or has expired', CREDENTIALS, {
    status: 401,
    exit: 'AUTH',
    inRequest: 'Ask for a new token: it ends after its time and with a restart.',
  }),
  permission_denied: platformCode(
    'the key may not touch this import supplier',
    'Ask the operator for a key of this supplier.',
    { ...BY_PLATFORM, status: 403, inRequest: 'Use a key of this supplier.' },
  ),
  not_found: platformCode('{what|not found}', `{todo|${CHECK_URL}}`, {
    status: 404,
    inRequest: 'Compare the path with /_local/openapi.json.',
  }),
  import_supplier_not_found: platformCode('no import supplier has this code', 'Check --supplier.', {
    ...BY_PLATFORM,
    ...CHOSEN,
    status: 404,
    inRequest: 'Check the code of the supplier: it is in the path.',
  }),
  method_not_allowed: platformCode('the method is not allowed here', CHECK_URL, {
    status: 405,
    inRequest: 'Use a method that the header `Allow` names.',
  }),
  unsupported_media_type: platformCode(
    'the body is not application/json, has another charset than UTF-8, or is compressed',
    'A client of your own has to send `content-type: application/json`, in UTF-8 and not compressed. `dataimport` does so: check its base URL with `dataimport auth`.',
    { status: 415, inRequest: 'Send `content-type: application/json`, in UTF-8 and not compressed.' },
  ),
  payload_too_large: platformCode(
    '{what|the request is larger than {limit} bytes}',
    '{todo|Lower --batch-size.}',
    { ...CHOSEN, status: 413 },
    'Send fewer records in a request; shorten a record that is too large alone.',
  ),
  throttled: platformCode('too many requests', 'Wait; the client does so by itself.', {
    status: 429,
    exit: 'UNFINISHED',
    inRequest: 'Wait as long as `Retry-After` says, then send the same request again.',
  }),
  error: platformCode('the platform failed unexpectedly', 'Wait, then run the command again.', {
    status: 500,
    exit: 'UNFINISHED',
    inRequest: 'Wait, then send the same request again.',
  }),
} as const satisfies Record<string, ErrorCodeEntry>;
