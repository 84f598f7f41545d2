import { expect, test } from 'vitest';
import { ledgerLines } from '../../../src/cli/replay/ledger.ts';
import type { LedgerRecord } from '../../../src/cli/push/ports/platform.ts';

function charge(id: string, more: Readonly<Record<string, unknown>> = {}): LedgerRecord {
  return { kind: 'transaction', data: { transaction_id: id, type: 'CHARGE', amount: '1.00', ...more } };
}

/** The digest of the charges among records. */
const contentOf = (records: readonly object[]): unknown =>
  ledgerLines(records as LedgerRecord[]).find(({ type }) => type === 'CHARGE')?.content;

const plain = contentOf([charge('a'), charge('b')]);

test.each<[string, readonly object[]]>([
  ['the order in which records were stored', [charge('b'), charge('a')]],
  [
    'their numbers in that order',
    [
      { seq: 7, ...charge('a') },
      { seq: 3, ...charge('b') },
    ],
  ],
  [
    'the order of fields',
    [charge('a'), { data: { type: 'CHARGE', amount: '1.00', transaction_id: 'b' }, kind: 'transaction' }],
  ],
  [
    'records of another type',
    [charge('a'), charge('b'), { kind: 'transaction', data: { transaction_id: 'c', type: 'CREDIT' } }],
  ],
])('a digest does not depend on %s', (_what, records) => {
  expect(contentOf(records)).toBe(plain);
});

test.each<[string, readonly object[]]>([
  ['a record is missing', [charge('a')]],
  ['a record stands there twice', [charge('a'), charge('b'), charge('b')]],
  ['a date is another', [charge('a'), charge('b', { transaction_date: '2026-01-01' })]],
  ['a record is on another account', [charge('a'), { external_account_number: '1', ...charge('b') }]],
  ['something deep inside is another', [charge('a'), charge('b', { line_items: [{ units: ['1', '2'] }] })]],
  ['the order of a list is another', [charge('a', { units: ['2', '1'] }), charge('b')]],
])('a digest is another one when %s', (_what, records) => {
  expect(contentOf(records)).not.toBe(plain);
});

test.each<[string, Readonly<Record<string, unknown>>, Readonly<Record<string, unknown>>]>([
  ['an item of a list', { units: ['1', '2'] }, { units: ['1', '3'] }],
  ['the order of a list', { units: ['1', '2'] }, { units: ['2', '1'] }],
  ['a field of an item', { line_items: [{ net_amount: '1.00' }] }, { line_items: [{ net_amount: '1.01' }] }],
])('a digest is another one when only %s is another', (_what, one, other) => {
  expect(contentOf([charge('a', one)])).not.toBe(contentOf([charge('a', other)]));
});
