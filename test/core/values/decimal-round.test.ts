import { expect, test } from 'vitest';
import { rounded } from '../../../src/core/values/decimal-shift.ts';
import { Decimal } from '../../../src/core/values/decimal.ts';

test.each([
  ['1.004', 2, '1.00'],
  ['1.005', 2, '1.01'],
  ['-1.004', 2, '-1.00'],
  ['-1.005', 2, '-1.01'],
  ['1.2449', 2, '1.24'],
  ['1.2450', 2, '1.25'],
  ['9.995', 2, '10.00'],
  ['1.25', 1, '1.3'],
  ['2.4', 0, '2'],
  ['2.5', 0, '3'],
  ['-0.5', 0, '-1'],
  ['0.4', 0, '0'],
  ['5', 2, '5.00'],
  ['1.20', 2, '1.20'],
  ['12345678901234567.895', 2, '12345678901234567.90'],
])('%s with %d places is %s', (text, places, expected) => {
  expect(rounded(Decimal.of(text), places).text).toBe(expected);
});
