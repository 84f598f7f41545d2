import { describe, expect, test } from 'vitest';
import { checkFiles } from '../support/checked-files.ts';

const HEADER = 'external_account_number,transaction_id,transaction_date,type,amount';

async function warnings(rows: readonly string[]) {
  const { details } = await checkFiles({ 'x.csv': `${HEADER}\n${rows.join('\n')}\n` });
  return details.filter((each) => each.includes(' warning '));
}

const rowsOf = (count: number, accountOf: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => `${accountOf(at)},T${at},2026-01-05,CHARGE,5.00`);

describe('a file that names each account only once', () => {
  test('is called that, at its first row without an account', async () => {
    expect(await warnings(rowsOf(12, (at) => (at % 3 === 0 ? `77${at}` : '')))).toEqual([
      '3:1 warning account_in_first_row_only: 8 of 12 records have no account number and follow one that has: the file may name each account only once',
    ]);
  });

  test('is not seen in a few rows without an account, or in a column that breaks off', async () => {
    expect(await warnings(rowsOf(12, (at) => (at === 3 || at === 7 ? '' : `77${at}`)))).toEqual([]);
    expect(await warnings(rowsOf(12, (at) => (at < 4 ? `77${at}` : '')))).toEqual([]);
  });
});

describe('a file with several kinds of records', () => {
  const other = (count: number) => Array.from({ length: count }, (_, at) => `L,${at},5.00`);

  test('is called that, with the numbers of cells', async () => {
    expect(await warnings([...rowsOf(10, (at) => `77${at}`), ...other(6)])).toEqual([
      '12: warning record_kinds_mixed: rows have other numbers of cells than the header, which has 5: 6 have 3, as in a file with several kinds of records',
    ]);
  });

  test('is not seen in a few rows that are cut off', async () => {
    expect(await warnings([...rowsOf(60, (at) => `77${at + 100}`), ...other(4)])).toEqual([]);
  });
});
