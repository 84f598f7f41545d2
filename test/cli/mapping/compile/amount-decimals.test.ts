import { describe, expect, test } from 'vitest';
import {
  decimalWarnings,
  isMoney,
  mostDecimals,
  noteAmount,
  writtenAmounts,
} from '../../../../src/cli/mapping/compile/amount-decimals.ts';

const CELL = { file: null, line: null, column: 5, header: 'A' };

/** Amounts of one column, from line 2 on. */
function column(texts: readonly string[], { mark = '.', isUnitOpen = false } = {}) {
  const written = writtenAmounts(['amount'], CELL, isUnitOpen);
  for (const [at, text] of texts.entries()) noteAmount(written, text, { mark, line: at + 2 });
  return written;
}

const warningsOf = (texts: readonly string[], options: Parameters<typeof column>[1] = {}) =>
  [...decimalWarnings([column(texts, options)])].map(({ problem, cell }) => {
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

  test('are an error, where `.00` is written and they are ten times as large', () => {
    const lost = (whole: string, zeros: string) => warningsOf([whole, zeros, ...times(30, '12.34')]);
    expect(lost('123', '11.00')).toEqual([
      { line: 2, severity: 'error', code: 'amount_decimals_lost', count: 1, total: 32, usual: 2 },
    ]);
    expect(lost('12', '11.00')).toEqual(differ(2, { count: 1, total: 32, found: '0', usual: 2 }));
    expect(lost('123', '11.10')).toEqual(differ(2, { count: 1, total: 32, found: '0', usual: 2 }));
    // The first line without decimals, not the first that is odd.
    expect(warningsOf(['1.5', '123', '11.00', ...times(60, '12.34')])).toMatchObject([
      { line: 3, code: 'amount_decimals_lost', count: 1, total: 63 },
    ]);
  });

  test('need twenty amounts, and a zero is none', () => {
    expect(warningsOf([...times(18, '1.23'), '1.234'])).toEqual([]);
    expect(warningsOf([...times(18, '1.23'), '1.234', '0.00', '0'])).toEqual([]);
  });

  test('are seen behind the decimal mark of the column, before a sign', () => {
    const usual = times(40, '1.234,50-');
    expect(warningsOf([...usual, '1.234,5-'], { mark: ',' })).toEqual(
      differ(42, { count: 1, total: 41, found: '1', usual: 2 }),
    );
    // Without the mark all digits are before the decimals.
    expect(warningsOf(['12.345', '1,00', ...times(40, '12,34')], { mark: ',' })).toMatchObject([
      { code: 'amount_decimals_lost' },
    ]);
    expect(warningsOf(['12', '1,00', ...times(40, '1.234,56')], { mark: ',' })).toMatchObject([
      { code: 'amount_decimals_differ' },
    ]);
  });
});

describe('amounts that are all whole', () => {
  const all = (count: number) => [{ line: 2, severity: 'warning', code: 'amounts_all_whole', count }];
  test.each([
    [times(20, '100'), true, all(20)],
    [times(19, '100'), true, []],
    [times(20, '100'), false, []],
    [[...times(20, '100'), '1.5'], true, []],
  ])('are a warning, where the mapping does not say their unit: %j %s', (texts, isUnitOpen, expected) => {
    expect(warningsOf(texts, { isUnitOpen })).toEqual(expected);
  });
});

test('each column has warnings of its own', () => {
  const odd = column([...times(40, '1.23'), '1.234']);
  const even = column(times(40, '1.23'));
  expect([...decimalWarnings([even, odd, even, odd])]).toHaveLength(2);
});

test.each([
  [times(20, '1.23'), 2],
  [[...times(19, '1.23'), '1.2345'], 4],
  [times(19, '1.23'), undefined],
  [times(20, '123'), undefined],
  [[], undefined],
])('the most decimals of %j are %s', (texts, most) => {
  expect(mostDecimals(column(texts))).toBe(most);
});

test.each([
  [['amount'], true],
  [['line_items', 0, 'net_amount'], true],
  [['rate'], false],
  [['amount', 0], false],
  [[], false],
])('the field %j has money: %s', (path, expected) => {
  expect(isMoney(path)).toBe(expected);
});
