import { describe, expect, test } from 'vitest';
import { implausibleDates, implausibleValues } from '../../../../src/cli/push/odd-values/plausible-record.ts';
import type { Resource } from '../../../../src/core/contract/resources.ts';

const BOUNDS = { earliest: '1970-01-01', today: '2026-11-21' };

const found = (resource: Resource, record: Readonly<Record<string, unknown>>, bounds = BOUNDS) =>
  implausibleDates(resource, record, bounds).map(({ code, path, facts }) =>
    `${path.join('.')} ${code} ${String(facts['what'] ?? '').replace('lies ', '')}`.trim(),
  );

test.each([
  ['transactions', { transaction_date: '1969-12-31' }, 'transaction_date date_implausible before 1970-01-01'],
  ['notes', { created_at: '0001-01-01T00:00:00Z' }, 'created_at date_implausible before 1970-01-01'],
  ['notes', { unpin_at: '1899-12-30T00:00:00Z' }, 'unpin_at date_implausible before 1970-01-01'],
  [
    'statements',
    { bill_period_to_date: '2027-11-22' },
    'bill_period_to_date date_implausible more than a year after today, 2026-11-21',
  ],
  [
    'statements',
    { issued_date: '2099-01-01' },
    'issued_date date_implausible more than a year after today, 2026-11-21',
  ],
  [
    'transactions',
    { line_items: [null, { start_date: '2026-01-01', end_date: '2226-01-31' }] },
    'line_items.1.end_date date_implausible more than a year after today, 2026-11-21',
  ],
  [
    'statements',
    { bill_period_from_date: '2025-01-01', issued_date: '2024-12-31' },
    'issued_date issued_before_bill_period',
  ],
  [
    'statements',
    { bill_period_from_date: '2015-01-01', bill_period_to_date: '2017-01-02' },
    'bill_period_to_date dates_far_apart',
  ],
  [
    'statements',
    { bill_period_from_date: '2015-01-01', bill_period_to_date: '2015-01-31', issued_date: '2025-02-02' },
    'issued_date dates_far_apart',
  ],
] as const)('%s with %j is implausible', (resource, record, problem) => {
  expect(found(resource, record)).toEqual([problem]);
});

test('the earliest plausible date is an option', () => {
  const record = { transaction_date: '1950-06-01' };
  expect(found('transactions', record, { ...BOUNDS, earliest: '1950-06-01' })).toEqual([]);
  expect(found('transactions', record, { ...BOUNDS, earliest: '2000-01-01' })).toEqual([
    'transaction_date date_implausible before 2000-01-01',
  ]);
});

describe('a record', () => {
  const values = (resource: Resource, record: object, account = '1001') =>
    implausibleValues(
      resource,
      { account: { import_supplier: 'ACME', external_account_number: account }, record },
      BOUNDS,
    ).map(({ code, path, severity }) => `${severity} ${path.join('.')} ${code}`);

  test.each([
    ['transactions', 'transaction_id'],
    ['statements', 'statement_id'],
  ] as const)(
    'of %s has an id of at most 255 characters, because its contract names no bound',
    (resource, id) => {
      const found = (text: string) =>
        implausibleValues(
          resource,
          { account: { import_supplier: 'ACME', external_account_number: '1' }, record: { [id]: text } },
          BOUNDS,
        );
      const tooLong = [
        { code: 'max_length', path: [id], severity: 'error', facts: { limit: '255 characters' } },
      ];
      expect(found('x'.repeat(255))).toEqual([]);
      expect(found('x'.repeat(256))).toEqual(tooLong);
      // Characters count, and not their halves.
      expect(found('𝒳'.repeat(255))).toEqual([]);
      expect(found('𝒳'.repeat(256))).toEqual(tooLong);
    },
  );

  test('has its reference bounded by its contract', () => {
    expect(values('payment-instructions', { reference: 'x'.repeat(256) })).toEqual([]);
  });
});
