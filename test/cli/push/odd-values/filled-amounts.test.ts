import { expect, test } from 'vitest';
import { FilledAmounts } from '../../../../src/cli/push/odd-values/filled-amounts.ts';
import { countedOf, oddFile, seenOf } from '../../../support/odd-file.ts';

/** What is reported of records, each an account and an amount, the first of which is on line 2. */
function reported(
  records: readonly (readonly [account: string, amount: string | null])[],
): readonly string[] {
  const { file, problems } = oddFile('transactions');
  const amounts = new FilledAmounts();
  for (const [at, [account, amount]] of records.entries())
    amounts.see(seenOf(at + 2, { counted: countedOf(account, { amount }) }));
  amounts.report(file);
  return problems;
}

/** Each amount in a row of so many accounts. */
const filled = (amounts: number, accounts: number) =>
  Array.from({ length: amounts }, (_, amount) =>
    Array.from({ length: accounts }, (__, account) => [`${amount}-${account}`, `${amount}.00`] as const),
  ).flat();

const warned = (count: number, records: number, line = 3): readonly string[] => [
  `a.csv:${line} warning amounts_filled_down amount: the amount of the record before, which is of another account, ` +
    `in ${count} of ${records} records`,
];

test('amounts that repeat the one before in many accounts are reported at the first', () => {
  // By chance 10 amounts of 2 records would follow each other in about 2 of 20 records.
  expect(reported(filled(10, 2))).toEqual(warned(10, 20));
});

test('fewer than ten amounts are fees that many accounts pay', () => {
  expect(reported(filled(9, 3))).toEqual([]);
});

test('amounts that follow each other as often as by chance are not reported', () => {
  // 10 amounts of 5 records each follow by chance in 5 of 50 records, and these do in 24 of 50.
  const some = filled(10, 5);
  const [mixed, kept] = [some.filter((_, at) => at % 5 > 2), some.filter((_, at) => at % 5 <= 2)];
  const apart = [...mixed.filter((_, at) => at % 2 === 0), ...mixed.filter((_, at) => at % 2 === 1)];
  expect(reported([...kept, ...apart])).toEqual([]);
  // Five times as often as by chance is enough: 25 of 50.
  const more = [...kept, ['x', '9.00'] as const, ...apart.slice(0, 9), ...apart.slice(10)];
  expect(reported(more).length).toBeLessThanOrEqual(1);
});

test('amounts of one account, and records without one, do not count', () => {
  const oneAccount = filled(10, 2).map(([account, amount]) => [account.split('-')[0]!, amount] as const);
  expect(reported(oneAccount)).toEqual([]);
  const between = filled(10, 2).flatMap((record) => [record, ['z', null] as const]);
  expect(reported(between)).toEqual([]);
  const before = [['z', null], ['y', null], ...filled(10, 2)] as const;
  expect(reported(before)).toEqual(warned(10, 20, 5));
});
