import { describe, expect, test } from 'vitest';
import { belongsTo } from '../../src/cli/push/stage-job.ts';
import { checkFiles } from '../support/checked-files.ts';

const MAP = (more = '', account = 'K'): string => `version: 1
resource: transactions
fields:
  external_account_number: ${account}
  transaction_id: B
  transaction_date: { constant: '2026-01-05' }
  amount: A
  type: { constant: CREDIT }
  reason: [{ column: R, lookup: { G: GENERAL_CREDIT }, when: { column: R, in: [G] } }, R]
${more}`;

/** Of shard 1 and of shard 2 of two. */
const [ONE, OTHER] = [1, 2].map((index) => ofShard(index)) as [string, string];

function ofShard(index: number): string {
  return ['1001', '1002', '1003', '1004', '1005'].find((account) => belongsTo({ index, count: 2 }, account))!;
}

const ROWS = [
  [ONE, 'T1', '5', 'G'],
  [ONE, 'T2', '6', 'oops'],
  [OTHER, 'T3', '7', 'else'],
  [OTHER, 'T4', '8', 'else'],
];
const csvOf = (rows: readonly (readonly string[])[]): string =>
  ['K,B,A,R', ...rows.map((row) => row.join(','))].join('\n') + '\n';

describe('the rows of another shard', () => {
  test('keep the currencies of the file together', async () => {
    const rows = ROWS.map(([account, ...others]) => [account!, ...others, account === ONE ? 'EUR' : 'GBP']);
    const csv = csvOf(rows).replace('A,R\n', 'A,R,Currency\n');
    const files = { 'x.csv': csv, 'x.csv.map.yaml': MAP('ignore: all\n') };
    const { behind } = await checkFiles(files, ['--shard', '1/2']);
    expect(behind).toEqual(['Currency currencies 4', 'shard 2']);
  });
});
