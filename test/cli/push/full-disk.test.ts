import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { PlatformRequest } from '../../../src/cli/push/ports/platform.ts';
import type { RowCounts } from '../../../src/cli/push/ports/report.ts';
import { openRunDatabase } from '../../../src/cli/journal/database/run-database.ts';
import type { Reading } from '../../../src/cli/journal/reading.ts';
import type { Resource } from '../../../src/core/contract/resources.ts';
import { answer } from '../../support/push-batch.ts';
import { failingDisk, type DiskError } from '../../support/failing-disk.ts';
import { drained } from '../../support/push-drained.ts';
import { FakePlatform, type Fault } from '../../support/fake-platform.ts';
import { opened, csvFrom, NOW, reopened, stagedRun } from '../../support/push-staged-run.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const ROWS = 'A:1 B:2 A:3 A:4 B:5';

/** The records that the platform must have in the end. */
function expectedOf(resource: Resource): Readonly<Record<string, readonly string[]>> {
  const name = (id: string): string => (resource === 'notes' ? `Note ${id} at 2024-03-05T18:48:16Z` : id);
  return { A: ['1', '3', '4'].map(name), B: ['2', '5'].map(name) };
}

/** Faults that make draining call every operation. */
const TROUBLES: Readonly<Record<string, Fault>> = {
  'A#1': { kind: 'lost', applied: true },
  'A#2': { kind: 'answer', applied: false, answer: answer(429) },
  'B#1': { kind: 'answer', applied: false, answer: answer(413) },
};

/** A staged run that is copied for every failing disk. */
async function stagedFor(resource: Resource): Promise<() => string> {
  const { run, folder } = await stagedRun(resource, csvFrom(resource, ROWS));
  run.close();
  const place = temporaryFolder();
  let copies = 0;
  return () => {
    const copy = join(place, String(++copies));
    cpSync(folder, copy, { recursive: true });
    return copy;
  };
}

/** Runs a process whose disk fails, and counts the requests before the failure of an operation. */
async function processOn(
  folder: string,
  platform: FakePlatform,
  failure: { readonly write: number; readonly error: DiskError; readonly lasting: boolean },
) {
  let writes = (): number => 0;
  let began = 0;
  const run = opened(folder, (path) => {
    const disk = failingDisk(openRunDatabase(path), failure);
    writes = disk.writes;
    return disk.db;
  });
  let sentAtFailure: number | undefined;
  const through = (operations: ReturnType<Reading['draining']>): typeof operations =>
    Object.fromEntries(
      Object.entries(operations).map(([name, operation]) => [
        name,
        (...args: readonly unknown[]): unknown => {
          const result = (operation as (...given: readonly unknown[]) => unknown)(...args);
          if (result instanceof Promise) result.catch(() => (sentAtFailure ??= began));
          return result;
        },
      ]),
    ) as unknown as typeof operations;
  const counting = {
    send: (request: PlatformRequest) => {
      began++;
      return platform.send(request);
    },
  };
  try {
    const { end, report } = await drained(run, counting, { through, concurrency: 2 });
    const hasFailed = sentAtFailure !== undefined;
    const sentAfterFailure = began - (sentAtFailure ?? began);
    return { end, rows: report.rows, writes: writes(), hasFailed, sentAfterFailure };
  } finally {
    run.close();
  }
}

/** Continues the run in a process whose disk works. */
async function finished(folder: string, platform: FakePlatform): Promise<RowCounts> {
  const run = reopened(folder);
  const { end, report } = await drained(run, platform);
  expect(end).toEqual({ kind: 'finished' });
  run.close();
  return report.rows;
}

const NONE = { write: 0, error: 'SQLITE_FULL', lasting: false } as const;

describe('a disk that fails while records are sent', () => {
  test.each([
    ['transactions', 'SQLITE_FULL', false, 1],
    ['transactions', 'SQLITE_IOERR_FSYNC', true, 2],
    ['notes', 'SQLITE_IOERR_WRITE', false, 3],
    ['statements', 'SQLITE_FULL', true, 1],
  ] as const)(
    'loses and repeats no %s, at whatever write: %s, for good: %s',
    async (resource, error, lasting, first) => {
      const copy = await stagedFor(resource);
      const sound = await processOn(copy(), new FakePlatform(resource, {}, TROUBLES), NONE);
      expect(sound.end).toEqual({ kind: 'finished' });
      expect(sound.writes).toBeGreaterThan(20);
      let failures = 0;
      // The campaign `disk` fails each write.
      for (let write = first; write <= sound.writes; write += 3) {
        const folder = copy();
        const platform = new FakePlatform(resource, {}, TROUBLES);
        const failure = { write, error, lasting };
        const { end, rows, hasFailed, sentAfterFailure } = await processOn(folder, platform, failure);
        const facts = { resume: 'dataimport resume' };
        // The last write moves outcomes to their records. They are on disk already, so the report has them all the same.
        if (!hasFailed) expect({ end, rows }).toEqual({ end: sound.end, rows: sound.rows });
        else expect(end).toMatchObject({ kind: 'unrecorded', reason: { code: 'run_write_failed', facts } });
        failures += hasFailed ? 1 : 0;
        // No request begins after the failure, and the report is true at that moment.
        expect(sentAfterFailure).toBe(0);
        const stored = Object.values(platform.contents()).flat().length;
        expect(rows.created + rows.existing + rows.verify).toBeLessThanOrEqual(stored);
        const whole = await finished(folder, platform);
        expect(platform.contents()).toEqual(expectedOf(resource));
        expect(whole.created + whole.existing + whole.verify).toBe(whole.read);
        expect(platform.most.ofOneAccount).toBe(1);
      }
      expect(failures).toBeGreaterThan(10);
    },
    60_000,
  );
});

test('a claim that cannot be written sends nothing', async () => {
  const folder = (await stagedFor('transactions'))();
  const platform = new FakePlatform('transactions');
  const { end, rows } = await processOn(folder, platform, { write: 1, error: 'SQLITE_FULL', lasting: false });
  expect(end.kind).toBe('unrecorded');
  expect([platform.received.length, rows.not_sent]).toEqual([0, 5]);
});

test('an operation that fails for another reason is reported as a bug, not as a full disk', async () => {
  const { run } = await stagedRun('transactions', csvFrom('transactions', 'A:1'));
  const operations = run.draining(() => NOW);
  await operations.claimNext(1);
  await expect(operations.claimNext(1)).rejects.toThrow(/^journal: /);
});
