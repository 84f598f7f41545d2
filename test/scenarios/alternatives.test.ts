import { expect, test } from 'vitest';
import { checkFiles } from '../support/checked-files.ts';

const map = (account: string) => `version: 1
resource: transactions
fields:
  external_account_number: ${account}
  transaction_id: B
  transaction_date: [{ column: D, when: { column: S, in: [x] } }, { constant: '2027-01-05' }]
  amount: A
  type: { constant: CHARGE }
ignore: all
`;
const ACCOUNT =
  '[{ column: Old, when: { column: S, in: [x] } }, { column: New, when: { column: S, is: present } }]';
const check = async (rows: readonly string[], account = ACCOUNT) => {
  const csv = `B,A,D,S,Old,New\n${rows.join('\n')}\n`;
  const { problems } = await checkFiles({ 'x.csv': csv, 'x.csv.map.yaml': map(account) });
  return problems.filter((each) => !each.includes('condition_'));
};

test('a problem of a field with alternatives is at the cell that gave the value', async () => {
  expect(await check(['T1,5.10,2026-01-05,x,1E+12,7', 'T2,5.10,2026-01-05,x,7,1E+12'])).toEqual([
    '2:5 error spreadsheet_damage',
  ]);
  expect(await check(['T1,5.10,2026-01-05,x,7,8', 'T2,5.10,2026-01-05,y,7,1E+12'])).toContainEqual(
    '3:6 error spreadsheet_damage',
  );
});

test('a problem of a constant is at no cell of another alternative', async () => {
  const problems = await check(['T1,5.10,2027-01-05,x,7,8', 'T2,5.10,,y,7,9']);
  expect(problems).toEqual([expect.stringMatching(/^2:3 error/), expect.stringMatching(/^3: error/)]);
});

test('a count over all records names no column, where several have fed the field', async () => {
  const rows = Array.from({ length: 40 }, (_, at) => {
    const number = String((((at % 9) + 1) * 1_000_003 + at) * (at % 8 === 0 ? 1 : 10));
    return `T${at},5.10,2026-01-05,x,${number},8`;
  });
  expect(await check(rows)).toContainEqual('2: warning leading_zeros_lost');
  expect(await check(rows, 'Old')).toContainEqual('2:5 warning leading_zeros_lost');
});
