import { describe, expect, test } from 'vitest';
import { REMOVED_KEYS } from '../../src/cli/mapping/language/removed-keys.ts';
import { fakeIo, runCli } from '../support/cli-io.ts';
import { folderWith, type Files } from '../support/mapping-files.ts';

/** A mapping that has a removed key; and files that the query accepts and refuses, where a query does the same. */
interface RemovedKey {
  readonly key: keyof typeof REMOVED_KEYS;
  /** Lines behind those of `version` and `resource`. */
  readonly written: string;
  /** Fields that differ from those of every mapping here. */
  readonly fields?: Readonly<Record<string, string>>;
  readonly right?: Files;
  readonly wrong?: Files;
  readonly records?: number;
}

const TOTALS = `Account,Doc,Day,Amount
A1,D1,2026-01-05,5.00
A1,D2,2026-01-05,6.50
A1,,,11.50
A2,D3,2026-01-05,4.00
A2,,,4.00
`;

const KEYS: readonly RemovedKey[] = [
  {
    key: 'expect',
    written: 'expect: [{ column: Currency, in: EUR }]',
    fields: { amount: 'checked' },
    right: { 'x.csv': 'Account,Doc,Day,Amount,Currency\nA1,D1,2026-01-05,5.00,EUR\n' },
    wrong: { 'x.csv': 'Account,Doc,Day,Amount,Currency\nA1,D1,2026-01-05,5.00,USD\n' },
    records: 1,
  },
  {
    key: 'subtotals',
    written: "source: { subtotals: { cell: 1, starts_with: '*', sums: [{ cell: 4, column: Amount }] } }",
    fields: { amount: 'checked' },
    right: { 'x.csv': TOTALS },
    wrong: { 'x.csv': TOTALS.replace('A2,,,4.00', 'A2,,,4.01') },
    records: 3,
  },
  {
    key: 'lookup.next',
    written:
      'fields:\n  note: { column: Refund, lookup: { file: a.csv, key: Refund, value: Payment, next: [{ file: b.csv, key: Payment, value: Account }] } }',
    fields: { external_account_number: 'account' },
    right: {
      'x.csv': 'Refund,Doc,Day,Amount\nR1,D1,2026-01-05,5.00\nR2,D2,2026-01-05,6.00\n',
      'a.csv': 'Refund,Payment\nR1,P1\nR2,P1\n',
      'b.csv': 'Payment,Account\nP1,A1\n',
    },
    wrong: {
      'x.csv': 'Refund,Doc,Day,Amount\nR1,D1,2026-01-05,5.00\n',
      'a.csv': 'Refund,Payment\nR1,P2\n',
      'b.csv': 'Payment,Account\nP1,A1\n',
    },
    records: 2,
  },
  { key: 'include', written: 'include: [common.yaml]' },
  { key: 'trailing_zeros', written: 'fields:\n  note: { column: L, trailing_zeros: strip }' },
  { key: 'empty', written: 'fields:\n  line_items: { column: L, empty: omit }' },
  ofControlRecord('over', 'over: kept', {
    head: 'Status',
    rows: ['5.00,OK', '6.00,VOID', '7.00,OK'],
    total: '12.00,',
    other: '18.00,',
  }),
  ofControlRecord('when', 'when: { column: Status, in: [OK] }', {
    head: 'Status',
    rows: ['5.00,OK', '6.00,VOID', '7.00,OK'],
    total: '12.00,',
    other: '18.00,',
  }),
  ofControlRecord('count_of', 'count: 4, count_of: records', {
    head: 'Text',
    rows: ['5.00,a', '6.00,b', '7.00,c'],
    total: '3,',
    other: '4,',
  }),
  ofControlRecord('negate', 'sums: [{ cell: 4, column: Amount, negate: { column: Side, in: [C] } }]', {
    head: 'Side',
    rows: ['5.00,D', '6.00,C', '7.00,D'],
    total: '6.00,',
    other: '18.00,',
  }),
  ofControlRecord('sign', 'sums: [{ cell: 4, column: Amount, sign: { cell: 5, negative: [C] } }]', {
    head: 'Side',
    rows: ['5.00,D', '-9.00,D', '1.00,D'],
    total: '3.00,C',
    other: '3.00,D',
  }),
  ofControlRecord('replace', "replace: [{ pattern: 'Sum: ', with: '' }]", {
    head: 'Text',
    rows: ['5.00,a', '6.00,b', '7.00,c'],
    total: 'Sum: 18.00,',
    other: 'Sum: 18.01,',
  }),
];

/** A key of a control record. `total` and `other` are the last cells of the row of the total, right and wrong. */
function ofControlRecord(
  name: string,
  keys: string,
  { head, rows, total, other }: { head: string; rows: readonly string[]; total: string; other: string },
): RemovedKey {
  const fileOf = (last: string): Files => ({
    'x.csv': `Account,Doc,Day,Amount,${head}\n${rows.map((row, at) => `A1,D${at},2026-01-05,${row}\n`).join('')}TOTAL,,,${last}\n`,
  });
  return {
    key: `trailer.${name}`,
    written: `source: { trailer: { cell: 1, equals: TOTAL, ${keys} } }`,
    fields: { amount: 'checked' },
    right: fileOf(total),
    wrong: fileOf(other),
    records: 3,
  };
}

const FIELDS = {
  import_supplier: '{ constant: ACME }',
  external_account_number: 'Account',
  transaction_id: 'Doc',
  transaction_date: 'Day',
  type: '{ constant: CHARGE }',
  amount: 'Amount',
};

const HEAD = 'version: 1\nresource: transactions\n';

const fieldsOf = (own: RemovedKey['fields'] = {}): string =>
  Object.entries({ ...FIELDS, ...own })
    .map(([name, value]) => `  ${name}: ${value}\n`)
    .join('');

test('each removed key is tried here', () => {
  expect(KEYS.map(({ key }) => key)).toEqual(Object.keys(REMOVED_KEYS));
});

describe('a mapping with a removed key', () => {
  test.each(KEYS)('names what does the same as `$key`, at its line', async ({ key, written }) => {
    const map = `${HEAD}${written}\n${written.startsWith('fields:') ? '' : 'fields:\n'}${fieldsOf()}ignore: all\n`;
    const cwd = folderWith({ 'x.csv.map.yaml': map });
    const { exitCode, json } = await runCli(['check', '--map', 'x.csv.map.yaml', '--json'], fakeIo({ cwd }));
    expect(exitCode).toBe(2);
    const name = key.split('.').at(-1)!;
    expect(json()['problems']).toEqual([
      expect.objectContaining({
        line: map.split('\n').findIndex((line) => line.includes(`${name}:`)) + 1,
        detail: `there is no key \`${name}\` here; ${REMOVED_KEYS[key]!}`,
      }),
    ]);
  });
});

describe('the query that a removed key names', () => {
  test.each(KEYS.filter(({ right }) => right))('does what `$key` did', async ({ key, fields, ...files }) => {
    const { right = {}, wrong = {}, records } = files;
    const [, tables, sql] = /`source\.tables: (\{.*\})` and `source\.sql: ([^`]*)`/.exec(REMOVED_KEYS[key]!)!;
    const map = `${HEAD}source:\n  tables: ${tables!.replaceAll('FILE', 'x.csv')}\n  sql: |\n    ${sql}\nfields:\n${fieldsOf(fields)}ignore: all\n`;
    const check = (files: Files) =>
      runCli(
        ['check', 'transactions', '--map', 'q.map.yaml', '--json'],
        fakeIo({ cwd: folderWith({ ...files, 'q.map.yaml': map }) }),
      );
    const good = await check(right);
    expect(good.exitCode, good.stdout).toBe(0);
    expect(good.json()['rows']).toMatchObject({ not_sent: records });
    expect((await check(wrong)).exitCode).toBe(3);
  });
});
