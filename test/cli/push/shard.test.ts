import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { belongsTo, membership } from '../../../src/cli/push/stage-job.ts';

describe('an account belongs to', () => {
  test('exactly one shard, however many there are', () => {
    fc.assert(
      fc.property(fc.string(), fc.integer({ min: 1, max: 50 }), (account, count) => {
        const shards = Array.from({ length: count }, (_, index) => ({ index: index + 1, count }));
        expect(shards.filter((shard) => belongsTo(shard, account))).toHaveLength(1);
      }),
    );
  });

  test('the same shard on every machine and in every version', () => {
    const shardOf = (account: string): number =>
      [1, 2, 3, 4].find((index) => belongsTo({ index, count: 4 }, account))!;
    expect(['NW104422', '0010028796', '30051062', 'é', ''].map(shardOf)).toEqual([1, 2, 4, 3, 3]);
  });

  test('the run when there are no shards', () => {
    expect(belongsTo(undefined, 'A')).toBe(true);
  });
});

test('all shards get about the same number of accounts', () => {
  const sizes = [1, 2, 3, 4].map(
    (index) =>
      Array.from({ length: 4_000 }, (_, account) => String(account)).filter((account) =>
        belongsTo({ index, count: 4 }, account),
      ).length,
  );
  expect(Math.min(...sizes)).toBeGreaterThan(900);
  expect(Math.max(...sizes)).toBeLessThan(1_100);
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
