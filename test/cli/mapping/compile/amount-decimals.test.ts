import { describe, expect, test } from 'vitest';
import {
  decimalWarnings,
  noteAmount,
  writtenAmounts,
} from '../../../../src/cli/mapping/compile/amount-decimals.ts';

const CELL = { file: null, line: null, column: 5, header: 'A' };

/** Amounts of one column, from line 2 on. */
function column(texts: readonly string[]) {
  const written = writtenAmounts(['amount'], CELL);
  for (const [at, text] of texts.entries()) noteAmount(written, text, { mark: '.', line: at + 2 });
  return written;
}

const warningsOf = (texts: readonly string[]) =>
  [...decimalWarnings([column(texts)])].map(({ problem, cell }) => {
    expect([problem.path, cell?.column, cell?.header]).toEqual([['amount'], 5, 'A']);
    return { line: cell?.line, severity: problem.severity, code: problem.code, ...problem.facts };
  });

const times = (count: number, text: string) => Array.from({ length: count }, () => text);
const differ = (line: number, facts: object) => [
  { line, severity: 'warning', code: 'amount_decimals_differ', ...facts },
];

describe('amounts with another number of decimals than the usual one', () => {
  test.each([
    // More decimals, or fewer, are odd beside 19 of 20.
    [[...times(19, '1.23'), '1.234'], differ(21, { count: 1, total: 20, found: '3', usual: 2 })],
    [[...times(18, '1.23'), '1.234', '1.234'], []],
    [['1.5', '7', ...times(38, '1.20')], differ(2, { count: 2, total: 40, found: '1 and 0', usual: 2 })],
    [['7', '1.5', '1.5', ...times(37, '1.20')], differ(2, { count: 1, total: 40, found: '0', usual: 2 })],
    // None beside more than half, where zeros at the end are written.
    [[...times(9, '7'), ...times(11, '1.20')], differ(2, { count: 9, total: 20, found: '0', usual: 2 })],
    [[...times(10, '1.20'), ...times(10, '7')], []],
    // One decimal is not enough for that, unless nearly all have it.
    [['7', '7', ...times(18, '1.0')], []],
    [['7', ...times(19, '1.0')], differ(2, { count: 1, total: 20, found: '0', usual: 1 })],
    [['7', ...times(19, '1.5')], []],
    // Where zeros are dropped, fewer decimals are right.
    [['12.5', '13', ...times(38, '12.34')], []],
  ])('are odd or not: %j', (texts, expected) => {
    expect(warningsOf(texts)).toEqual(expected);
  });

  test.each([
    // Three and a half digits on average, beside two.
    [['123', '1234'], differ(2, { count: 2, total: 42, found: '0', usual: 2 })],
    [['123', '123'], []],
  ])('are odd where zeros are dropped, when they are much larger: %j', (large, expected) => {
    expect(warningsOf([...large, ...times(40, '12.34')])).toEqual(expected);
  });
});
