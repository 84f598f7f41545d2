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
  test('has an item for each object, closed up', async () => {
    const { records, problems, header, leftOver } = await read(
      `  line_items: { each: { column: L, ${ITEM} } }\n`,
      items(FIRST, { d: null }, { ...FIRST, net: 1.5 }),
      { L: [] },
      { L: null },
      {},
    );
    const item = (net: string) =>
      `{"start_date":"2026-01-01","end_date":"2026-01-01","number_of_units":1,"net_amount":${net}}`;
    expect(records[0]).toContain(`"line_items":[${item('5')},${item('1.5')}]`);
    expect(records.slice(1).join()).not.toContain('line_items');
    expect([problems, header, leftOver]).toEqual([[], [], []]);
  });

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

  test('without an object in any line says nothing about its columns', async () => {
    expect((await read(`  line_items: { each: { column: L, ${ITEM} } }\n`, { L: [] })).header).toEqual([]);
  });

  test('has conditions on the objects', async () => {
    const { records } = await read(
      `  line_items: { each: { column: L, when: { column: k, in: [a] }, ${ITEM} } }\n`,
      items({ ...FIRST, k: 'b' }, { ...FIRST, k: 'a', net: 7 }),
    );
    expect(records[0]).toMatch(/"line_items":\[\{[^{}]*"net_amount":7\}\]/);
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

  test('may be the JSON of a list of the interface as it is', async () => {
    const { records } = await read('  line_items: L\n', items({ net_amount: 5 }));
    expect(records[0]).toContain('"line_items":[{"net_amount":5}]');
  });
});

test('a text in square brackets that is no JSON is a text', async () => {
  const { records, problems } = await read('  note: X\n', { X: '[a]' }, { X: ['b'] });
  expect(records[0]).toContain('"note":"[a]"');
  expect(problems.map((each) => each.split(' ')[0])).toEqual(['value_is_list']);
});

test('a condition, a filter and a key of JSON Lines look at key paths', async () => {
  const { records, filtered } = await read(
    `  note: { column: p.q, when: { column: p.r, is: present } }\nfilter: [{ column: p.s, in: [x] }]\n`,
    { p: { q: 'a', r: 1, s: null } },
    { p: { q: 'b' } },
    { p: { q: 'c', s: 'x' } },
  );
  expect(records.map((each) => /"note":"(.)"/.exec(each)?.[1])).toEqual(['a', undefined]);
  expect(filtered).toBe(1);
});

test('the cells of JSON Lines have key paths in place of columns, and those of the mapping keep their places', async () => {
  const { candidates, plan } = await read(
    '  reference: { column: p.q, lookup: { a: b }, otherwise: keep }\nfilter: [{ column: K, not_in: [x] }]\n',
    ...Array.from({ length: 3 }, () => ({ K: 'x', p: { q: 'z' } })),
  );
  expect(candidates[0]!.sourceCells.map(({ path, cell }) => [path.join('.'), cell])).toEqual([
    ['transaction_id', { file: null, line: null, column: null, header: 'B' }],
    ['transaction_id', { file: null, line: null, column: null, header: 'N' }],
    ['reference', { file: null, line: null, column: null, header: 'p.q' }],
  ]);
  expect([...plan.leftOver()].map(({ problem: { code }, cell }) => [code, cell])).toEqual([
    ['lookup_orphans', { file: null, line: null, column: null, header: 'p.q' }],
  ]);
  const always = await read('filter: [{ column: K, not_in: [x] }]\n', { K: 'y' }, { K: 'y' });
  expect([...always.plan.leftOver()].map(({ problem: { code }, cell }) => [code, cell])).toEqual([
    ['condition_doubtful', { file: 'm.yaml', line: 11, column: 10, header: 'K' }],
  ]);
  const missing = await read('  note: nowhere\n  reference: p\n', { K: '1', p: { q: 1 } });
  expect(missing.header).toEqual([
    'error mapped_column_missing nowhere',
    'error mapped_column_missing p',
    'warning column_unused p.q',
  ]);
});
