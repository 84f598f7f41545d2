import { cpSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { DrainRun } from '../../../src/cli/push/ports/run.ts';
import { addsUp, type RowCounts } from '../../../src/cli/push/ports/record-outcome.ts';
import { RunsFolder } from '../../../src/cli/run-file/runs-folder.ts';
import { RESOURCES, type Resource } from '../../../src/core/contract/resources.ts';
import { Crash, dying, type Death } from '../../support/dying-verbs.ts';
import { answer } from '../../support/push-batch.ts';
import { drained } from '../../support/push-drained.ts';
import { FakePlatform, type Fault } from '../../support/push-fake-platform.ts';
import { csvFrom, NOW, RUN_ID, stagedRun } from '../../support/push-staged-run.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** Every way of sending: the four resources, and transactions that the platform is told not to look for. */
const WAYS = [...RESOURCES, 'transactions, check off'] as const;
type Way = (typeof WAYS)[number];

const resourceOf = (way: Way): Resource => (way === 'transactions, check off' ? 'transactions' : way);
const ROWS = 'A:1 B:2 A:3 A:4 B:5';
const INSTRUCTIONS = 'A:1 B:2';

/** What the platform must hold in the end. */
function expectedOf(way: Way): Readonly<Record<string, readonly string[]>> {
  if (way === 'payment-instructions') return { A: ['1'], B: ['2'] };
  const name = (id: string): string => (way === 'notes' ? `Note ${id} at 2024-03-05T18:48:16Z` : id);
  return { A: ['1', '3', '4'].map(name), B: ['2', '5'].map(name) };
}

/** What goes wrong beside the crash, by the nth request of account A. */
const TROUBLES: Readonly<Record<string, Readonly<Record<string, Fault>>>> = {
  'no other trouble': {},
  'an answer that was lost before the request was applied': { 'A#1': { kind: 'lost', applied: false } },
  'an answer that was lost after the request was applied': { 'A#1': { kind: 'lost', applied: true } },
  'a failure after the request was applied, and then too many requests': {
    'A#1': { kind: 'answer', applied: true, answer: answer(500) },
    'A#2': { kind: 'answer', applied: false, answer: answer(429) },
  },
};

/** A process that drains the run until it dies or is done; what it knew is gone with it. */
async function processWith(
  folder: RunsFolder,
  platform: FakePlatform,
  death: Death,
): Promise<{ readonly isDone: boolean; readonly verbs: number; readonly rows: RowCounts }> {
  const run = folder.open(RUN_ID);
  let seen = { verbs: 0 };
  try {
    run.reopen(NOW);
    const through = (verbs: DrainRun): DrainRun => {
      const mortal = dying(verbs, death);
      seen = mortal.seen;
      return mortal.through;
    };
    const { end, report } = await drained(run, platform, { through });
    expect(end).toEqual({ kind: 'finished' });
    return { isDone: true, verbs: seen.verbs, rows: report.rows };
  } catch (error) {
    if (!(error instanceof Crash)) throw error;
    const { rows } = run.report();
    expect(addsUp(rows)).toBe(true);
    return { isDone: false, verbs: seen.verbs, rows };
  } finally {
    run.close();
  }
}

const NEVER = { verb: Infinity, when: 'after' } as const;

/** A staged run, to be copied for every life of it. */
async function stagedFor(way: Way): Promise<() => RunsFolder> {
  const resource = resourceOf(way);
  const isSingle = way === 'payment-instructions';
  const { run, folder } = await stagedRun(resource, csvFrom(resource, isSingle ? INSTRUCTIONS : ROWS), {
    limits: { records: isSingle ? 1 : 2, bytes: 1_000_000 },
    options: { checkPreviouslyAdded: way !== 'transactions, check off' },
  });
  run.close();
  const place = temporaryFolder();
  let copies = 0;
  return () => {
    const copy = join(place, String(++copies));
    cpSync(folder.path, copy, { recursive: true });
    return new RunsFolder(copy);
  };
}

/** Nothing lost, nothing twice, nothing out of order, and nothing claimed that is not so. */
function expectComplete(way: Way, platform: FakePlatform, rows: RowCounts): void {
  expect(platform.contents()).toEqual(expectedOf(way));
  expect(rows.created + rows.existing + rows.verify).toBe(rows.read);
  expect(platform.most.ofOneAccount).toBe(1);
  // Only where the platform has no answer of its own for what it has already (reliability.md, the table of promises).
  if (way === 'notes' || way === 'transactions') expect(rows.verify).toBe(0);
}

describe.each(WAYS)('a process that dies while it sends %s', (way) => {
  test.each(Object.entries(TROUBLES))(
    'loses and repeats nothing, at whatever step it dies: %s',
    async (_, trouble) => {
      const copy = await stagedFor(way);
      const { verbs } = await processWith(copy(), new FakePlatform(resourceOf(way), trouble), NEVER);
      expect(verbs).toBeGreaterThanOrEqual(4);
      for (let verb = 1; verb <= verbs; verb++) {
        for (const when of ['before', 'after'] as const) {
          const folder = copy();
          const platform = new FakePlatform(resourceOf(way), trouble);
          const first = await processWith(folder, platform, { verb, when });
          expect(first.isDone).toBe(false);
          // What it says at that moment is already there; what is unknown may be.
          const held = Object.values(platform.contents()).flat().length;
          expect(first.rows.created + first.rows.existing + first.rows.verify).toBeLessThanOrEqual(held);
          expect(held).toBeLessThanOrEqual(first.rows.read - first.rows.not_sent);
          expectComplete(way, platform, (await processWith(folder, platform, NEVER)).rows);
        }
      }
    },
  );
});

// Every story opens, fills and closes real files, with every commit on disk: a slow disk takes its time.
test(
  'many deaths and much trouble, in any order, lose and repeat nothing',
  { timeout: 120_000 },
  async () => {
    const copies = new Map(await Promise.all(WAYS.map(async (way) => [way, await stagedFor(way)] as const)));
    const fault: fc.Arbitrary<Fault | undefined> = fc.constantFrom<(Fault | undefined)[]>(
      undefined,
      { kind: 'lost', applied: false },
      { kind: 'lost', applied: true },
      { kind: 'not_sent' },
      { kind: 'answer', applied: true, answer: answer(502, '<html>') },
      { kind: 'answer', applied: true, answer: answer(200, '<html>Log in</html>') },
      { kind: 'answer', applied: false, answer: answer(429) },
    );
    const story = fc.record({
      way: fc.constantFrom(...WAYS),
      largest: fc.constantFrom(1, Infinity),
      troubles: fc.record({ A: fc.array(fault, { maxLength: 6 }), B: fc.array(fault, { maxLength: 6 }) }),
      deaths: fc.array(
        fc.record({ verb: fc.integer({ min: 1, max: 12 }), when: fc.constantFrom('before', 'after') }),
        { maxLength: 5 },
      ),
    });
    await fc.assert(
      fc.asyncProperty(story, async ({ way, largest, troubles, deaths }) => {
        const platform = new FakePlatform(resourceOf(way), {}, troublesOf(troubles));
        platform.largest = largest;
        const folder = copies.get(way)!();
        for (const death of deaths) await processWith(folder, platform, death);
        expectComplete(way, platform, (await processWith(folder, platform, NEVER)).rows);
      }),
      { numRuns: 50 },
    );
  },
);

/** The faults by the nth request of each account. */
function troublesOf(
  troubles: Readonly<Record<string, readonly (Fault | undefined)[]>>,
): Readonly<Record<string, Fault>> {
  return Object.fromEntries(
    Object.entries(troubles).flatMap(([account, faults]) =>
      faults.flatMap((fault, index) => (fault ? [[`${account}#${index + 1}`, fault] as const] : [])),
    ),
  );
}

test('without "sent" on disk before the bytes leave, a lost request would not be looked for', async () => {
  const copy = await stagedFor('transactions, check off');
  const folder = copy();
  const platform = new FakePlatform('transactions');
  await processWith(folder, platform, { verb: 3, when: 'before' });
  const held = Object.values(platform.contents()).flat().length;
  expect(held).toBeGreaterThan(0);
  const file = new Database(folder.fileOf(RUN_ID));
  file.exec(`UPDATE batch SET state = 'planned', unsure = 0 WHERE state = 'sent'; DELETE FROM attempt`);
  file.close();
  const { rows } = await processWith(folder, platform, NEVER);
  const twice = Object.values(platform.contents()).flat().length;
  expect([rows.created, twice]).toEqual([5, 5 + held]);
});
