import { expect, test } from 'vitest';
import { cohortRun } from '../../../../src/cli/push/send/cohort-run.ts';
import type { Batch, DrainRun, Settlement } from '../../../../src/cli/push/ports/run.ts';

const SETTLEMENT = {} as Settlement;

/** A run with so many open batches of each account. Operations that a test does not name fail. */
function runWith(open: Readonly<Record<number, number>>) {
  const left = new Map(Object.entries(open).map(([account, count]) => [Number.parseInt(account, 10), count]));
  const calls: string[] = [];
  const batchOf = (account: number): Batch | undefined =>
    (left.get(account) ?? 0) > 0
      ? ({ id: 100 * account + left.get(account)!, attempt: 1, records: [], inDoubt: false } as never)
      : undefined;
  const run: DrainRun = {
    nextAccount: (after) =>
      [...left].toSorted(([a], [b]) => a - b).find(([account, count]) => account > after && count > 0)?.[0],
    claimNext: async (account, isWanted) => (isWanted?.() === false ? undefined : batchOf(account)),
    settle: async (batch, _, claimsNext) => {
      const account = Math.floor(batch.id / 100);
      left.set(account, left.get(account)! - 1);
      return claimsNext?.() ? batchOf(account) : undefined;
    },
    fail: async (batch) => void calls.push(`fail ${batch.id}`),
    claimAgain: async (batch) => ({ ...batch, attempt: batch.attempt + 1, part: undefined as never }),
    splitInHalves: async (batch) => void calls.push(`split ${batch.id}`),
  };
  return { run, calls };
}

interface TestPart extends ReturnType<typeof runWith> {
  readonly failed?: readonly number[];
}

/** A cohort of runs whose accounts have the numbers of the cohort plus ten times the index of the run. */
function cohortOf(parts: readonly TestPart[], accounts: number, continuesAfterFailure = false): DrainRun {
  const known = parts.map(({ run }, index) => ({
    run,
    accountIn: (account: number) => (account === 3 && index === 0 ? undefined : account + 10 * index),
    hasFailed: (accountIn: number) => parts[index]!.failed?.includes(accountIn) ?? false,
  }));
  return cohortRun({ parts: known, accounts, continuesAfterFailure });
}

test('a part of an account begins when everything of the part before it is settled', async () => {
  const cohort = cohortOf([runWith({ 1: 2 }), runWith({ 11: 1 })], 1);
  const claimed: (readonly [number | undefined, number])[] = [];
  for (let batch = await cohort.claimNext(1); batch; batch = await cohort.claimNext(1)) {
    claimed.push([batch.part, batch.id]);
    await cohort.settle(batch, SETTLEMENT);
  }
  expect(claimed).toEqual([
    [0, 102],
    [0, 101],
    [1, 1101],
  ]);
  expect(cohort.nextAccount(0)).toBeUndefined();
});

test('accounts are independent: one without the first part begins with the second', async () => {
  const cohort = cohortOf([runWith({ 1: 1 }), runWith({ 12: 1, 13: 1 })], 3);
  expect([
    cohort.nextAccount(0),
    cohort.nextAccount(1),
    cohort.nextAccount(2),
    cohort.nextAccount(3),
  ]).toEqual([1, 2, 3, undefined]);
  expect(await cohort.claimNext(3)).toMatchObject({ part: 1, id: 1301 });
});

test('a batch that is settled and the next one of its account name the same part', async () => {
  const cohort = cohortOf([runWith({ 1: 1 }), runWith({ 11: 2 })], 1);
  await cohort.settle((await cohort.claimNext(1))!, SETTLEMENT);
  const first = (await cohort.claimNext(1))!;
  expect(await cohort.settle(first, SETTLEMENT, () => true)).toMatchObject({ part: 1, id: 1101 });
});

test('a failed part holds the later parts of its account back, unless the cohort continues after failures', async () => {
  const parts = () => [{ ...runWith({}), failed: [1] }, runWith({ 11: 1, 12: 1 })];
  expect(await cohortOf(parts(), 2).claimNext(1)).toBeUndefined();
  expect(cohortOf(parts(), 2).nextAccount(0)).toBe(2);
  expect(await cohortOf(parts(), 2, true).claimNext(1)).toMatchObject({ part: 1 });
});

test('open batches of a failed part are still sent', async () => {
  const cohort = cohortOf([{ ...runWith({ 1: 1 }), failed: [1] }, runWith({ 11: 1 })], 1);
  expect(await cohort.claimNext(1)).toMatchObject({ part: 0 });
});

test('every operation about a batch goes to the run of its part', async () => {
  const [notes, transactions] = [runWith({}), runWith({ 11: 1 })];
  const cohort = cohortOf([notes, transactions], 1);
  const batch = (await cohort.claimNext(1))!;
  await cohort.fail(batch, {} as never);
  await cohort.splitInHalves(batch, {} as never);
  expect(await cohort.claimAgain(batch)).toMatchObject({ attempt: 2, part: 1 });
  expect([notes.calls, transactions.calls]).toEqual([[], ['fail 1101', 'split 1101']]);
});

test('a batch that nobody wants any more is not claimed', async () => {
  const cohort = cohortOf([runWith({ 1: 1 })], 1);
  expect(await cohort.claimNext(1, () => false)).toBeUndefined();
});
