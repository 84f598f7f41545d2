import { describe, expect, test } from 'vitest';
import { isUnder } from '../../../src/cli/mapping/mapping-plan.ts';
import {
  alternativeOf,
  cellOf,
  hasAlternatives,
  NO_CELL,
  withoutAlternative,
  type ColumnMap,
  type RecordPart,
} from '../../../src/cli/mapping/column-map.ts';
import { pathOfAttr } from '../../../src/core/problem.ts';

const columns: ColumnMap = [
  'transaction_id',
  'line_items.0.net_amount',
  'line_items.0.units.0',
  'line_items.0.units.1',
  'line_items.10.net_amount',
  'tax_items',
].map((attr, index) => ({ index: index + 2, header: attr.toUpperCase(), attr }));

describe('the column that fed', () => {
  test.each([
    ['a field of its own', 'transaction_id', 3],
    ['a field of an item', 'line_items.0.net_amount', 4],
    ['a part of a list', 'line_items.0.units.1', 6],
    ['something inside a JSON cell', 'tax_items.3.amount', 8],
    ['a list that has columns for its parts', 'line_items', 4],
    ['an item that has columns for its parts', 'line_items.0', 4],
    ['a list inside an item', 'line_items.0.units', 5],
    ['a field of an item that has no column of its own', 'line_items.0.start_date', 4],
    ['an item that has no column', 'line_items.1.net_amount', 4],
    ['an item whose number begins like another', 'line_items.10.start_date', 7],
  ])('%s', (_, attr, column) => {
    const header = columns[column - 3]!.header;
    expect(cellOf(columns, pathOfAttr(attr))).toEqual({ ...NO_CELL, column, header });
  });

  test.each([
    ['a field without a column', 'amount'],
    ['nothing', ''],
  ])('%s is unknown', (_, attr) => {
    expect(cellOf(columns, pathOfAttr(attr))).toEqual(NO_CELL);
  });
});

test.each([
  [['a'], ['a'], true],
  [['a', 0, 'b'], ['a', 0], true],
  [['a', 0], ['a', 0, 'b'], false],
  [['a', 1], ['a', 0], false],
  [['a'], [], true],
])('%j is at or below %j: %s', (path, ancestor, expected) => {
  expect(isUnder(path, ancestor)).toBe(expected);
});

describe('the cell of a part that comes from another place', () => {
  const map: ColumnMap = [
    { index: 0, header: 'A', attr: 'amount' },
    { index: 1, header: 'B', attr: 'amount.~1' },
    { index: 6, header: 'D2', attr: 'line_items.2.start_date' },
    { index: 7, header: 'N2', attr: 'line_items.2.net_amount' },
    { index: 2, header: 'V', attr: 'tax_items.*.amount', file: 'd.csv' },
    { index: null, header: 'x.y', attr: 'note' },
    // A later alternative may be the earlier column.
    { index: 4, header: 'C', attr: 'discount.~1' },
    { index: 5, header: 'D', attr: 'discount' },
    { index: 8, header: 'W', attr: 'rates.*.amount.~1' },
    { index: 9, header: 'X', attr: 'rates.*.amount' },
    { index: 10, header: 'U', attr: 'units.*' },
    { index: 11, header: 'F', attr: 'fees.0.amount' },
    { index: 12, header: 'G', attr: 'fees.*.amount' },
  ];
  const at = (attr: string, ...parts: readonly RecordPart[]) => {
    const { file, line, column, header } = cellOf(map, pathOfAttr(attr), parts);
    return [file, line, column, header];
  };
  const amount = (columns: string) => ({ attr: 'amount', file: null, line: 3, columns });

  test('is that of its item, its alternative or its key path', () => {
    expect(at('tax_items.1.amount', { attr: 'tax_items.1', file: 'd.csv', line: 5 })).toEqual([
      'd.csv',
      5,
      3,
      'V',
    ]);
    const moved = { attr: 'line_items.0', file: null, line: 4, columns: 'line_items.2' };
    expect(at('line_items.0.net_amount', moved)).toEqual([null, 4, 8, 'N2']);
    expect(at('amount')).toEqual([null, null, 1, 'A']);
    expect(at('amount', amount('amount.~1'))).toEqual([null, 3, 2, 'B']);
    // A constant has no cell.
    expect(at('amount', amount('amount.~2'))).toEqual([null, 3, null, null]);
    expect(at('note')).toEqual([null, null, null, 'x.y']);
    expect(at('discount')).toEqual([null, null, 6, 'D']);
    expect(at('rates.12.amount')).toEqual([null, null, 10, 'X']);
    expect(at('rates')).toEqual([null, null, 9, 'W']);
    expect(at('fees.12.rate')).toEqual([null, null, 13, 'G']);
    // An alternative is no index.
    expect(at('units', { attr: 'units', file: null, line: 3, columns: 'units.~1' })).toEqual([
      null,
      3,
      null,
      null,
    ]);
  });

  test('is that of the innermost part around it', () => {
    const outer = { attr: 'line_items.0', file: null, line: 4 };
    const inner = { attr: 'line_items.0.units', file: 'd.csv', line: 9 };
    expect(at('line_items.0.units.1', outer, inner).slice(0, 2)).toEqual(['d.csv', 9]);
    expect(at('line_items.0.units.1', inner, outer).slice(0, 2)).toEqual(['d.csv', 9]);
    expect(at('line_items.0.rate_band', inner, outer).slice(0, 2)).toEqual([null, 4]);
  });

  test('of a later alternative has its number', () => {
    expect([alternativeOf(['amount'], 0), alternativeOf(['amount'], 2)]).toEqual([
      ['amount'],
      ['amount', '~2'],
    ]);
    expect(['amount.~12', 'amount', 'a.~1.b'].map(withoutAlternative)).toEqual([
      'amount',
      'amount',
      'a.~1.b',
    ]);
    expect(
      [['amount'], ['note'], ['line_items', 2, 'net_amount'], ['rates', '*', 'amount']].map((path) =>
        hasAlternatives(map, path),
      ),
    ).toEqual([true, false, false, true]);
  });
});
