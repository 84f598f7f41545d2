import { describe, expect, test } from 'vitest';
import { columnNames, joinedColumnNames } from '../../../../src/cli/mapping/language/column-names.ts';
import type { JoinSpec } from '../../../../src/cli/mapping/language/field-spec.ts';
import { CHARGES, documentOf } from '../../../support/mapping-files.ts';

const ITEM = 'item: { start_date: D, end_date: D, number_of_units: U, net_amount: N }';
const WHEN = 'when: { column: W, is: present }';
const KEY = 'continuation: { key: [B, P] }\n';

describe('the columns that a header needs beside K, B and A', () => {
  test.each<readonly [string, readonly string[]]>([
    ['', []],
    ["  note: { template: 'No. {T}-{U}' }", ['T', 'U']],
    ['  note: K', []],
    ['  note: [{ column: N, when: { column: C, is: present } }, M]', ['C', 'M', 'N']],
    ['  note: { column: N, when: [{ column: C, is: present }, { field: type, in: [x] }] }', ['C', 'N']],
    ['  note: { constant: N }', []],
    ['filter: [{ column: F, is: empty }, [{ column: G, is: empty }, { field: type, in: [x] }]]', ['F', 'G']],
    [KEY, ['P']],
    ['continuation: { when: [{ column: P, is: empty }, { column: Q, is: empty }] }', ['P', 'Q']],
    ['expect: [{ column: E, is: present }]', ['E']],
    ['expect: [{ column: E, equals_column: F }]', ['E', 'F']],
    ["expect: [{ column: E, contains: '{F}/{G}' }]", ['E', 'F', 'G']],
    [`expect: [{ column: A, is: present, ${WHEN} }]`, ['W']],
    ['expect: [{ column: A, equals_field: amount, when: { field: type, in: [x] } }]', []],
    [`source: { trailer: { cell: 1, equals: T, ${WHEN} } }`, ['W']],
    ['source: { trailer: { cell: 1, equals: T, sums: [{ cell: 2, column: S }] } }', ['S']],
    [`source: { trailer: { cell: 1, equals: T, sums: [{ cell: 2, column: A, ${WHEN} }] } }`, ['W']],
    ['source: { subtotals: { cell: 1, equals: T, by: Y } }', ['Y']],
    // The columns of the items of `repeat` may be missing.
    [`  line_items: { repeat: { from: 1, to: 2 }, ${ITEM.replaceAll(/: ([DUN])/g, ": '$1{n}'")} }`, []],
    [`  line_items: { items: [${ITEM.slice(6)}] }`, ['D', 'N', 'U']],
    [`  line_items: { rows: { ${WHEN}, ${ITEM} } }\n${KEY}`, ['D', 'N', 'P', 'U', 'W']],
    [
      `  line_items: { rows: { ${ITEM.replace('}', ", units: { repeat: { from: 1, to: 2 }, item: 'X{n}' } }")} } }\n${KEY}`,
      ['D', 'N', 'P', 'U'],
    ],
    // The header lacks the columns of a second file and of the objects of a list.
    [`  line_items: { join: { file: d.csv, key: { I: J, B: L }, ${WHEN}, ${ITEM} } }`, ['I']],
    [`  line_items: { each: { column: lines, ${WHEN}, ${ITEM} } }`, ['lines']],
    [`  line_items: { join: { file: d.csv, key: { B: L }, ${ITEM} }, ${WHEN} }`, ['W']],
  ])('%s: %j', async (rest, expected) => {
    const names = columnNames(await documentOf(`${CHARGES}${rest}\n`));
    expect(names.toSorted()).toEqual(['A', 'B', 'K', ...expected].toSorted());
  });
});

test.each<readonly [Omit<JoinSpec, 'file'>, readonly string[]]>([
  [{ key: { B: 'L', I: 'M' }, item: {} }, ['L', 'M']],
  [{ key: { B: 'L' }, item: { amount: 'V', rate: 'L', note: { template: '{T}/{V}' } } }, ['L', 'V', 'T']],
  [{ key: { B: 'L' }, item: { amount: { debit: 'S', credit: 'H' } } }, ['L', 'S', 'H']],
  [{ key: { B: 'L' }, item: { rate: ['R', { column: 'Q' }], type: { constant: 'VAT' } } }, ['L', 'R', 'Q']],
  [{ key: { B: 'L' }, item: 'V' }, ['L', 'V']],
  [{ key: { B: 'L' }, item: [{ column: 'V' }, 'W'] }, ['L', 'V', 'W']],
])('the columns of a second file with %j are %j', (spec, expected) => {
  expect(joinedColumnNames({ file: 'd.csv', ...spec })).toEqual(expected);
});
