import { describe, expect, test } from 'vitest';
import { judgeStored, recordForm } from '../../../src/cli/comparison/stored-record.ts';
import { DESCRIPTORS, type Resource } from '../../../src/core/contract/resources.ts';
import { drafts, withField } from '../../support/push-records.ts';

/** Another value for each field of a record. */
const OTHER: Readonly<Record<Resource, Readonly<Record<string, unknown>>>> = {
  notes: {
    body: 'Called about the metre',
    'document_paths.0.document_path': 'letters/2.pdf',
    created_at: '2024-03-05T18:48:17Z',
    is_pinned: false,
    unpin_at: '2024-04-05T18:48:17Z',
  },
  transactions: {
    transaction_id: 'T-2',
    transaction_date: '2026-01-06',
    amount: 53.25,
    display_note: 'Winter 2',
    product_code: 'FLAT-2',
    'line_items.0.start_date': '2025-12-02',
    'line_items.0.end_date': '2025-12-30',
    'line_items.0.number_of_units': 5,
    'line_items.0.net_amount': 45,
    'line_items.0.price_per_unit': 12,
    'line_items.0.units.1': 105,
    'tax_items.0.amount': 9.25,
    'tax_items.0.rate': 0.22,
  },
  statements: {
    bill_period_from_date: '2025-01-02',
    bill_period_to_date: '2025-03-30',
    statement_id: 'S-2',
    issued_date: '2025-04-05',
    number: 'INV-2',
    gross_amount: 38353,
    statement_path: 'statements/S-2.pdf',
  },
  'payment-instructions': { vendor: 'SEPA', reference: 'pi_2', type: 'DIRECT_DEBIT' },
};

const CASES = Object.entries(OTHER).flatMap(([resource, fields]) =>
  Object.entries(fields).map(([field, value]) => [resource as Resource, field, value] as const),
);

describe('a record of a ledger differs from its row', () => {
  test.each(CASES)('%s: by another %s', (resource, field, value) => {
    const descriptor = DESCRIPTORS[resource] as never;
    const draft = drafts[resource];
    const [ours, theirs] = [draft, withField(draft, field, value)].map((each) =>
      recordForm(descriptor, JSON.stringify(each))!,
    );
    expect(theirs!.content).not.toEqual(ours!.content);
    const { code, fields } = judgeStored(descriptor, ours!.fields, theirs!.fields, () => false);
    expect([code, fields]).toEqual(['record_differs', [field]]);
  });
});
