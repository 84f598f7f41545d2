import { expect, test } from 'vitest';
import { migration } from '../support/migration.ts';
import { HEADER, IMPORTED } from '../support/refused-account.ts';

const rows = (name: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, row) => `ACME,1001,${name}-${row},2026-02-01,CREDIT,1.10`);

test('a dry run says how long sending takes at least by the rate limit, and nothing without one', async () => {
  const site = await migration(IMPORTED);
  site.csv('t.csv', HEADER, ...rows('t', 60));
  const dryRun = ['push', 'transactions', 't.csv', '--batch-size', '10', '--dry-run'];
  expect((await site.cli(...dryRun)).stdout).not.toContain('sending takes');
  const limited = await site.cli(...dryRun, '--rate-limit', '6/m');
  // The sixth request may begin after 50 s.
  expect(limited.stdout).toContain('sending takes at least 50 s, by the rate limit\n');
});

test('a dry run of a shard divides the rate, which is that of all shards', async () => {
  const site = await migration(IMPORTED);
  site.csv('t.csv', HEADER, ...rows('t', 60));
  const expectedMs = async (...flags: readonly string[]) => {
    const dryRun = ['push', 'transactions', 't.csv', '--batch-size', '10', '--dry-run', '--json', ...flags];
    // One of the two shards has the only account.
    const shards = await Promise.all(['1/2', '2/2'].map((part) => site.cli(...dryRun, '--shard', part)));
    return shards.flatMap((shard) => {
      const { expected } = shard.json() as { readonly expected?: { readonly rate_limit_ms: number } };
      return expected ? [expected.rate_limit_ms] : [];
    });
  };
  expect(await expectedMs('--rate-limit', '6/m')).toEqual([100_000]);
});
