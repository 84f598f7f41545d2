import { describe, expect, test } from 'vitest';
import { attrOfPath } from '../../../../src/core/problem.ts';
import { mapped, type Files } from '../../../support/mapping-files.ts';

const FIELDS = {
  import_supplier: '{ constant: ACME }',
  external_account_number: 'K',
  transaction_id: 'B',
  transaction_date: 'D',
  amount: 'A',
  type: '{ constant: CHARGE }',
};
const ROW = { K: '71', B: 'T1', N: '7', D: '2026-01-05', A: '5.10', S: 'x', P: '2026-02-01' };

/** Maps rows, each with the cells that differ from a usual row. */
async function read(
  fields: Readonly<Record<string, string>>,
  rows: readonly Partial<typeof ROW>[] = [{}],
  { rest = '', files = {} as Files } = {},
) {
  const lines = Object.entries({ ...FIELDS, ...fields }).map(([name, spec]) => `  ${name}: ${spec}\n`);
  const cells = rows.map((row) => Object.values({ ...ROW, ...row }).join(';'));
  return mapped({
    'm.yaml': `version: 1\nresource: transactions\nsource: { delimiter: ';' }\n${rest}fields:\n${lines.join('')}ignore: all\n`,
    'x.csv': `${Object.keys(ROW).join(';')}\n${cells.join('\n')}\n`,
    ...files,
  });
}

describe('the cells that a check has to look at before the steps of their field', () => {
  const cellsOf = async (...args: Parameters<typeof read>) =>
    (await read(...args)).candidates.flatMap(({ sourceCells }) =>
      sourceCells.map(
        ({ path, role, text, cell, isReplaced }) =>
          `${attrOfPath(path)} ${role} ${text} ${cell.line ?? ''}:${cell.column} ${cell.header}${isReplaced ? ' replaced' : ''}`,
      ),
    );
  const REPLACE = "replace: [{ pattern: 'x', with: '' }]";
  const item = (more: string) =>
    `{ items: [{ start_date: P, end_date: P, number_of_units: N, net_amount: A, ${more} }] }`;

  test.each<readonly [string, Readonly<Record<string, string>>, readonly string[]]>([
    ['of a column alone are none', { note: 'N' }, []],
    [
      'of a template are those of its columns',
      { transaction_id: "{ template: '{B}-{N}' }" },
      ['transaction_id name T1 :2 B', 'transaction_id name 7 :3 N'],
    ],
    [
      'of a text are those behind pad',
      { external_account_number: "{ column: K, pad: { length: 9, with: '0' } }" },
      ['external_account_number name 71 :1 K'],
    ],
    [
      'of a text are those behind case',
      { reference: '{ column: S, case: upper }' },
      ['reference name x :6 S'],
    ],
    [
      'of a text are those behind replace',
      { note: `{ column: S, ${REPLACE} }` },
      ['note name x :6 S replaced'],
    ],
    [
      'of an amount are those behind replace',
      { amount: `{ column: A, ${REPLACE} }` },
      ['amount value 5.10 :5 A replaced'],
    ],
    [
      'of a date are those behind replace',
      { transaction_date: `{ column: D, ${REPLACE} }` },
      ['transaction_date value 2026-01-05 :4 D replaced'],
    ],
    [
      'of two columns are both',
      { amount: `{ debit: A, credit: N, ${REPLACE} }` },
      ['amount value 5.10 :5 A replaced', 'amount value 7 :3 N replaced'],
    ],
    [
      'are none where the table of the mapping has the text',
      { type: '{ column: S, lookup: { x: CHARGE }, otherwise: CREDIT }' },
      [],
    ],
    [
      'are those that the table does not have',
      { type: '{ column: S, lookup: { y: CHARGE }, otherwise: CREDIT }' },
      ['type name x :6 S'],
    ],
    [
      'of an item are those of its numbers',
      { line_items: item(`price_per_unit: { column: N, ${REPLACE} }`) },
      ['line_items.0.price_per_unit value 7 :3 N replaced'],
    ],
    ['of an item are none of its texts', { line_items: item(`rate_band: { column: S, ${REPLACE} }`) }, []],
  ])('%s', async (_, fields, expected) => {
    expect(await cellsOf(fields)).toEqual(expected);
  });

  test('are those of a table in a file, whether or not it has the text', async () => {
    const files = { 't.csv': 'from,to\nx,CHARGE\n' };
    const type = '{ column: S, lookup: { file: t.csv, key: from, value: to } }';
    expect(await cellsOf({ type }, [{}], { files })).toEqual(['type name x :6 S']);
  });

  test('are none where the cell is empty', async () => {
    expect(await cellsOf({ transaction_id: "{ template: '{B}-{N}' }" }, [{ N: '' }])).toEqual([
      'transaction_id name T1 :2 B',
    ]);
  });

  test('of a sum are those of each row, and the keys that put the rows together', async () => {
    const rest = 'continuation: { key: [B] }\n';
    expect(
      await cellsOf({ amount: `{ column: A, sum: true, ${REPLACE} }` }, [{}, { A: '6' }], { rest }),
    ).toEqual([' key T1 :2 B replaced', 'amount value 5.10 :5 A replaced', 'amount value 6 3:5 A replaced']);
  });
});

test('an alternative that is not the first leads to its own column', async () => {
  const amount =
    "[{ column: N, when: { column: S, in: [y] } }, { column: A, when: { column: S, in: [x] } }, { constant: '1' }]";
  const { candidates, records } = await read({ amount }, [{}, { S: 'y' }, { S: 'z' }]);
  expect(records.map((record) => /"amount":([\d.]+)/.exec(record)![1])).toEqual(['5.10', '7', '1']);
  expect(candidates.map(({ parts }) => parts)).toEqual([
    [{ attr: 'amount', file: null, line: 2, columns: 'amount.~1' }],
    [],
    [{ attr: 'amount', file: null, line: 4, columns: 'amount.~2' }],
  ]);
});

describe('what is known once all rows were mapped', () => {
  const leftOf = async (...args: Parameters<typeof read>) =>
    [...(await read(...args)).plan.leftOver()].map(({ problem: { code, path, facts }, cell }) => ({
      at: `${cell?.file ?? ''}:${cell?.line ?? ''}:${cell?.column ?? ''} ${cell?.header ?? ''}`,
      field: attrOfPath(path),
      code,
      ...facts,
    }));

  test('are the texts that a table does not have', async () => {
    const type = '{ column: S, lookup: { CHARGE: CHARGE, y: CREDIT }, otherwise: CREDIT }';
    expect(await leftOf({ type }, [{ S: 'a' }, { S: 'y' }, { S: 'a' }, { S: 'Charge' }])).toEqual([
      {
        at: '::6 S',
        field: 'type',
        code: 'lookup_orphans',
        different: '2',
        count: 3,
        near: '; 1 of them differs only in case, accents, spaces or punctuation from one that is there',
        values: '',
      },
    ]);
    expect(await leftOf({ type }, [{ S: 'y' }])).toEqual([]);
  });

  test('are dates that are not all written alike', async () => {
    const transaction_date = '{ column: D, format: iso, time_zone: UTC }';
    const rows = [
      '2026-01-05',
      '2026-01-05T10:00:00Z',
      '',
      '2026-01-05',
      '2026-01-05T10:00:00',
      '2026-01-05',
    ];
    expect(
      await leftOf(
        { transaction_date },
        rows.map((D) => ({ D })),
      ),
    ).toEqual([
      {
        at: ':3:4 D',
        field: 'transaction_date',
        code: 'date_kinds_mixed',
        count: 2,
        total: 5,
        found: 'moments with an offset and times without an offset',
        usual: 'days without a time',
      },
    ]);
    expect(await leftOf({ transaction_date }, [{}, {}])).toEqual([]);
    const named = "{ column: D, format: [yyyy-MM-dd, 'yyyy-MM-dd HH:mm'] }";
    expect(await leftOf({ transaction_date: named }, [{}, { D: '2026-01-05 10:00' }])).toEqual([]);
  });

  test.each([
    ['transaction_id', [{}, { N: '' }], { count: 1, total: 2 }],
    ['transaction_id', [{}, { N: '' }, { N: '' }], undefined],
    ['reference', [{}, { N: '' }], { count: 1, total: 2 }],
    ['note', [{}, { N: '' }], undefined],
  ])('are the empty parts of a template of %s: %j', async (field, rows, facts) => {
    expect(await leftOf({ [field]: "{ template: '{B}-{N}' }" }, rows)).toEqual(
      facts ? [{ at: ':3:3 N', field, code: 'template_part_empty', column: 'N', ...facts }] : [],
    );
  });

  test('are the amounts of each column of money, before their steps, and not those that cannot be read', async () => {
    const rows = [{ A: 'x' }, { A: '7' }, ...Array.from({ length: 30 }, () => ({ A: '1.20' }))];
    expect(await leftOf({}, rows)).toEqual([
      {
        at: ':3:5 A',
        field: 'amount',
        code: 'amount_decimals_differ',
        count: 1,
        total: 31,
        found: '0',
        usual: 2,
      },
    ]);
    const whole = Array.from({ length: 20 }, () => ({ A: '100' }));
    expect(await leftOf({}, whole)).toMatchObject([{ at: ':2:5 A', code: 'amounts_all_whole', count: 20 }]);
    expect(await leftOf({ amount: '{ column: A, unit: minor }' }, whole)).toEqual([]);
    expect(await leftOf({ amount: '{ constant: 1 }' }, whole)).toEqual([]);
  });

  test('count no trial', async () => {
    const { plan } = await read(
      {
        transaction_id: "{ template: '{B}-{N}' }",
        transaction_date: '{ column: D, format: iso, time_zone: UTC }',
        type: '{ column: S, lookup: { y: CREDIT }, otherwise: CREDIT }',
      },
      [{ S: 'y' }],
    );
    const row = (cells: Partial<typeof ROW>) => ({
      firstLine: 9,
      lastLine: 9,
      byteStart: 0,
      byteEnd: 0,
      cells: Object.values({ ...ROW, ...cells }),
    });
    for (let at = 0; at < 30; at++)
      plan.candidateOf([row({ N: '', D: '2026-01-05T10:00:00Z', S: 'z', A: '100' })], true);
    expect([...plan.leftOver()]).toEqual([]);
  });
});
