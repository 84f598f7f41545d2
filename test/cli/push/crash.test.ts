import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { DrainRun } from '../../../src/cli/push/ports/run.ts';
import { addsUp, type RowCounts } from '../../../src/cli/push/ports/report.ts';
import { RESOURCES, type Resource } from '../../../src/core/contract/resources.ts';
import { quickFolder } from '../../harness/campaigns/quick-folder.ts';
import { Crash, dying, type Death } from '../../support/dying-operations.ts';
import { answer } from '../../support/push-batch.ts';
import { drained } from '../../support/push-drained.ts';
import { FakePlatform, type Fault } from '../../support/fake-platform.ts';
import { csvFrom, reopened, stagedRun } from '../../support/push-staged-run.ts';

/** Every way of sending: the four resources, and transactions without the check for existing ones. */
const WAYS = [...RESOURCES, 'transactions, check off'] as const;
type Way = (typeof WAYS)[number];

const resourceOf = (way: Way): Resource => (way === 'transactions, check off' ? 'transactions' : way);
const ROWS = 'A:1 B:2 A:3 A:4 B:5';
const INSTRUCTIONS = 'A:1 B:2';

/** The records that the platform must have in the end. */
function expectedOf(way: Way): Readonly<Record<string, readonly string[]>> {
  if (way === 'payment-instructions') return { A: ['1'], B: ['2'] };
  const name = (id: string): string => (way === 'notes' ? `Note ${id} at 2024-03-05T18:48:16Z` : id);
  return { A: ['1', '3', '4'].map(name), B: ['2', '5'].map(name) };
}

/** Faults besides the crash, by the nth request of account A. */
const FAULTS: Readonly<Record<string, Readonly<Record<string, Fault>>>> = {
  'no other fault': {},
  'an answer lost before the request was applied': { 'A#1': { kind: 'lost', applied: false } },
  'an answer lost after the request was applied': { 'A#1': { kind: 'lost', applied: true } },
  'a failure after the request was applied, and then too many requests': {
    'A#1': { kind: 'answer', applied: true, answer: answer(500) },
    'A#2': { kind: 'answer', applied: false, answer: answer(429) },
  },
};

/** Runs a process that drains the run until it dies or is done. Its memory is lost with it. */
async function processWith(
  folder: string,
  platform: FakePlatform,
  death: Death,
): Promise<{ readonly isDone: boolean; readonly operations: number; readonly rows: RowCounts }> {
  const run = reopened(folder);
  let seen = { operations: 0 };
  try {
    const through = (operations: DrainRun): DrainRun => {
      const mortal = dying(operations, death);
      seen = mortal.seen;
      return mortal.through;
    };
    const { end, report } = await drained(run, platform, { through });
    expect(end).toEqual({ kind: 'finished' });
    return { isDone: true, operations: seen.operations, rows: report.rows };
  } catch (error) {
    if (!(error instanceof Crash)) throw error;
    const { rows } = run.report();
    expect(addsUp(rows)).toBe(true);
    return { isDone: false, operations: seen.operations, rows };
  } finally {
    run.close();
  }
}

const NEVER = { step: Infinity, when: 'after' } as const;

/** A staged run that every life copies, in memory where the system has such a file system. */
async function stagedFor(way: Way): Promise<() => string> {
  const resource = resourceOf(way);
  const isSingle = way === 'payment-instructions';
  const { run, folder } = await stagedRun(resource, csvFrom(resource, isSingle ? INSTRUCTIONS : ROWS), {
    limits: { records: isSingle ? 1 : 2, bytes: 1_000_000 },
    options: { checkPreviouslyAdded: way !== 'transactions, check off' },
  });
  run.close();
  const parent = quickFolder();
  onTestFinished(() => rmSync(parent, { recursive: true, force: true }));
  let copies = 0;
  return () => {
    const copy = join(parent, String(++copies));
    cpSync(folder, copy, { recursive: true });
    return copy;
  };
}

/** No record is lost, sent twice or out of order, and the report is true. */
function expectComplete(way: Way, platform: FakePlatform, rows: RowCounts): void {
  expect(platform.contents()).toEqual(expectedOf(way));
  expect(rows.created + rows.existing + rows.verify).toBe(rows.read);
  expect(platform.most.ofOneAccount).toBe(1);
  // The platform reports notes and transactions that it already has, so the outcome is always certain.
  if (way === 'notes' || way === 'transactions') expect(rows.verify).toBe(0);
}

describe.each(WAYS)('a process that dies while it sends %s', (way) => {
  // Transactions have every fault. A lost answer is the same for all resources, so the others have none, and two together.
  const isWhole = resourceOf(way) === 'transactions';
  const met = Object.entries(FAULTS).filter(([name]) => isWhole || !name.startsWith('an answer lost'));
  test.each(met)('loses and repeats nothing at whichever step it dies, with %s', async (_, faults) => {
    const copy = await stagedFor(way);
    const { operations } = await processWith(copy(), new FakePlatform(resourceOf(way), faults), NEVER);
    expect(operations).toBeGreaterThanOrEqual(4);
    for (let step = 1; step <= operations; step++) {
      // A death before a step leaves what the death after the step before it leaves.
      for (const when of step === 1 ? (['before', 'after'] as const) : (['after'] as const)) {
        const folder = copy();
        const platform = new FakePlatform(resourceOf(way), faults);
        const first = await processWith(folder, platform, { step, when });
        expect(first.isDone).toBe(false);
        // The platform already has every record that the dead process reports. It may have the unknown ones.
        const stored = Object.values(platform.contents()).flat().length;
        expect(first.rows.created + first.rows.existing + first.rows.verify).toBeLessThanOrEqual(stored);
        expect(stored).toBeLessThanOrEqual(first.rows.read - first.rows.not_sent);
        expectComplete(way, platform, (await processWith(folder, platform, NEVER)).rows);
      }
    }
  });
});

test('many deaths and faults in any order lose and repeat nothing', async () => {
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
    faults: fc.record({ A: fc.array(fault, { maxLength: 6 }), B: fc.array(fault, { maxLength: 6 }) }),
    deaths: fc.array(
      fc.record({ step: fc.integer({ min: 1, max: 12 }), when: fc.constantFrom('before', 'after') }),
      { maxLength: 5 },
    ),
  });
  await fc.assert(
    fc.asyncProperty(story, async ({ way, largest, faults, deaths }) => {
      const platform = new FakePlatform(resourceOf(way), {}, faultsOf(faults));
      platform.largest = largest;
      const folder = copies.get(way)!();
      for (const death of deaths) await processWith(folder, platform, death);
      expectComplete(way, platform, (await processWith(folder, platform, NEVER)).rows);
    }),
    { numRuns: 12 },
  );
});

/** The faults by the nth request of each account. */
function faultsOf(
  byAccount: Readonly<Record<string, readonly (Fault | undefined)[]>>,
): Readonly<Record<string, Fault>> {
  return Object.fromEntries(
    Object.entries(byAccount).flatMap(([account, faults]) =>
      faults.flatMap((fault, index) => (fault ? [[`${account}#${index + 1}`, fault] as const] : [])),
    ),
  );
}
