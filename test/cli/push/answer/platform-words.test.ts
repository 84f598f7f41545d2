import { describe, expect, test } from 'vitest';
import {
  isFreeOfValues,
  isKnownText,
  isPlainName,
  shownPath,
} from '../../../../src/cli/push/answer/platform-words.ts';
import type { Path } from '../../../../src/core/problem.ts';
import { batchWith } from '../../../support/push-batch.ts';
import { transactions } from '../../../support/push-records.ts';

const REQUIRED = 'This field is required.';

describe('a text of the platform', () => {
  test.each([
    REQUIRED,
    `transaction: ${REQUIRED}`,
    `amount: ${REQUIRED}`,
    `transactions.1: ${REQUIRED}`,
    `transactions.12.amount: ${REQUIRED}`,
    `transactions.1.line_items.0.net_amount: ${REQUIRED}`,
    `line_items.0.net_amount: ${REQUIRED}`,
    `${REQUIRED} (required)`,
    `amount: ${REQUIRED} (required); type: This field may not be null. (null)`,
    'Ensure this field has no more than 10 characters.',
    'Ensure that there are no more than 2 decimal places.',
    'Method "POST" not allowed.',
    'Unsupported media type "text/plain; charset=utf-8" in request.',
  ])('is known: %s', (words) => {
    expect(isKnownText('transactions', words)).toBe(true);
  });

  test.each([
    '',
    'This field is wrong.',
    `colour: ${REQUIRED}`,
    `transactions.1.colour: ${REQUIRED}`,
    `transactions.x.amount: ${REQUIRED}`,
    `statements.1.amount: ${REQUIRED}`,
    `x transactions.1.amount: ${REQUIRED}`,
    `${REQUIRED} (no_such_code)`,
    `${REQUIRED}; `,
    `${REQUIRED}; This field is wrong.`,
    `${REQUIRED} Erika Mustermann`,
    'Ensure this field has no more than many characters.',
    'Method "Erika" not allowed.',
    'This field is required!',
  ])('is not known: %s', (words) => {
    expect(isKnownText('transactions', words)).toBe(false);
  });

  test('has names of its own resource', () => {
    expect(isKnownText('payment-instructions', `vendor: ${REQUIRED}`)).toBe(true);
    expect(isKnownText('payment-instructions', `transactions.1.amount: ${REQUIRED}`)).toBe(false);
  });
});

describe('a limit in a known text', () => {
  const most = (limit: string): string => `Ensure this field has no more than ${limit} characters.`;
  const free = (words: string, changes: object, account = 'A-1') =>
    isFreeOfValues(
      'transactions',
      batchWith('transactions', [{ ...transactions.CHARGE, ...changes }], {
        account: { import_supplier: 'ACME', external_account_number: account },
      }),
      words,
    );

  test.each<readonly [string, string, object]>([
    ['nobody has sent', most('255'), {}],
    ['is too short to be a value', most('12'), { amount: 12 }],
    ['is a part of a longer number', most('100'), { amount: 1001, note: '1001' }],
  ])('may be shown when it %s', (_, words, changes) => {
    expect(free(words, changes)).toBe(true);
  });

  test.each<readonly [string, string, object]>([
    ['an amount', most('150'), { amount: 150 }],
    ['an amount with other zeros', 'Ensure this value is less than or equal to 150.00.', { amount: '150.0' }],
    ['a text', most('150'), { note: '150' }],
    ['a text with a sign', most('150'), { note: '-150' }],
    ['a word of a text', most('150'), { note: 'about 150, I think' }],
  ])('may be %s that was sent', (_, words, changes) => {
    expect(free(words, changes)).toBe(false);
  });

  test('may be the account, and no day or example is a limit', () => {
    expect(free(most('1001'), {}, '1001')).toBe(false);
    expect(free(most('1001'), {}, '1002')).toBe(true);
    expect(free(`line_items.100.net_amount: ${REQUIRED}`, { note: '100' })).toBe(true);
    expect(free('This field is wrong.', {})).toBe(false);
  });
});

describe('a name of the platform', () => {
  const batch = batchWith('transactions', [{ ...transactions.CHARGE, note: 'Miller unpaidbalance' }], {
    account: { import_supplier: 'ACME', external_account_number: 'A-1' },
  });

  test('is plain when no value of the request is in it, nor it in a value', () => {
    const names = ['odd_code', 'a1', 'a'.repeat(80), 'acme_code', 'ac_me', 'miller', 'unpaid', 'balance'];
    expect(names.filter((name) => isPlainName(batch, name))).toEqual([
      'odd_code',
      // Short words identify nobody.
      'a1',
      'a'.repeat(80),
    ]);
    expect(
      ['Odd', '1x', '_x', 'o-d', 'öd', 'a'.repeat(81), ''].filter((name) => isPlainName(batch, name)),
    ).toEqual([]);
  });

  test.each<readonly [Path, Path]>([
    [
      ['transactions', 1, 'amount'],
      ['transactions', 1, 'amount'],
    ],
    [
      ['transactions', 1, 'line_items', 0, 'net_amount'],
      ['transactions', 1, 'line_items', 0, 'net_amount'],
    ],
    [
      ['transactions', 1, 'non_field_errors'],
      ['transactions', 1, 'non_field_errors'],
    ],
    [
      ['transactions', 'non_field_errors'],
      ['transactions', 'non_field_errors'],
    ],
    [
      ['transactions', 1, 'odd_field'],
      ['transactions', 1, 'odd_field'],
    ],
    [
      ['transactions', 1, 'Miller'],
      ['transactions', 1],
    ],
    [
      ['transactions', 1, 'miller', 'amount'],
      ['transactions', 1],
    ],
    [['transactions', 'odd_field'], ['transactions']],
    [
      ['odd_field', 2],
      ['odd_field', 2],
    ],
    [['miller', 2], []],
    [[], []],
  ])('of the path %j is shown as far as %j', (path, shown) => {
    expect(shownPath('transactions', batch, path)).toEqual(shown);
  });
});
