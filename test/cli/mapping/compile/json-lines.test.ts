import { describe, expect, test } from 'vitest';
import { mapped } from '../../../support/mapping-files.ts';

const HEAD = `version: 1
resource: transactions
source: { type: jsonl }
fields:
  import_supplier: { constant: ACME }
  external_account_number: K
  transaction_id: { template: '{B}-{N}' }
  transaction_date: { constant: '2026-01-05' }
  amount: A
  type: { constant: CHARGE }
`;
const ROW = { K: '1', B: 'T', N: '1', A: 5 };

const read = (fields: string, ...objects: readonly object[]) =>
  mapped({
    'm.yaml': HEAD + fields,
    'x.csv': objects.map((each) => JSON.stringify({ ...ROW, ...each })).join('\n'),
  });

const ITEM = 'item: { start_date: d, end_date: d, number_of_units: u.n, net_amount: net }';
const items = (...list: readonly object[]) => ({ L: list });
const FIRST = { d: '2026-01-01', u: { n: 1 }, net: 5 };

/** The problems of the records and the key paths of their cells. */
function placesOf({ candidates }: Awaited<ReturnType<typeof read>>) {
  return candidates.flatMap(({ problems }) =>
    problems.map(({ problem, cell }) => ({
      code: problem.code,
      header: cell?.header,
      line: cell?.line,
      column: cell?.column,
    })),
  );
}

describe('a list of JSON Lines', () => {
  test('names the place of a wrong value by its index in the list', async () => {
    const result = await read(
      `  line_items: { each: { column: L, ${ITEM} } }\n`,
      items(FIRST),
      items({}, FIRST, { ...FIRST, u: { n: 'x' } }),
    );
    expect(placesOf(result)).toEqual([
      { code: 'number_unreadable', header: 'L[2].u.n', line: null, column: null },
    ]);
    expect(result.problems[0]).toContain('number_unreadable line_items.1.number_of_units');
    expect(result.plan.columns.map(({ index, header, attr }) => `${index} ${header} ${attr}`)).toContain(
      'null L[].u.n line_items.*.number_of_units',
    );
  });

  test('that is none, or one of other things, is reported', async () => {
    const result = await read(
      `  line_items: { each: { column: L, ${ITEM} } }\n`,
      items(FIRST),
      { L: 'x' },
      { L: [1] },
    );
    expect(placesOf(result).map(({ code, header }) => `${code} ${header}`)).toEqual([
      'list_unreadable L',
      'list_unreadable L',
    ]);
    expect(result.candidates[1]!.record).not.toHaveProperty('line_items');
    expect(result.problems.map((each) => each.split(' ')[1])).toEqual(['line_items', 'line_items']);
  });

  test('has columns of its own, which the mapping may lack or leave over', async () => {
    const list = `  line_items: { each: { column: L, ${ITEM.replace('net }', 'nett }')} } }\n`;
    const { header } = await read(list, items({ ...FIRST, more: 1 }));
    expect(header).toEqual([
      'error mapped_column_missing nett',
      'warning column_unused L[].net',
      'warning column_unused L[].more',
    ]);
    expect(
      (await read(`${list}ignore: ['L[].net', 'L[].more']\n`, items({ ...FIRST, more: 1 }))).header,
    ).toEqual(['error mapped_column_missing nett']);
    expect((await read(`${list}ignore: all\n`, items({ ...FIRST, more: 1 }))).header).toEqual([
      'error mapped_column_missing nett',
    ]);
  });

  test.each([
    ['null', null],
    ['an empty object', {}],
  ])('has no column where an item has %s and another one an object with keys', async (_, u) => {
    const { header } = await read(
      `  line_items: { each: { column: L, ${ITEM} } }\n`,
      items({ ...FIRST, u }, FIRST),
    );
    expect(header).toEqual([]);
  });

  test('is no value of a field, of a part of a template or of an item', async () => {
    const result = await read(
      `  note: X\n  line_items: { each: { column: L, ${ITEM} } }\n`,
      { X: ['a'], ...items({ ...FIRST, net: [1] }) },
      { N: [1], X: 'b' },
      { B: ['x'], N: '2' },
      { N: null },
    );
    expect(placesOf(result).map(({ code, header }) => `${code} ${header}`)).toEqual([
      'value_is_list X',
      'value_is_list L[0].net',
      'value_is_list N',
      'value_is_list B',
    ]);
    expect(result.problems.map((each) => each.split(' ')[1])).toEqual([
      'note',
      'line_items.0.net_amount',
      'transaction_id',
      'transaction_id',
    ]);
  });
});
