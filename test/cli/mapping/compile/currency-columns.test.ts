import { describe, expect, test } from 'vitest';
import { columnsOf } from '../../../../src/cli/mapping/compile/columns.ts';
import { currencyColumns, currencyOf } from '../../../../src/cli/mapping/compile/currency-columns.ts';

const row = (cells: readonly string[], at: number) => ({
  firstLine: at + 2,
  lastLine: at + 2,
  byteStart: 0,
  byteEnd: 0,
  cells,
});

/** The warnings about the columns of a file, of which the first one is used. */
function warningsOf(names: readonly string[], ...rows: readonly (readonly string[])[]) {
  const columns = columnsOf(names);
  columns.bind(names[0]!, 'record');
  const currencies = currencyColumns(columns);
  for (const [at, cells] of rows.entries()) currencies.see([row(cells, at)]);
  return [...currencies.warnings()].map(({ problem: { code, path, facts }, cell }) => {
    expect([code, path, cell?.file]).toEqual(['currencies_mixed', [], null]);
    return `${cell?.line}:${cell?.column} ${cell?.header} ${facts['count']} of ${facts['total']}`;
  });
}

describe('a column that nothing uses and that has currencies', () => {
  test('of two kinds is a warning at the first row of the rarer ones', () => {
    expect(
      warningsOf(
        ['A', 'Code'],
        ['1', 'EUR'],
        ['1', ' USD '],
        ['1', ''],
        ['1', 'EUR'],
        ['1', 'EUR'],
        ['1', 'CHF'],
        ['1', 'USD'],
      ),
    ).toEqual(['3:2 Code 3 of 6']);
    expect(warningsOf(['A', 'Code'], ['1', 'USD'], ['1', 'EUR'], ['1', 'EUR'])).toEqual(['2:2 Code 1 of 3']);
  });

  test.each([
    ['of one kind', ['EUR', 'EUR']],
    ['that are none', ['EUR', 'XYZ', 'USD']],
    ['that are empty', ['', '']],
    ['in small letters, where the header does not name a currency', ['EUR', 'usd']],
  ])('%s is none: %j', (_, cells) => {
    expect(warningsOf(['A', 'Code'], ...cells.map((cell) => ['1', cell]))).toEqual([]);
  });

  test('is none, when it is used or a row is too short for it', () => {
    expect(warningsOf(['Code', 'B'], ['EUR', ''], ['USD', ''])).toEqual([]);
    expect(warningsOf(['A', 'Code'], ['1', 'EUR'], ['1'])).toEqual([]);
  });

  test('may have at most twenty of them', () => {
    const codes =
      'AED ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN'.split(' ');
    const twenty = codes.slice(0, 20).map((code) => ['1', code]);
    expect(warningsOf(['A', 'Code'], ...twenty)).toEqual(['3:2 Code 19 of 20']);
    expect(warningsOf(['A', 'Code'], ...codes.slice(0, 21).map((code) => ['1', code]))).toEqual([]);
  });

  test('has all rows of a record looked at', () => {
    const currencies = currencyColumns(columnsOf(['Currency']));
    currencies.see([row(['€'], 0), row(['$'], 1)]);
    expect([...currencies.warnings()].map(({ cell }) => cell?.line)).toEqual([3]);
  });
});

test.each([
  ['EUR', false, 'EUR'],
  ['eur', false, undefined],
  ['eur', true, 'EUR'],
  ['€', true, 'EUR'],
  ['€', false, undefined],
  ['XYZ', true, undefined],
  ['TL', true, 'TRY'],
])('%s in a column that is named for currencies (%s) is %s', (value, isNamed, expected) => {
  expect(currencyOf(value, isNamed)).toBe(expected);
});
