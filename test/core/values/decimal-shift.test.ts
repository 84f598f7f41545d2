import { expect, test } from 'vitest';
import { Decimal } from '../../../src/core/values/decimal.ts';
import { majorFromMinor, minorFromMajor, negated } from '../../../src/core/values/decimal-shift.ts';

const of = (text: string) => Decimal.of(text);

test.each([
  ['1234', 2, '12.34'],
  ['5', 2, '0.05'],
  ['-5', 2, '-0.05'],
  ['0', 2, '0.00'],
  ['1234', 0, '1234'],
  ['1234', 3, '1.234'],
  ['12.5', 2, '0.125'],
  ['123456789012345678901', 2, '1234567890123456789.01'],
])('%s in minor units with %i digits is %s in major units', (minor, digits, major) => {
  expect(majorFromMinor(of(minor), digits).text).toBe(major);
});

test.each([
  ['12.34', 2, '1234'],
  ['12.3', 2, '1230'],
  ['-0.05', 2, '-5'],
  ['12.340', 2, '1234'],
  ['12', 0, '12'],
  ['12.345', 2, undefined],
  ['0.001', 2, undefined],
  ['12.5', 0, undefined],
])('%s in major units with %i digits is %s in minor units', (major, digits, minor) => {
  expect(minorFromMajor(of(major), digits)?.text).toBe(minor);
});

test.each([
  ['5.10', '-5.10'],
  ['-5.10', '5.10'],
  ['0.00', '0.00'],
])('%s with the opposite sign is %s', (text, expected) => {
  expect(negated(of(text)).text).toBe(expected);
});
