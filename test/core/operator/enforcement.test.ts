import { describe, expect, test } from 'vitest';
import type { OperatorContract } from '../../../src/core/operator/contract.ts';
import {
  enforcementOf,
  enforcementPhrase,
  isCheckable,
  isTurnedOnByContract,
  type Enforcement,
} from '../../../src/core/operator/enforcement.ts';

/** A contract whose statements have both ways to name a document. */
const CONTRACT = {
  resources: { statements: { from: '', fields: { pdf_context: { from: '', adds: 'object' } } } },
} as Partial<OperatorContract> as OperatorContract;

const rule = (code: string, off?: true) => ({ code, title: '', from: '', ...(off && { off }) });

describe.each<[string, readonly string[], Enforcement, boolean, boolean]>([
  [
    'of every operator about records',
    [
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
      'required',
      'max_length',
    ],
    'check_and_serve',
    true,
    false,
  ],
  [
    'about the data of a platform',
    [
      'account_not_found',
      'import_supplier_not_found',
      'import_supplier_migration_not_ongoing',
      'permission_denied',
      'path_does_not_exist_in_file_store',
      'product_code_does_not_exist',
      'transaction_outside_open_statement',
      'historical_statement_already_exists',
      'payment_instruction_already_active',
      'payment_instruction_not_found',
      'payment_vendor_unreachable',
      'payment_vendor_failed',
    ],
    'serve',
    false,
    false,
  ],
  [
    'about the data of a platform, of some operators',
    ['import_process_does_not_exist', 'line_items_overlap_already_charged_period'],
    'serve',
    false,
    true,
  ],
  [
    'of some operators, about a field that this one has',
    ['missing_statement_path_or_pdf_context', 'received_statement_path_and_pdf_context'],
    'check_and_serve',
    true,
    true,
  ],
  [
    'of some operators, about a field that this one has not',
    ['invalid_charge_target_type'],
    'nowhere',
    true,
    true,
  ],
  ['that nobody knows', ['rate_code_retired'], 'nowhere', false, false],
])('a rule %s', (_, codes, enforcement, checkable, turnedOn) => {
  test.each(codes)('%s', (code) => {
    expect(enforcementOf(rule(code), CONTRACT)).toBe(enforcement);
    expect(isCheckable(code)).toBe(checkable);
    expect(isTurnedOnByContract(code)).toBe(turnedOn);
    // What holds for every operator cannot be turned off.
    expect(enforcementOf(rule(code, true), CONTRACT)).toBe(turnedOn ? 'nowhere' : enforcement);
  });
});

test('a rule about the records of one file is checked', () => {
  expect(['notes_differ', 'duplicate_payment_instructions'].map(isCheckable)).toEqual([true, true]);
});

test.each([
  ['transaction_in_future', undefined, 'enforced by check and serve'],
  ['account_not_found', undefined, 'enforced by serve alone, because it depends on the data of the platform'],
  ['rate_code_retired', undefined, 'NOT ENFORCED by check and serve: only the platform finds it'],
  [
    'missing_statement_path_or_pdf_context',
    true,
    'NOT ENFORCED by check and serve, because the contract turns it off',
  ],
] as const)('%s, turned off: %s, is %s', (code, off, phrase) => {
  expect(enforcementPhrase(rule(code, off), CONTRACT)).toBe(phrase);
});
