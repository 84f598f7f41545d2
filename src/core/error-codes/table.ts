import { retryOfStatus, type Retry } from '../contract/retry.ts';
import { COHORT_CODES } from './cohort-codes.ts';
import { COMMAND_CODES } from './command-codes.ts';
import { CONTRACT_CODES } from './contract-codes.ts';
import type { ErrorCodeEntry } from './entry.ts';
import { INPUT_CODES, PLAUSIBILITY_CODES } from './input-codes.ts';
import { ADMIN_CODES, SERVE_CODES } from './local-platform-codes.ts';
import { MAPPING_CODES } from './mapping-codes.ts';
import { FIELD_CODES, HTTP_CODES, RULE_CODES } from './platform-codes.ts';
import { RUN_CODES } from './run-codes.ts';

/** THE table of codes: the server's status, the exit of the program and every text come from it. */
export const ERROR_CODES = {
  ...FIELD_CODES,
  ...RULE_CODES,
  ...HTTP_CODES,
  ...INPUT_CODES,
  ...PLAUSIBILITY_CODES,
  ...MAPPING_CODES,
  ...COMMAND_CODES,
  ...CONTRACT_CODES,
  ...RUN_CODES,
  ...COHORT_CODES,
  ...SERVE_CODES,
  ...ADMIN_CODES,
} as const;

/** The areas of the codes, in the order in which `explain` lists them. Each code belongs to the one table that has it. */
const AREAS: readonly (readonly [title: string, codes: Readonly<Record<string, ErrorCodeEntry>>])[] = [
  ['values of fields', FIELD_CODES],
  ['rules of the platform', RULE_CODES],
  ['requests and answers', HTTP_CODES],
  ['files and rows', INPUT_CODES],
  ['values that look wrong', PLAUSIBILITY_CODES],
  ['mapping files', MAPPING_CODES],
  ['command lines, settings, credentials, connection', COMMAND_CODES],
  ['the contract of the operator', CONTRACT_CODES],
  ['runs', RUN_CODES],
  ['cohorts', COHORT_CODES],
  ['the local platform: serve', SERVE_CODES],
  ['the local platform: admin', ADMIN_CODES],
];

export function areaOf(code: ErrorCode): string {
  return AREAS.find(([, codes]) => Object.hasOwn(codes, code))![0];
}

/** A stable, machine-readable name of what is wrong. */
export type ErrorCode = keyof typeof ERROR_CODES;

export function entryOf(code: ErrorCode): ErrorCodeEntry {
  return ERROR_CODES[code];
}

/** Whether the client sends again, or a person may, what ended with a code. Codes with a status follow `retryOfStatus`. */
export function retryOf(code: ErrorCode): Retry {
  const { status, isTemporary } = entryOf(code);
  if (status !== null) return retryOfStatus(status);
  return isTemporary ? 'wait' : 'never';
}

/** Codes that are only ever reported as warnings. None of them ends a command, so the exit of its row never happens. */
const WARNINGS: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'account_in_first_row_only',
  'amount_decimals_differ',
  'amounts_all_negative',
  'answer_of_another_request',
  'clock_behind',
  'column_unused',
  'condition_always_holds',
  'condition_never_holds',
  'condition_value_unclear',
  'currencies_mixed',
  'date_kinds_mixed',
  'date_order_doubtful',
  'date_orders_differ',
  'dates_far_apart',
  'dates_far_from_others',
  'dates_stand_for_none',
  'documents_unused',
  'exact_duplicate_skipped',
  'field_deprecated',
  'field_not_shown_for_type',
  'file_has_no_rows',
  'gross_amounts_look_like_major_units',
  'identical_notes',
  'identifier_on_several_accounts',
  'identifier_shape_differs',
  'identifiers_may_collide',
  'issued_before_bill_period',
  'leading_zeros',
  'leading_zeros_differ',
  'leading_zeros_lost',
  'leading_zeros_partly_lost',
  'listed_texts_alike',
  'listed_value_missing',
  'lookup_orphans',
  'mapping_alternatives_differ',
  'minor_digits_of_currency',
  'minor_digits_unused',
  'negative_zero',
  'newlines_mixed',
  'record_kinds_mixed',
  'record_over_batch_bytes',
  'record_vanished',
  'run_disk_small',
  'run_folder_shared',
  'shared_lookup_values',
  'skipped_place_filled',
  'split_seconds',
  'statement_path_not_pdf',
  'statement_path_shared',
  'text_damaged',
  'text_decoded_wrongly',
  'text_has_byte_order_mark',
  'text_is_no_value',
  'transaction_date_moved',
  'undocumented_value',
  'unused_cells_empty',
  'value_nearly_listed',
  'values_partly_missing',
  'zero_amount',
]);

/** Whether a code is only ever a warning. */
export function isWarning(code: ErrorCode): boolean {
  return WARNINGS.has(code);
}

/** Whether a text, for example a code in an answer of the platform, is a code of the table. */
export function isErrorCode(text: string): text is ErrorCode {
  return Object.hasOwn(ERROR_CODES, text);
}
