import { expect, test } from 'vitest';
import type { StagedRunOptions } from '../../../support/push-staged-run.ts';
import { csvFrom, csvOf, row, stagedRun } from '../../../support/push-staged-run.ts';
import { Look } from '../../../../src/cli/push/look/look.ts';
import { scratchReading, type Reading } from '../../../../src/cli/journal/reading.ts';

const CHECK = { limits: null } as const;

/** Rows that are valid, invalid, of another shard and odd together. */
const MIXED = csvOf([
  ...[1, 2, 3].map((id) => ({ ...row.transactions('A', `a-${id}`), amount: `-${id}.5` })),
  { ...row.transactions('B', 'b-1'), amount: 'much' },
  { ...row.transactions('C', 'c-1'), type: 'PAYMENT', amount: '3' },
  row.transactions('0007', '0001'),
]);

async function counted(csv: string, options: StagedRunOptions = {}): Promise<Reading> {
  const look = new Look('transactions');
  const into: StagedRunOptions['into'] = (header) => scratchReading(header, look);
  return (await stagedRun('transactions', csv, { ...options, ...CHECK, into, look })).run;
}

/** What a run reports, without the head of its chain, which seals the rows that are kept. */
function reportOf(run: Reading): object {
  const { chain, ...rest } = run.report();
  return { ...rest, links: chain.links };
}

async function kept(csv: string, options: StagedRunOptions = {}): Promise<Reading> {
  return (await stagedRun('transactions', csv, { ...options, ...CHECK })).run;
}

test.each<readonly [string, string, StagedRunOptions]>([
  ['no row', csvOf([]), {}],
  ['valid rows', csvFrom('transactions', 'A:1 B:2 A:3'), {}],
  ['invalid rows', MIXED, {}],
  ['rows of other shards', MIXED, { inShard: (account) => account !== 'A' }],
  ['a window', MIXED, { maxRecords: 2 }],
])('a run that only counts reports %s as a run that keeps them', async (_, csv, options) => {
  const [few, all] = [await counted(csv, options), await kept(csv, options)];
  expect(reportOf(few)).toEqual(reportOf(all));
  expect([...few.rejectedRows(1)]).toEqual([...all.rejectedRows(1)]);
  expect(few.mappedSources()).toEqual(all.mappedSources());
});
