import { describe, expect, test } from 'vitest';
import { decimalOf, differencesOf, namesAnotherAccount } from '../../../../src/cli/push/answer/echo.ts';
import type { Resource } from '../../../../src/core/contract/resources.ts';
import { Decimal } from '../../../../src/core/values/decimal.ts';

test.each([
  ['the same second in another notation', '2024-03-05T19:48:16+01:00', []],
  ['the second without its fraction', '2024-03-05T18:48:16.000Z', []],
  ['a time without a zone, which proves nothing', '2024-03-05T18:48:16', []],
  ['another second', '2024-03-05T18:48:17Z', ['created_at']],
])('an answer that repeats the time of a note as %s', (_, answered, fields) => {
  const sent = { body: 'x', created_at: '2024-03-05T18:48:16Z' };
  const found = differencesOf('notes', { sent, answered: { body: 'x', created_at: answered } });
  expect(found.map(({ field }) => field)).toEqual(fields);
});

type Fields = Readonly<Record<string, unknown>>;
const money = (text: string): Decimal => Decimal.of(text);

describe('a field that an answer repeats', () => {
  test.each<readonly [string, Resource, Fields, Fields]>([
    ['an amount with other zeros', 'transactions', { amount: money('12') }, { amount: money('12.00') }],
    ['an amount as text', 'transactions', { amount: money('12') }, { amount: '12.0' }],
    ['an amount of zero that was not sent', 'statements', {}, { gross_amount: money('0') }],
    ['an amount that it leaves out', 'transactions', { amount: money('12') }, {}],
    ['an amount that is null', 'transactions', { amount: money('12') }, { amount: null }],
    ['a text that was not sent', 'transactions', {}, { reference: 'R-1' }],
    [
      'a day with a time',
      'statements',
      { bill_period_to_date: '2025-01-31' },
      { bill_period_to_date: '2025-01-31T00:00:00Z' },
    ],
    ['a day that was not sent', 'statements', {}, { issued_date: '2025-01-31' }],
    ['a pin that is not set', 'notes', {}, { is_pinned: false }],
    ['a time that was not sent', 'notes', {}, { created_at: '2025-01-31T00:00:00Z' }],
    ['a field that it may change', 'transactions', { note: 'x' }, { note: 'y' }],
  ])('as %s agrees', (_, resource, sent, answered) => {
    expect(differencesOf(resource, { sent, answered })).toEqual([]);
  });

  test.each<readonly [string, Resource, Fields, Fields, string, string]>([
    ['amount', 'transactions', { amount: money('12.00') }, { amount: money('12.01') }, '12.00', '12.01'],
    ['amount', 'transactions', { amount: money('12') }, { amount: 'much' }, '12', 'much'],
    ['amount', 'transactions', { amount: money('12') }, { amount: true }, '12', 'true'],
    ['amount', 'transactions', { amount: 'much' }, { amount: money('12') }, 'much', '12'],
    ['gross_amount', 'statements', {}, { gross_amount: money('1') }, '', '1'],
    ['reference', 'transactions', { reference: 'R-1' }, { reference: 'r-1' }, 'R-1', 'r-1'],
    ['reference', 'transactions', { reference: '1' }, { reference: money('1') }, '1', '1'],
    [
      'issued_date',
      'statements',
      { issued_date: '2025-01-31' },
      { issued_date: '2025-02-01' },
      '2025-01-31',
      '2025-02-01',
    ],
    [
      'issued_date',
      'statements',
      { issued_date: '2025-01-31' },
      { issued_date: ['2025-01-31'] },
      '2025-01-31',
      '["2025-01-31"]',
    ],
    ['is_pinned', 'notes', {}, { is_pinned: true }, '', 'true'],
    ['is_pinned', 'notes', { is_pinned: true }, { is_pinned: false }, 'true', 'false'],
  ])('as another %s of %s is a difference', (field, resource, sent, answered, mine, theirs) => {
    expect(differencesOf(resource, { sent, answered })).toEqual([{ field, sent: mine, answered: theirs }]);
  });

  test('is not compared with a note that existed, however that is pinned', () => {
    const both = { sent: { body: 'x', is_pinned: true }, answered: { body: 'y', is_pinned: false } };
    const fields = (isExisting?: boolean) =>
      differencesOf('notes', isExisting === undefined ? both : { ...both, isExisting }).map(
        ({ field }) => field,
      );
    expect([fields(), fields(false), fields(true)]).toEqual([
      ['body', 'is_pinned'],
      ['body', 'is_pinned'],
      ['body'],
    ]);
    // Of other resources every field is compared.
    const sums = { sent: { amount: money('1') }, answered: { amount: money('2') }, isExisting: true };
    expect(differencesOf('transactions', sums)).toHaveLength(1);
  });
});

test('an amount is a number or a text', () => {
  expect([money('1'), '1.50', 'x', 5, undefined].map((value) => decimalOf(value)?.text)).toEqual([
    '1',
    '1.50',
    undefined,
    undefined,
    undefined,
  ]);
});

test('an answer names another account by either of its two parts', () => {
  const account = { import_supplier: 'ACME', external_account_number: '1001' };
  const names = (part: Fields): boolean => namesAnotherAccount(account, part);
  expect([{}, account, { import_supplier: null }, { external_account_number: '1001' }].map(names)).toEqual([
    false,
    false,
    false,
    false,
  ]);
  expect([{ import_supplier: 'OTHER' }, { ...account, external_account_number: '1002' }].map(names)).toEqual([
    true,
    true,
  ]);
  expect(names({ external_account_number: 1001 })).toBe(false);
});
