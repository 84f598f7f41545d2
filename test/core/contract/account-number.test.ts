import { expect, test } from 'vitest';
import { accountNumberIn } from '../../../src/core/contract/account-number.ts';

test.each([
  ['the name of the operator', { kundennummer: 'A-1' }, 'A-1'],
  ['another name', { platform_account_number: 'A-1' }, undefined],
  ['an empty text', { kundennummer: '' }, undefined],
  ['a number', { kundennummer: 7 }, undefined],
  ['null', { kundennummer: null }, undefined],
])('the account number under %s', (_, part, number) => {
  expect(accountNumberIn(part, 'kundennummer')).toBe(number);
});

test('what every object inherits is no account number', () => {
  const part = Object.create({ kundennummer: 'A-1' }) as Record<string, unknown>;
  expect(accountNumberIn(part, 'kundennummer')).toBeUndefined();
});
