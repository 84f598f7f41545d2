import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import {
  conditionLists,
  conditionsOf,
  isLeaf,
  itemsOf,
  neededFields,
  visitFields,
} from '../../../../src/cli/mapping/language/field-visits.ts';
import { text } from '../../../../src/core/contract/field.ts';
import { DESCRIPTORS, type Descriptors } from '../../../../src/core/contract/resources.ts';
import { attrOfPath } from '../../../../src/core/problem.ts';
import { CHARGES, documentOf } from '../../../support/mapping-files.ts';

const ITEM = '{ start_date: D, end_date: D, number_of_units: U, net_amount: N }';
const WHEN = 'when: { column: W, in: [x] }';
const KEY = 'continuation: { key: [B] }';
const FIELDS = ['external_account_number', 'transaction_id', 'transaction_date', 'amount', 'type'];

/** The paths behind `fields`, of what a mapping adds to `CHARGES`, each with the kind of its shape. */
async function visited(rest: string) {
  const visits = [...visitFields(await documentOf(`${CHARGES}${rest}\n`))];
  return visits.slice(FIELDS.length).map(({ path, shape }) => {
    expect(path[0]).toBe('fields');
    return `${attrOfPath(path.slice(1))} ${shape.kind}`;
  });
}

const items = (at: string, names = ['start_date', 'end_date', 'number_of_units', 'net_amount']) =>
  names.map((name) => `line_items.${at}.${name} leaf`);

describe('the fields of a mapping', () => {
  test.each<readonly [string, readonly string[]]>([
    ['', []],
    ['  note: N', ['note leaf']],
    [`  note: [{ constant: x, ${WHEN} }, N]`, ['note.0 leaf', 'note.1 leaf']],
    ['  line_items: L', ['line_items list']],
    [`  line_items: { items: [${ITEM}] }`, ['line_items list', ...items('items.0')]],
    [`  line_items: { repeat: { from: 1, to: 2 }, item: ${ITEM} }`, ['line_items list', ...items('item')]],
    [`  line_items: { rows: { item: ${ITEM} } }\n${KEY}`, ['line_items list', ...items('rows.item')]],
    [`  line_items: { each: { column: l, item: ${ITEM} } }`, ['line_items list', ...items('each.item')]],
    [
      `  line_items: { join: { file: d.csv, key: { B: I }, item: ${ITEM} } }`,
      ['line_items list', ...items('join.item')],
    ],
    [
      `  line_items: [{ items: [${ITEM}], ${WHEN} }, L]`,
      ['line_items.0 list', ...items('0.items.0'), 'line_items.1 list'],
    ],
    [
      `  line_items: { items: [${ITEM.replace('}', ', units: { items: [X, [Y, Z]] } }')}] }`,
      [
        'line_items list',
        ...items('items.0'),
        'line_items.items.0.units list',
        'line_items.items.0.units.items.0 leaf',
        'line_items.items.0.units.items.1.0 leaf',
        'line_items.items.0.units.items.1.1 leaf',
      ],
    ],
  ])('%s are %j', async (rest, expected) => {
    expect(await visited(rest)).toEqual(expected);
  });

  test('of an object are visited, too', async () => {
    const schema = z.strictObject({ place: z.strictObject({ room: text(), shelf: z.optional(text()) }) });
    const made = { ...DESCRIPTORS, notes: { ...DESCRIPTORS.notes, schema } } as unknown as Descriptors;
    const mapping = (place: string) =>
      `version: 1\nresource: notes\nfields: { external_account_number: K, place: ${place} }\n`;
    const paths = async (place: string) =>
      [...visitFields(await documentOf(mapping(place), made))].map(({ path }) => attrOfPath(path));
    expect(await paths('{ fields: { room: R } }')).toEqual([
      'fields.external_account_number',
      'fields.place',
      'fields.place.fields.room',
    ]);
    expect(await paths('{ column: R, trim: true }')).toEqual([
      'fields.external_account_number',
      'fields.place',
    ]);
    await expect(paths('{ column: R, case: upper }')).rejects.toThrow('mapping_key_unknown');
    const [, , room] = visitFields(await documentOf(mapping('{ fields: { room: R, shelf: S } }'), made));
    expect(room!.names).toEqual(['room', 'shelf', 'external_account_number', 'place']);
  });

  test('have the names of the fields beside them, then those of the record', async () => {
    const visits = [...visitFields(await documentOf(`${CHARGES}  line_items: { items: [${ITEM}] }\n`))];
    const record = [...FIELDS, 'line_items'];
    expect(visits[0]!.names).toEqual(record);
    expect(visits.at(-1)!.names).toEqual([
      'start_date',
      'end_date',
      'number_of_units',
      'net_amount',
      ...record,
    ]);
  });

  test('are read as the source of their file says', async () => {
    const join = `join: { file: d.csv, key: { B: I }, source: { delimiter: '|' }, item: ${ITEM} }`;
    const visits = visitFields(
      await documentOf(`${CHARGES}  line_items: { ${join} }\nsource: { delimiter: ';', trim: true }\n`),
    );
    const sources = [...visits].map(({ source: { delimiter, trim } }) => [delimiter, trim]);
    expect(sources.slice(-5)).toEqual([[';', true], ...Array.from({ length: 4 }, () => ['|', true])]);
    const [first] = visitFields(await documentOf(CHARGES));
    expect(first!.source).toEqual({});
  });

  test('have one value, or not', async () => {
    const visits = [...visitFields(await documentOf(`${CHARGES}  line_items: { items: [${ITEM}] }\n`))];
    expect(visits.slice(4, 7).map(isLeaf)).toEqual([true, false, true]);
  });
});

test('a list without items of its own has none', () => {
  expect(itemsOf({ column: 'L' }, { path: ['x'], source: {} })).toEqual([]);
});

test('the conditions of an alternative have their paths', () => {
  const first = { column: 'A', in: ['x'] };
  const second = { field: 'type', in: ['y'] };
  const item = 'V';
  const paths = (spec: Parameters<typeof conditionsOf>[0]['spec']) =>
    conditionsOf({ spec, path: ['fields', 'f'] }).map(({ condition, path }) => [condition, attrOfPath(path)]);
  expect(paths({ when: [first, second] })).toEqual([
    [first, 'fields.f.when.0'],
    [second, 'fields.f.when.1'],
  ]);
  expect(paths({ rows: { item, when: [first] } })).toEqual([[first, 'fields.f.rows.when.0']]);
  expect(paths({ each: { column: 'l', item, when: [first] } })).toEqual([[first, 'fields.f.each.when.0']]);
  expect(paths({ join: { file: 'd.csv', key: {}, item, when: [first] } })).toEqual([
    [first, 'fields.f.join.when.0'],
  ]);
  expect(paths({ column: 'A', rows: { item }, each: { column: 'l', item } })).toEqual([]);
});

describe('the lists of conditions of a mapping', () => {
  test.each<readonly [string, readonly string[]]>([
    ['', []],
    [`  note: { column: N, ${WHEN} }`, ['fields.note.when']],
    ['  note: { column: N, when: { column: N, is: present } }', ['fields.note.when, which may always hold']],
    [
      '  note: { column: N, when: [{ column: N, is: present }, { column: W, is: empty }] }',
      ['fields.note.when'],
    ],
    // The rows of a later alternative are those that the others have left.
    [
      `  note: [{ column: N, ${WHEN} }, { column: M, ${WHEN} }]`,
      ['fields.note.0.when', 'fields.note.1.when, which may always hold'],
    ],
    [
      `  line_items: [{ items: [${ITEM}], ${WHEN} }, { rows: { when: { column: W, is: present }, item: ${ITEM} } }]\n${KEY}`,
      ['fields.line_items.0.when', 'fields.line_items.1.rows.when'],
    ],
    ['filter: [{ column: W, is: empty }, { column: W, is: present }]', ['filter.0', 'filter.1']],
    ['continuation: { when: { column: W, is: present } }', ['continuation.when']],
    [KEY, []],
    [
      `expect: [{ column: A, is: present }, { column: A, is: present, ${WHEN} }, { column: A, is: positive, when: { column: A, is: present } }]`,
      ['expect.1.when', 'expect.2.when, which may always hold'],
    ],
  ])('%s are %j', async (rest, expected) => {
    const lists = conditionLists(await documentOf(`${CHARGES}${rest}\n`));
    expect(
      lists.map(
        ({ path, mayAlwaysHold }) => `${attrOfPath(path)}${mayAlwaysHold ? ', which may always hold' : ''}`,
      ),
    ).toEqual(expected);
    expect(lists.every(({ list }) => list.length > 0)).toBe(true);
  });
});

test.each<readonly [Parameters<typeof neededFields>[0], readonly string[]]>([
  ['N', []],
  [
    {
      column: 'N',
      when: [
        { field: 'type', in: ['x'] },
        { column: 'W', in: ['x'] },
      ],
    },
    ['type'],
  ],
  [
    [
      { constant: 'x', when: [{ field: 'type', in: ['x'] }] },
      { constant: 'y', when: [{ field: 'reason', in: ['x'] }] },
    ],
    ['type', 'reason'],
  ],
  [{ rows: { item: { amount: 'N' }, when: [{ field: 'type', in: ['x'] }] } }, ['type']],
  // The items look at it by themselves.
  [{ items: [{ amount: { column: 'N', when: [{ field: 'rate', in: ['x'] }] } }] }, []],
])('a field with %j needs the fields %j', (spec, expected) => {
  expect(neededFields(spec)).toEqual(expected);
});
