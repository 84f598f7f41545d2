import { describe, expect, onTestFinished, test } from 'vitest';
import { openSourceFile } from '../../../../src/cli/csv/source-file.ts';
import type { ItemCell } from '../../../../src/cli/csv/source-row.ts';
import { cellOf } from '../../../../src/cli/mapping/column-map.ts';
import { loadJoins } from '../../../../src/cli/mapping/compile/joined-files.ts';
import { planByMapping } from '../../../../src/cli/mapping/compile/plan-by-mapping.ts';
import { byQuery } from '../../../../src/cli/mapping/compile/query-plan.ts';
import { needMapping } from '../../../../src/cli/mapping/file/load-mapping.ts';
import { openJoinStores } from '../../../../src/cli/run-file/scratch/join-store.ts';
import { pathOfAttr } from '../../../../src/core/problem.ts';
import { folderWith, type Files } from '../../../support/mapping-files.ts';

const FIELDS = `version: 1
resource: transactions
ignore: all
fields:
  import_supplier: { constant: ACME }
  external_account_number: account
  transaction_id: { template: '{bill}-{total}' }
  transaction_date: { constant: '2026-01-05' }
  amount: total
  type: { constant: CHARGE }
  note: text
`;
const HEADER = ['account', 'bill', 'total', 'text'];
const PLACE = { file: 'm.yaml', line: 7, column: 3 };

/** The columns of the result: one of the first table, two of a second file, and one that is calculated. */
const ACCOUNT: ItemCell = { file: null, line: null, column: 5, header: 'Konto' };
const BILL: ItemCell = { file: 'bills.csv', line: null, column: 1, header: 'No' };
const CALCULATED: ItemCell = { file: null, line: null, column: null, header: null };
const TEXT: ItemCell = { file: 'bills.csv', line: null, column: 2, header: 'Text' };
const COLUMNS = [ACCOUNT, BILL, CALCULATED, TEXT];

async function planOf(mapping = FIELDS, header: readonly string[] = HEADER, files: Files = {}) {
  const folder = folderWith({ 'm.yaml': mapping, ...files });
  const open = (name: string) => openSourceFile(name, folder);
  const loaded = await needMapping('m.yaml', open);
  const stores = openJoinStores();
  onTestFinished(() => stores.close());
  const joins = await loadJoins(loaded, ['x.csv'], { open, makeStore: async () => stores.make() });
  const made = planByMapping(loaded, header, { supplier: undefined, joins: joins.tablesFor('x.csv') });
  return byQuery(made, { columns: COLUMNS, place: PLACE });
}

/** A row of the result, from line 4 of the first table and line 9 of the second file. */
const row = (cells: readonly string[], line = 4) => ({
  firstLine: line,
  lastLine: line,
  byteStart: 0,
  byteEnd: 0,
  cells,
  cellAt: (index: number): ItemCell =>
    COLUMNS[index]!.file === null ? COLUMNS[index]! : { ...COLUMNS[index]!, line: line + 5 },
});

const cellsOf = (candidate: ReturnType<Awaited<ReturnType<typeof planOf>>['plan']['candidateOf']>) =>
  candidate.problems.map(({ problem, cell }) => [problem.code, cell]);

describe('the columns of a query', () => {
  test('are those of its tables, and a calculated one has the name that the query gives it', async () => {
    const { plan, problems } = await planOf();
    expect(problems).toEqual([]);
    expect(plan.columns).toEqual([
      { attr: 'external_account_number', index: 4, header: 'Konto' },
      { attr: 'transaction_id', index: 0, header: 'No', file: 'bills.csv' },
      { attr: 'transaction_id', index: null, header: 'total' },
      { attr: 'amount', index: null, header: 'total' },
      { attr: 'note', index: 1, header: 'Text', file: 'bills.csv' },
    ]);
  });

  test('have their problems at the place of the query', async () => {
    const { problems } = await planOf(FIELDS.replace('ignore: all\n', ''), [
      ...HEADER.filter((name) => name !== 'text'),
      'more',
    ]);
    expect(problems.map(({ problem, cell }) => [problem.code, cell])).toEqual([
      ['mapped_column_missing', { file: 'm.yaml', line: 7, column: null, header: null }],
      ['column_unused', { file: 'm.yaml', line: 7, column: null, header: 'more' }],
    ]);
  });
});

describe('a problem of a row of a query', () => {
  test('is at the row, where the value was calculated', async () => {
    const { plan } = await planOf();
    expect(cellsOf(plan.candidateOf([row(['1', 'B', 'x', 't'])]))).toEqual([
      ['number_unreadable', { file: null, line: null, column: null, header: null }],
    ]);
  });

  test('is at the cell of the table that has the value', async () => {
    const { plan } = await planOf(
      FIELDS.replace('note: text', 'note: { column: text, lookup: { a: b } }').replace(
        'external_account_number: account',
        "external_account_number: { column: account, lookup: { '1': '2' } }",
      ),
    );
    expect(cellsOf(plan.candidateOf([row(['7', 'B', '5', 'c'])]))).toEqual([
      ['lookup_missing', { file: null, line: null, column: 5, header: 'Konto' }],
      ['lookup_missing', { file: 'bills.csv', line: 9, column: 2, header: 'Text' }],
    ]);
  });

  test('of several rows is at the row that has it', async () => {
    const { plan } = await planOf(`${FIELDS}continuation: { key: [account] }\n`);
    const rows = [row(['1', 'B', '5', 't']), row(['1', 'B', '5', 'u'], 20)] as const;
    expect(cellsOf(plan.candidateOf(rows))).toEqual([
      ['continuation_differs', { file: 'bills.csv', line: 25, column: 2, header: 'Text' }],
    ]);
  });

  test('is at its place in the mapping, where the mapping has it', async () => {
    const { plan } = await planOf(`${FIELDS}expect: [{ column: account, sum: 7 }]\n`);
    plan.candidateOf([row(['1', 'B', '5', 't'])]);
    expect([...plan.leftOver()].map(({ problem, cell }) => [problem.code, cell?.file, cell?.line])).toEqual([
      ['expected_sum_differs', 'm.yaml', 12],
    ]);
  });
});

test('a count over all rows is at the column of the table', async () => {
  const { plan } = await planOf(
    FIELDS.replace('note: text', 'note: { column: text, lookup: { a: b }, otherwise: keep }'),
  );
  plan.candidateOf([row(['1', 'B', '5', 'c'])]);
  expect([...plan.leftOver()].map(({ problem, cell }) => [problem.code, cell])).toEqual([
    ['lookup_orphans', { file: 'bills.csv', line: null, column: 2, header: 'Text' }],
  ]);
});

test('cells that a check looks at later are those of the tables', async () => {
  const { plan } = await planOf();
  const { sourceCells } = plan.candidateOf([row(['1', 'B', '5', 't'])]);
  expect(sourceCells.map(({ text, cell }) => [text, cell])).toEqual([
    ['B', { file: 'bills.csv', line: 9, column: 1, header: 'No' }],
    ['5', { file: null, line: null, column: null, header: null }],
  ]);
});

describe('the parts of a record of a query', () => {
  const partsOf = async (mapping: string, cells: readonly string[]) => {
    const { plan } = await planOf(mapping);
    const { parts } = plan.candidateOf([row(cells)]);
    const at = (attr: string) => {
      const { file, line, column, header } = cellOf(plan.columns, pathOfAttr(attr), parts);
      return [file, line, column, header];
    };
    return { parts, at };
  };

  test('lead to the other file, and to no cell of a value that was calculated', async () => {
    const { parts, at } = await partsOf(FIELDS, ['1', 'B', '5', 't']);
    expect(parts).toEqual([
      { attr: 'transaction_id', file: 'bills.csv', line: 9 },
      { attr: 'amount', file: null, line: 4, columns: 'amount.~0' },
      { attr: 'note', file: 'bills.csv', line: 9 },
    ]);
    expect(at('external_account_number')).toEqual([null, null, 5, 'Konto']);
    expect(at('transaction_id')).toEqual(['bills.csv', 9, 1, 'No']);
    expect(at('amount')).toEqual([null, 4, null, null]);
    expect(at('note')).toEqual(['bills.csv', 9, 2, 'Text']);
  });

  const ALTERNATIVES = FIELDS.replace(
    'note: text',
    "note: [{ column: account, when: { column: account, in: ['1'] } }, { column: text, when: { column: account, in: ['2'] } }, { column: total }]",
  );

  test.each([
    ['1', [null, null, 5, 'Konto'], undefined],
    ['2', ['bills.csv', 9, 2, 'Text'], 'note.~1'],
    ['3', [null, 4, null, null], 'note.~2.~0'],
  ])('lead to the alternative that gave the value: %s', async (account, place, columns) => {
    const { parts, at } = await partsOf(ALTERNATIVES, [account, 'B', '5', 't']);
    expect(at('note')).toEqual(place);
    expect(parts.filter(({ attr }) => attr === 'note').map((part) => part.columns)).toEqual(
      columns === undefined ? [] : [columns],
    );
  });
});
