import { describe, expect, test } from 'vitest';
import { seal } from '../../../../src/cli/journal/database/integrity.ts';
import { problemIn } from '../../../../src/cli/journal/read/problems.ts';
import { problemWith } from '../../../support/run-report.ts';
import { csvFrom, csvOf, row, stagedRun } from '../../../support/push-staged-run.ts';

const bad = (id: string) => ({ ...row.transactions('A', id), amount: 'x' });

test('problems are grouped by code, file and column, the most frequent first', async () => {
  const csvs = [
    csvOf([bad('1'), { ...row.transactions('A', '2'), type: 'FEE' }]),
    csvOf([bad('3'), bad('4'), bad('5')]),
  ];
  const { errorGroups } = (await stagedRun('transactions', csvs)).run.report();
  expect(
    errorGroups.map(({ first, count, lines }) => [first.file, first.code, first.header, count, lines]),
  ).toEqual([
    ['transactions-2.csv', 'invalid', 'amount', 3, [2, 3, 4]],
    ['transactions-1.csv', 'invalid', 'amount', 1, [2]],
    ['transactions-1.csv', 'invalid_choice', 'type', 1, [3]],
  ]);
});

test('a group lists each of its lines once, and at most five lines', async () => {
  const tax = (amount: string) => ({
    amount,
    tax_type: 'VAT',
    value_taxed: 1,
    rate: 0.2,
    unit_type: 'PROPORTION',
  });
  const tax_items = JSON.stringify([tax('x'), tax('y')]);
  const rows = Array.from({ length: 7 }, (_, index) => ({
    ...row.transactions('A', String(index)),
    type: 'SUPPLY_CHARGE',
    product_code: 'FLAT',
    line_items: '[]',
    tax_items,
  }));
  const { errorGroups } = (await stagedRun('transactions', csvOf(rows))).run.report();
  const group = errorGroups.find(({ first }) => first.header === 'tax_items')!;
  expect([group.count, group.lines]).toEqual([14, [2, 3, 4, 5, 6]]);
});

describe('a problem with hidden texts', () => {
  const [hidden, whole] = [
    problemWith({ detail: 'a value is wrong' }),
    problemWith({ detail: '"x" is wrong' }),
  ];
  const shown = (unhidden: string | null, showValues: boolean, command: string | null): string =>
    problemIn({ document: seal(hidden), unhidden }, { showValues, command }).detail;

  test.each<readonly [string | null, boolean, string | null, string]>([
    [null, false, 'report --show-values', 'a value is wrong'],
    [null, true, null, 'a value is wrong'],
    [seal(whole), true, null, '"x" is wrong'],
    [seal(whole), false, null, 'a value is wrong'],
    [
      seal(whole),
      false,
      'report --show-values',
      'a value is wrong; `report --show-values` shows what is hidden',
    ],
    ['', false, 'report --show-values', 'a value is wrong; it is erased'],
    ['', true, null, 'a value is wrong; it is erased'],
  ])('%j, shown: %s, by the command %s, is %j', (unhidden, showValues, command, detail) => {
    expect(shown(unhidden, showValues, command)).toBe(detail);
  });

  test('keeps everything but its text', () => {
    expect(problemIn({ document: seal(hidden), unhidden: '' }, { showValues: false, command: null })).toEqual(
      {
        ...hidden,
        detail: 'a value is wrong; it is erased',
      },
    );
  });
});

test('a group of problems without lines has none', async () => {
  const { run } = await stagedRun('transactions', csvFrom('transactions', 'A:1'));
  for (let times = 0; times < 2; times++)
    run.keepProblems([problemWith({ code: 'of_the_file', file: 'transactions-1.csv', line: null })]);
  expect(run.report().errorGroups).toMatchObject([{ count: 2, lines: [] }]);
});
