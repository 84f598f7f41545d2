import { describe, expect, test } from 'vitest';
import { belongsTo, membership } from '../../../src/cli/push/stage-job.ts';

describe('an account belongs to', () => {
  test('the same shard on every machine and in every version', () => {
    const shardOf = (account: string): number =>
      [1, 2, 3, 4].find((index) => belongsTo({ index, count: 4 }, account))!;
    expect(['NW104422', '0010028796', '30051062', 'é', ''].map(shardOf)).toEqual([1, 2, 4, 3, 3]);
  });
});

test('an account that is remembered, or forgotten again, stays in its shard', () => {
  const shard = { index: 2, count: 3 };
  const isMember = membership(shard);
  const accounts = Array.from({ length: 50_010 }, (_, index) => String(index));
  // The first ones are remembered, then they are forgotten, because there are too many.
  const wrong = [...accounts, ...accounts.slice(0, 20)].filter(
    (account) => isMember(account) !== belongsTo(shard, account) || isMember(account) !== isMember(account),
  );
  expect(wrong).toEqual([]);
});
