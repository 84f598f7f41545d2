import { expect } from 'vitest';
import type { Resource } from '../../src/core/contract/resources.ts';
import { addsUp } from '../../src/cli/push/ports/report.ts';
import type { Batch, Settlement } from '../../src/cli/push/ports/run.ts';
import type { Reading } from '../../src/cli/journal/reading.ts';
import { csvFrom, NOW, stagedRun } from './push-staged-run.ts';

/** A settlement with one outcome for each record of a batch, or null. */
export function settlement(
  batch: Batch,
  outcomes: readonly Settlement['records'][number]['outcome'][],
  changes: Partial<Settlement> = {},
): Settlement {
  const records = batch.records.map(({ seq }, index) => ({ seq, outcome: outcomes[index]! }));
  return { status: 201, records, state: 'done', problems: [], inDoubt: false, ...changes };
}

/** A settlement in which the platform has created every record. */
export const created = (batch: Batch): Settlement =>
  settlement(
    batch,
    batch.records.map(() => 'created'),
  );

/** A staged run of transactions in batches of two, and its operations. */
export async function staged(rows = 'A:1 A:2 A:3 B:4', resource: Resource = 'transactions', records = 2) {
  const limits = { records, bytes: 1_000_000 };
  const { run, folder } = await stagedRun(resource, csvFrom(resource, rows), { limits });
  return { run, folder, operations: run.draining(() => NOW) };
}

/** The counts of a run that are not zero. All of them have to add up. */
export function rowsOf(run: Reading): Readonly<Record<string, number>> {
  const { rows } = run.report();
  expect(addsUp(rows)).toBe(true);
  return Object.fromEntries(Object.entries(rows).filter(([, count]) => count > 0));
}
