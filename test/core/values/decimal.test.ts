import Big from 'big.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  compareDecimals,
  Decimal,
  distance,
  isSameMoney,
  product,
  sum,
  withPlaces,
} from '../../../src/core/values/decimal.ts';

const d = (text: string): Decimal => Decimal.of(text);

describe('a text that is a decimal', () => {
  test.each([
    ['0', '0'],
    ['5', '5'],
    ['-5', '-5'],
    ['10.10', '10.10'],
    ['0.00', '0.00'],
    ['00005.00', '5.00'],
    ['00.5', '0.5'],
    ['000', '0'],
    ['-0', '0'],
    ['-0.00', '0.00'],
    ['-00.10', '-0.10'],
    ['12345678901234567.89', '12345678901234567.89'],
    ['99999999999.99', '99999999999.99'],
    ['9999999999.9999999999', '9999999999.9999999999'],
    ['9007199254740993', '9007199254740993'],
  ])('%s is kept as %s, digit for digit', (written, kept) => {
    expect(Decimal.parse(written)?.toString()).toBe(kept);
  });

  test.each([
    ...'-|.|-.|--5|+5|5-|1.2.3|12.|.5|1,5|1,234.56|1.234,56|1_000|(12.00)|£5.00|5CR|5 DR|GBP 5.00|5.00 €'.split(
      '|',
    ),
    ...`1e5|1E-3|1e400|NaN|Infinity|-Infinity|inf|null|TRUE|0x10|0o7|5'000|| 10|10 |10.0\n|10\n20|10\0`.split(
      '|',
    ),
    // No-break spaces, a typographic minus, full-width and Arabic-Indic digits.
    ...'5\u00A0000,00|5\u202F000|\u22125|\uFF11\uFF12|\u0661\u0662'.split('|'),
    '9'.repeat(65),
  ])('%j is no decimal', (text) => {
    expect(Decimal.parse(text)).toBeUndefined();
  });
});

describe('digits are counted as in the bounds of the platform', () => {
  test.each([
    ['0', 0, 0],
    ['0.5', 0, 1],
    ['-0.50', 0, 2],
    ['10', 2, 0],
    ['0010.000', 2, 3],
    ['-1234.5', 4, 1],
  ])('%s has %i before and %i after the point', (text, whole, places) => {
    const { wholeDigits, places: found } = d(text);
    expect([wholeDigits, found]).toEqual([whole, places]);
  });
});

describe('in JSON', () => {
  test('a decimal is a number with exactly the digits of its source', () => {
    const payload = { amount: d('10.10'), list: [d('-0.00'), d('999999999999999'), d('12345.678901234500')] };
    expect(JSON.stringify(payload)).toBe('{"amount":10.10,"list":[0.00,999999999999999,12345.678901234500]}');
  });

  test('a decimal that a reader with floats would change is a string instead', () => {
    const payload = [d('12345678901234567.89'), d('9007199254740993'), d('9007199254740992')];
    expect(JSON.stringify(payload)).toBe('["12345678901234567.89","9007199254740993",9007199254740992]');
    expect(JSON.parse('[12345678901234567.89,9007199254740993]')).toEqual([12345678901234568, 2 ** 53]);
  });
});

describe('arithmetic', () => {
  test('a sum is exact however many digits it takes', () => {
    expect([64, 65].map((digits) => Decimal.parse('9'.repeat(digits)) === undefined)).toEqual([false, true]);
    expect(sum([d('9'.repeat(64)), d('1')]).text).toBe(`1${'0'.repeat(64)}`);
    expect(sum([d('9'.repeat(60)), d('0.0000000001')]).text).toBe(`${'9'.repeat(60)}.0000000001`);
  });

  test.each([
    ['5', 2, '5.00'],
    ['5.1', 2, '5.10'],
    ['5.125', 2, '5.125'],
    ['-0.00', 2, '0.00'],
    ['9999999999.99', 2, '9999999999.99'],
  ])('%s with %i places is shown as %s: digits are added, never rounded away', (text, places, shown) => {
    expect(withPlaces(d(text), places)).toBe(shown);
  });
});

describe('whole numbers and big.js', () => {
  const digits = (most: number) =>
    fc
      .array(fc.constantFrom('0', '1', '2', '3', '9'), { minLength: 1, maxLength: most })
      .map((each) => each.join(''));
  /** Decimals on both sides of what whole numbers keep. */
  const decimal = fc
    .tuple(fc.constantFrom('', '-'), digits(16), fc.option(digits(10), { nil: undefined }))
    .map(([sign, whole, part]) => d(`${sign}${whole}${part === undefined ? '' : `.${part}`}`));
  const big = ({ text }: Decimal) => new Big(text);

  test('agree about every sum, product, distance and order', () => {
    fc.assert(
      fc.property(decimal, decimal, decimal, (a, b, c) => {
        const places = Math.max(a.places, b.places, c.places);
        expect(sum([a, b, c]).text).toBe(d(big(a).plus(big(b)).plus(big(c)).toFixed(places)).text);
        expect(product(a, b).text).toBe(d(big(a).times(big(b)).toFixed()).text);
        expect(distance(a, b).text).toBe(d(big(a).minus(big(b)).abs().toFixed()).text);
        expect(compareDecimals(a, b)).toBe(big(a).cmp(big(b)));
        expect([a.isZero, a.isNegative]).toEqual([big(a).eq(0), big(a).lt(0)]);
      }),
      { numRuns: 500 },
    );
  });

  test('agree about the text of a decimal', () => {
    fc.assert(
      fc.property(fc.tuple(fc.constantFrom('', '-'), digits(20), digits(4)), ([sign, whole, part]) => {
        for (const text of [`${sign}${whole}`, `${sign}${whole}.${part}`])
          expect(d(text).text).toBe(new Big(text).toFixed(d(text).places).replace(/^-(?=[0.]*$)/, ''));
      }),
    );
  });
});

test.each([
  [null, null, true],
  [null, '0', false],
  ['0', null, false],
  ['1.0', '1.00', true],
  ['1.00', '1.01', false],
  ['12345678901234567.89', '12345678901234567.890', true],
  ['12345678901234567.89', '12345678901234567.88', false],
])('the amounts %s and %s are equal: %s', (a, b, expected) => {
  expect(isSameMoney(a, b)).toBe(expected);
});

test('the sum of a list is exact although each of its decimals fits into a float, also when it comes back to a small one', () => {
  const long = Array.from({ length: 21 }, () => '999999999999999');
  const minus = long.slice(1).map((text) => `-${text}`);
  const sumOf = (...texts: readonly string[]) => sum(texts.map((text) => d(text))).text;
  expect(sumOf(...long)).toBe('20999999999999979');
  expect(sumOf(...minus)).toBe('-19999999999999980');
  expect([sumOf(...long, ...minus), sumOf(...minus, ...long)]).toEqual([
    '999999999999999',
    '999999999999999',
  ]);
});
