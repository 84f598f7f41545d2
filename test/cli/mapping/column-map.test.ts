import { describe, expect, test } from 'vitest';
import { isUnder } from '../../../src/cli/mapping/mapping-plan.ts';
import { cellOf, NO_CELL, type ColumnMap } from '../../../src/cli/mapping/column-map.ts';
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
