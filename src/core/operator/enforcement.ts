import { DESCRIPTORS, RESOURCES } from '../contract/resources.ts';
import { FIELD_CODES } from '../error-codes/platform-codes.ts';
import type { ErrorCode } from '../error-codes/table.ts';
import type { CodeRule } from './contract.ts';
import { isSwitchable } from './rules-by-code.ts';

/** Where a rule that the document of an operator names by its code is enforced. */
export const ENFORCEMENTS = ['check_and_serve', 'serve', 'nowhere'] as const;
export type Enforcement = (typeof ENFORCEMENTS)[number];

/** Rules that `check` and `serve` apply to every record, with or without a contract. */
const ALWAYS: ReadonlySet<string> = new Set<ErrorCode>([
  'note_body_or_document_path_not_found',
  'note_unpin_at_earlier_than_creation_date',
  'document_path_not_relative',
  'document_path_leaves_root',
  'missing_transaction_id',
  'duplicate_transaction_ids',
  'transaction_in_future',
  'start_date_later_than_end_date',
  'line_item_units_must_be_two_values',
  'incorrect_line_item_net_amount',
  'ledger_transaction_amount_does_not_match_with_line_item_net_amount_and_tax_amount',
  'duplicate_statement_ids',
  'bill_period_from_later_than_to',
]);

/** Rules that depend on the data of a platform, so that `serve` alone can apply them. */
const WITH_STATE: ReadonlySet<string> = new Set<ErrorCode>([
  'account_not_found',
  'import_process_does_not_exist',
  'import_supplier_not_found',
  'import_supplier_migration_not_ongoing',
  'permission_denied',
  'path_does_not_exist_in_file_store',
  'product_code_does_not_exist',
  'line_items_overlap_already_charged_period',
  'transaction_outside_open_statement',
  'historical_statement_already_exists',
  'payment_instruction_already_active',
  'payment_instruction_not_found',
  'payment_vendor_unreachable',
  'payment_vendor_failed',
]);

/** Rules of `serve` that hold for some operators only. */
const TURNED_ON_WITH_STATE: ReadonlySet<string> = new Set<ErrorCode>([
  'import_process_does_not_exist',
  'line_items_overlap_already_charged_period',
]);

/** Whether a contract turns a rule on, so that it can turn it off, too. Other rules hold for every operator. */
export function isTurnedOnByContract(code: string): boolean {
  return isSwitchable(code) || TURNED_ON_WITH_STATE.has(code);
}

/** Whether `check` has the rule of a code, for every operator or where a contract turns it on. */
export function isCheckable(code: string): boolean {
  const isOfFile = RESOURCES.some((resource) => DESCRIPTORS[resource].repetition.code === code);
  return isOfFile || ALWAYS.has(code) || Object.hasOwn(FIELD_CODES, code) || isSwitchable(code);
}

/** Where a rule of a contract is enforced. */
export function enforcementOf({ code, off }: CodeRule): Enforcement {
  if (off && isTurnedOnByContract(code)) return 'nowhere';
  if (ALWAYS.has(code) || Object.hasOwn(FIELD_CODES, code)) return 'check_and_serve';
  if (WITH_STATE.has(code)) return 'serve';
  return isSwitchable(code) ? 'check_and_serve' : 'nowhere';
}

/** How the interface narrows a rule, which no contract loosens. */
const NARROWED: Readonly<Record<string, string>> = {
  mutually_exclusive_field_required:
    ', and the interface requires reference: an instruction with instruction_reference alone cannot be sent',
} satisfies Partial<Record<ErrorCode, string>>;

/** Where a rule is enforced, as every page and report says it. */
export function enforcementPhrase(rule: CodeRule): string {
  const enforcement = enforcementOf(rule);
  if (enforcement === 'check_and_serve') return `enforced by check and serve${NARROWED[rule.code] ?? ''}`;
  if (enforcement === 'serve')
    return 'enforced by serve alone, because it depends on the data of the platform';
  return rule.off
    ? 'NOT ENFORCED by check and serve, because the contract turns it off'
    : 'NOT ENFORCED by check and serve: only the platform finds it';
}
