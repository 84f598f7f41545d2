import { describe, expect, test } from 'vitest';
import { belongsTo, membership } from '../../../src/cli/push/stage-job.ts';

describe('an account belongs to', () => {
  test('the same shard on every machine and in every version', () => {
    const shardOf = (account: string): number =>
      [1, 2, 3, 4].find((index) => belongsTo({ index, count: 4 }, account))!;
    expect(['NW104422', '0010028796', '30051062', 'é', ''].map(shardOf)).toEqual([1, 2, 4, 3, 3]);
  });
});

test('each account of a file is in its shard', () => {
  const shard = { index: 2, count: 3 };
  const isMember = membership(shard);
  const accounts = ['1001', '1001', '1002', '1003', '1001'];
  expect(accounts.map(isMember)).toEqual(accounts.map((account) => belongsTo(shard, account)));
});
