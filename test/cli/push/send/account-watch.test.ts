import { expect, test } from 'vitest';
import {
  watchAccounts,
  type AccountQuestions,
  type AccountWatch,
} from '../../../../src/cli/push/send/account-watch.ts';
import { fakeTiming } from '../../../support/push-drained.ts';

type State = 'staged' | 'in_progress' | 'imported' | 'failed' | 'missing' | 'queued' | 'rejected' | 'odd';

const STATUS = {
  staged: 'UNKNOWN',
  in_progress: 'IN_PROGRESS',
  imported: 'COMPLETED',
  failed: 'UNKNOWN',
  missing: 'missing',
  // Statuses of one deployment.
  queued: 'PENDING',
  rejected: 'REJECTED',
  odd: 'PAUSED',
};

const UNKNOWN = 'not begun, or failed: the platform does not say which';

/** A platform whose accounts have another state in every round; the last round repeats. `null`: it does not answer. */
function platformOf(rounds: readonly (readonly State[] | null)[]) {
  let round = -1;
  const asked: string[] = [];
  const now = () => rounds[Math.min(round, rounds.length - 1)] ?? null;
  const questions: AccountQuestions = {
    async list() {
      round++;
      asked.push('list');
      const states = now();
      return (
        (states &&
          new Map(
            states.flatMap((state, index) =>
              state === 'missing' ? [] : [[String(index + 1), state === 'imported']],
            ),
          )) ??
        undefined
      );
    },
    async status({ external_account_number: number }) {
      asked.push(number);
      return STATUS[now()![Number.parseInt(number, 10) - 1]!];
    },
  };
  return { questions, asked };
}

async function watched(
  rounds: readonly (readonly State[] | null)[],
  waitMs: number,
  seenUnderWay: readonly number[] = [],
  stopping = new AbortController().signal,
  onWait: AccountWatch['onWait'] = () => undefined,
  onAsked: (ageMs: number) => void = () => undefined,
) {
  const { questions, asked } = platformOf(rounds);
  const timing = fakeTiming();
  const ready: number[] = [];
  const seen = [...seenUnderWay];
  const count = rounds.find((states) => states !== null)!.length;
  const notReady = await watchAccounts({
    accounts: Array.from({ length: count }, (_, index) => index + 1),
    keyOf: (account) => ({ import_supplier: 'ACME', external_account_number: String(account) }),
    questions,
    timing,
    waitMs,
    retryForMs: 10_000,
    stopping,
    wasUnderWay: (account) => seen.includes(account),
    onUnderWay: (account) => seen.push(account),
    onReady: (account) => ready.push(account),
    onWait,
  });
  const states = [...notReady].map(([account, { asked: saidAt, ...state }]) => {
    if (saidAt !== undefined) onAsked(timing.nowMs() - Date.parse(saidAt));
    return [account, state] as const;
  });
  return { ready, notReady: Object.fromEntries(states), asked, waits: timing.waits, seen };
}

/** What a watch needs that asks once and does not wait. */
const once = () => ({
  keyOf: (account: number) => ({ import_supplier: 'ACME', external_account_number: String(account) }),
  onReady: () => undefined,
  timing: fakeTiming(),
  waitMs: 0,
  retryForMs: 0,
  stopping: new AbortController().signal,
  wasUnderWay: () => false,
  onUnderWay: () => undefined,
  onWait: () => undefined,
});

test('accounts that are imported are ready after one list, and no account is asked for', async () => {
  expect(await watched([['imported', 'imported']], 0)).toEqual({
    ready: [1, 2],
    notReady: {},
    asked: ['list'],
    waits: [],
    seen: [],
  });
});

test('without a wait the platform is asked once, and the others are reported with their state', async () => {
  expect(await watched([['imported', 'staged', 'in_progress', 'missing']], 0)).toEqual({
    ready: [1],
    notReady: {
      2: { why: 'open', state: UNKNOWN },
      3: { why: 'open', state: 'in progress' },
      4: { why: 'open', state: 'the platform does not know it' },
    },
    asked: ['list', '2', '3', '4'],
    waits: [],
    seen: [3],
  });
});

test('the waits grow, begin anew when an account became ready, and end when all are', async () => {
  const staged: readonly State[] = ['staged', 'staged'];
  const { ready, waits } = await watched(
    [staged, staged, staged, ['imported', 'staged'], ['imported', 'staged'], ['imported', 'imported']],
    3_600_000,
  );
  expect(ready).toEqual([1, 2]);
  expect(waits).toEqual([2_000, 3_000, 4_500, 2_000, 3_000]);
});

test('a process that is stopped beyond the time for waiting asks once more', async () => {
  const { questions, asked } = platformOf([['staged'], ['imported']]);
  const timing = fakeTiming();
  const stopped: AccountQuestions = {
    ...questions,
    async list(supplier) {
      const answer = await questions.list(supplier);
      await timing.sleep(3_600_000);
      return answer;
    },
  };
  const ready: number[] = [];
  const notReady = await watchAccounts({
    ...once(),
    accounts: [1],
    questions: stopped,
    timing,
    waitMs: 60_000,
    onReady: (account) => ready.push(account),
  });
  expect([ready, notReady.size, asked]).toEqual([[1], 0, ['list', '1', 'list']]);
});

test('an import that was under way and is not any more has failed, and nobody waits for failed ones alone', async () => {
  const { waits, notReady } = await watched([['in_progress'], ['failed']], 3_600_000);
  expect(waits).toEqual([2_000]);
  expect(notReady).toEqual({ 1: { why: 'import_failed', state: UNKNOWN } });
});

test('an import that an earlier command saw under way and that is not any more has failed', async () => {
  const { notReady, seen } = await watched([['failed', 'failed', 'in_progress']], 0, [1]);
  expect(notReady).toEqual({
    1: { why: 'import_failed', state: UNKNOWN },
    2: { why: 'open', state: UNKNOWN },
    3: { why: 'open', state: 'in progress' },
  });
  expect(seen).toEqual([1, 3]);
});

test('a platform that does not answer is asked again although no account is to be waited for', async () => {
  const { ready, waits } = await watched([null, null, ['imported']], 0);
  expect([ready, waits]).toEqual([[1], [2_000, 3_000]]);
});

test('a platform that never answers is given up after the time for retries, and the accounts are not forgotten', async () => {
  const silent = [null, null, null, null, null, null];
  const { notReady, waits } = await watched([...silent, ['missing']], 0);
  expect(waits).toEqual([2_000, 3_000, 4_500, 500]);
  expect(notReady).toEqual({
    1: { why: 'not_asked', state: 'the platform did not answer the question' },
  });
});

test('a platform that answers no more leaves its last answer, and the wait counts as broken off', async () => {
  const { notReady, waits } = await watched([['staged'], ['staged'], null], 4_000);
  // The time for retries begins with the last answer.
  expect(waits).toEqual([2_000, 2_000, 4_500, 3_500]);
  expect(notReady).toEqual({ 1: { why: 'open', state: UNKNOWN } });
});

test('a command that was stopped before the first question says so', async () => {
  const { notReady, asked } = await watched([['imported']], 3_600_000, [], AbortSignal.abort());
  expect(asked).toEqual([]);
  expect(notReady).toEqual({
    1: { why: 'not_asked', state: 'the command was stopped before the platform answered' },
  });
});

test('an import that the platform calls rejected has failed at the first question already', async () => {
  const { waits, notReady } = await watched([['rejected', 'rejected']], 3_600_000);
  expect(waits).toEqual([]);
  expect(notReady).toEqual({
    1: { why: 'import_failed', state: 'rejected' },
    2: { why: 'import_failed', state: 'rejected' },
  });
  expect((await watched([['rejected', 'queued']], 0)).notReady).toEqual({
    1: { why: 'import_failed', state: 'rejected' },
    2: { why: 'open', state: 'pending' },
  });
});

test('every account that may have failed is asked for, and a hundred of the others', async () => {
  const all = (state: State): readonly State[] => Array.from({ length: 250 }, () => state);
  const seen = Array.from({ length: 130 }, (_, index) => index + 1);
  const { notReady, asked } = await watched([all('failed')], 0, seen);
  const why = Object.values(notReady).map((each) => each.why);
  expect([why.filter((each) => each === 'import_failed').length, asked.length - 1]).toEqual([130, 230]);
  // The list alone does not have the last ones.
  const unlisted = await watched([all('missing')], 0);
  expect(unlisted.notReady[250]).toEqual({ why: 'open', state: 'not in the list of the platform' });
});

test('the list of its own supplier decides about each account', async () => {
  const lists: Readonly<Record<string, ReadonlyMap<string, boolean>>> = {
    ACME: new Map([['1', true]]),
    BETA: new Map([['2', true]]),
  };
  const [asked, ready]: [string[], number[]] = [[], []];
  const notReady = await watchAccounts({
    ...once(),
    accounts: [1, 2],
    keyOf: (account) => ({
      import_supplier: account === 1 ? 'ACME' : 'BETA',
      external_account_number: String(account),
    }),
    questions: {
      async list(supplier) {
        asked.push(supplier);
        return lists[supplier];
      },
      status: async () => 'missing',
    },
    onReady: (account) => ready.push(account),
  });
  expect([asked, ready, [...notReady]]).toEqual([['ACME', 'BETA'], [1, 2], []]);
});

test('a command that is stopped in a wait says when the platform was last asked', async () => {
  const stop = new AbortController();
  let waits = 0;
  const onWait = (): void => void (++waits === 3 && stop.abort());
  const ages: number[] = [];
  await watched([['in_progress']], 3_600_000, [], stop.signal, onWait, (ageMs) => ages.push(ageMs));
  expect(ages).toEqual([4_500]);
});

test.each([
  ['COMPLETED', [1], []],
  [undefined, [], [[1, 'pending']]],
] as const)('an account that the list calls pending and its status %s', async (status, readyAtLast, left) => {
  const ready: number[] = [];
  const notReady = await watchAccounts({
    ...once(),
    accounts: [1],
    questions: { list: async () => new Map([['1', false]]), status: async () => status },
    onReady: (account) => void ready.push(account),
  });
  expect(ready).toEqual(readyAtLast);
  expect([...notReady].map(([account, { state }]) => [account, state])).toEqual(left);
});

test('a list that is not answered leaves the accounts of the others open', async () => {
  const notReady = await watchAccounts({
    ...once(),
    accounts: [1, 2],
    keyOf: (account) => ({ import_supplier: account === 1 ? 'ACME' : 'OTHER', external_account_number: '1' }),
    questions: {
      list: async (supplier) => (supplier === 'ACME' ? new Map([['1', false]]) : undefined),
      status: async () => 'UNKNOWN',
    },
  });
  expect(Object.fromEntries(notReady)).toEqual({
    1: { why: 'open', state: 'pending' },
    2: { why: 'not_asked', state: 'the platform did not answer the question' },
  });
});
