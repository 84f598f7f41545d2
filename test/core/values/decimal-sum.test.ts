import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Decimal, DecimalSum, sum } from '../../../src/core/values/decimal.ts';

const digits = (most: number): fc.Arbitrary<string> =>
  fc
    .array(fc.constantFrom('0', '1', '4', '5', '9'), { minLength: 1, maxLength: most })
    .map((each) => each.join(''));

/** Decimals of few and of many digits, on both sides of what a float keeps. */
const decimal = fc
  .tuple(fc.constantFrom('', '-'), digits(22), fc.option(digits(12), { nil: undefined }))
  .map(([sign, whole, part]) => Decimal.of(`${sign}${whole}${part === undefined ? '' : `.${part}`}`));

function totalOf(decimals: readonly Decimal[]): string | undefined {
  const total = new DecimalSum();
  for (const each of decimals) total.add(each);
  return total.total?.text;
}

test('decimals that are added one by one have the sum of all at once, digit for digit', () => {
  fc.assert(
    fc.property(fc.array(decimal, { minLength: 1, maxLength: 30 }), (decimals) => {
      expect(totalOf(decimals)).toBe(sum(decimals).text);
    }),
  );
});

test('a sum beyond the whole numbers of a float stays exact', () => {
  const largest = Decimal.of('9999999999999.99');
  expect(totalOf(Array.from({ length: 100_001 }, () => largest))).toBe('1000009999999998999.99');
  expect(totalOf([...Array.from({ length: 5_000 }, () => largest), Decimal.of('0.01')])).toBe(
    '49999999999999950.01',
  );
});

test('nothing that was added has no sum', () => {
  expect(totalOf([])).toBeUndefined();
});
