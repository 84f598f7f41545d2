import { expect, test } from 'vitest';
import { csvOf, row, stagedRun } from '../../../support/push-staged-run.ts';

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
