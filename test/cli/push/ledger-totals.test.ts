import { describe, expect, test } from 'vitest';
import { differences } from '../../../src/cli/push/ledger-totals.ts';
import type { LedgerRecord } from '../../../src/cli/push/ports/platform.ts';
import type { ControlTotal } from '../../../src/cli/push/ports/report.ts';

const transaction = (type: string, amount: string): LedgerRecord => ({
  kind: 'transaction',
  data: { transaction_id: 'x', type, amount },
});

const total = (type: string | null, count: number, read: string | null): ControlTotal => ({
  type,
  currency: null,
  count,
  read,
  accepted: read,
});

describe('a run and the ledger of the platform', () => {
  const records = [
    transaction('CHARGE', '0.10'),
    transaction('CHARGE', '0.20'),
    transaction('PAYMENT', '5.00'),
  ];

  test('are reported where they differ', () => {
    const controlTotals = [
      total('CHARGE', 3, '0.30'),
      total('PAYMENT', 1, '5.01'),
      total('CREDIT', 1, '1.00'),
    ];
    expect(differences({ resource: 'transactions', controlTotals }, records)).toEqual([
      'transactions CHARGE: 3 read, 2 stored',
      'transactions PAYMENT: 5.01 read, 5.00 stored',
      'transactions CREDIT: 1 read, 0 stored',
      'transactions CREDIT: 1.00 read, 0 stored',
    ]);
  });

  test('are compared by type', () => {
    const ledger: readonly LedgerRecord[] = [
      { kind: 'note', data: { body: 'x' } },
      { kind: 'statement', data: { statement_id: 'S', gross_amount: '1010' } },
      { kind: 'payment_instruction', data: { reference: 'r', type: 'CARD' } },
    ];
    const compared = (resource: 'notes' | 'statements' | 'payment-instructions', control: ControlTotal) =>
      differences({ resource, controlTotals: [control] }, ledger);
    expect(compared('notes', total(null, 1, null))).toEqual([]);
    expect(compared('statements', total(null, 1, '1010'))).toEqual([]);
    expect(compared('payment-instructions', total('CARD', 1, null))).toEqual([]);
    expect(compared('notes', total(null, 2, null))).toEqual(['notes: 2 read, 1 stored']);
    expect(compared('statements', total(null, 1, '1011'))).toEqual(['statements: 1011 read, 1010 stored']);
  });
});
