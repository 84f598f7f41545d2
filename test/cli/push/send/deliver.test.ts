import { beforeEach, describe, expect, test } from 'vitest';
import type { BatchResult } from '../../../../src/cli/push/answer/classify.ts';
import type { PushEvent } from '../../../../src/cli/push/events.ts';
import type { PlatformAnswer } from '../../../../src/cli/push/ports/platform.ts';
import type { Batch, DrainRun } from '../../../../src/cli/push/ports/run.ts';
import {
  deliver,
  permitUseOf,
  type DeliveryPolicy,
  type DeliveryPorts,
} from '../../../../src/cli/push/send/deliver.ts';
import type { Permit } from '../../../../src/cli/push/send/limiter.ts';
import { AppError, NotSentError } from '../../../../src/core/app-error.ts';
import type { Resource } from '../../../../src/core/contract/resources.ts';
import { answer, batchOf, goodBody } from '../../../support/push-batch.ts';
import { fakeTiming } from '../../../support/push-drained.ts';

const lost = (changes: object = {}): PlatformAnswer => ({ kind: 'lost', reason: 'no answer', ...changes });
const notSent = (changes: object = {}): PlatformAnswer => ({
  kind: 'not_sent',
  reason: 'no way',
  ...changes,
});

describe('the use of a permit', () => {
  const ambiguous = { kind: 'ambiguous', reason: 'why' } as const;
  const useOf = (given: PlatformAnswer, result: BatchResult = ambiguous) => permitUseOf(given, result, 20);
  const failed = {
    kind: 'failed',
    overloaded: false,
    isLocal: false,
    askedMs: 0,
    probeInMs: undefined,
    reason: 'why',
  };

  test.each<readonly [string, BatchResult]>([
    ['every record is accounted for', { kind: 'ok', records: [] }],
    ['records are refused', { kind: 'rejected', records: [], errors: [] }],
    ['the request is too large', { kind: 'too_large', reason: 'x' }],
    ['the answer is from elsewhere', { kind: 'foreign', errors: [] }],
    ['the token is refused', { kind: 'unauthenticated', errors: [] }],
  ])('is good when %s', (_, result) => {
    expect(useOf(answer(503), result)).toEqual({ kind: 'succeeded', tookMs: 20 });
  });

  test.each([408, 429, 503, 504])('shows an overload with status %i', (status) => {
    expect(useOf(answer(status))).toEqual({ ...failed, overloaded: true });
  });

  test.each([500, 502, 201])('shows none with status %i', (status) => {
    expect(useOf(answer(status))).toEqual(failed);
  });

  test('shows an overload when the time is over, or this machine can open no connection', () => {
    expect(useOf(lost({ timedOut: true }))).toEqual({ ...failed, overloaded: true });
    expect(useOf(lost())).toEqual(failed);
    expect(useOf(notSent({ isLocal: true }), { kind: 'not_applied', reason: 'why' })).toEqual({
      ...failed,
      overloaded: true,
      isLocal: true,
    });
  });

  test('has the wait that is asked for, with or without an answer', () => {
    const headers = { 'retry-after': '7' };
    expect(useOf(answer(500, '', headers))).toEqual({ ...failed, askedMs: 7_000 });
    expect(useOf(lost({ headers }))).toEqual({ ...failed, askedMs: 7_000 });
  });

  test.each([
    [1, 1_000],
    [2, 9_000],
    [3, undefined],
  ])('has the wait for another token after %i refused ones', (refusedTokens, probeInMs) => {
    expect(useOf(lost({ refusedTokens }))).toEqual({ ...failed, probeInMs });
  });
});

describe('a delivery', () => {
  let noted: unknown[];
  let events: PushEvent[];

  beforeEach(() => {
    [noted, events] = [[], []];
  });

  interface Given {
    readonly resource?: Resource;
    readonly batch?: Batch;
    readonly policy?: Partial<DeliveryPolicy>;
    readonly limiter?: object;
    readonly stopping?: AbortSignal;
    readonly send?: DeliveryPorts['platform']['send'];
  }

  /** Delivers a batch to a platform that gives these answers one after the other. */
  async function delivered(answers: readonly PlatformAnswer[], given: Given = {}) {
    const { resource = 'transactions', batch = batchOf(resource, 2) } = given;
    const left = [...answers];
    const timing = fakeTiming();
    const run = {
      fail: async (_: Batch, attempt: object) => void noted.push(['fail', attempt]),
      splitInHalves: async (_: Batch, attempt: object) => void noted.push(['split', attempt]),
      claimAgain: async (again: Batch) => ({ ...again, attempt: again.attempt + 1 }),
      renewToken: async (again: Batch) => ({ ...again, attempt: 9 }),
    };
    const limiter = {
      pauseMs: () => 0,
      blockedMs: () => 0,
      unconnectedMs: () => 0,
      release: (_: Permit, use: object) => void noted.push(['release', use]),
      acquire: async (untilMs: number) => {
        noted.push(['acquire', untilMs - startedMs]);
        return PERMIT;
      },
      ...given.limiter,
    };
    const startedMs = timing.monotonicMs();
    const policy: DeliveryPolicy = {
      resource,
      sources: [{ name: 'a.csv', columns: [] }],
      options: { checkPreviouslyAdded: true, forceAddToCurrentStatement: true },
      onAmbiguous: 'resend',
      retryForMs: 60_000,
      accountNumberField: 'platform_account_number',
      database: null,
      acceptsExisting: false,
      ...given.policy,
    };
    const ports = {
      run: run as unknown as DrainRun,
      platform: { send: given.send ?? (async () => left.shift()!) },
      timing,
      emit: (event: PushEvent) => void events.push(event),
      stopping: given.stopping ?? new AbortController().signal,
      abort: new AbortController().signal,
      limiter,
      meter: { answered: (tookMs: number) => void noted.push(['answered', tookMs]) },
    } as unknown as DeliveryPorts;
    const end = await deliver({ batch, permit: PERMIT }, policy, ports);
    return { end, waits: timing.waits, unsent: left.length };
  }
  const PERMIT = { isProbe: false, reductionsBefore: 0 };
  const LONGEST = 10_000;
  const OK = answer(201, goodBody('transactions', batchOf('transactions', 2)));
  const failure = (reason: string, changes: object = {}) => [
    'release',
    {
      kind: 'failed',
      overloaded: false,
      isLocal: false,
      askedMs: 0,
      probeInMs: undefined,
      reason,
      ...changes,
    },
  ];

  test('that the run has stopped sends nothing', async () => {
    const { end, unsent } = await delivered([OK], { stopping: AbortSignal.abort() });
    expect([end, unsent]).toEqual([{ kind: 'stopped' }, 1]);
    expect(noted).toEqual([['fail', { kind: 'not_applied', status: null, reason: 'not begun' }]]);
  });

  test('that is answered keeps its permit', async () => {
    const { end } = await delivered([OK]);
    expect(end).toMatchObject({
      kind: 'answered',
      status: 201,
      tookMs: 0,
      permit: PERMIT,
      result: { kind: 'ok' },
    });
    expect(noted).toEqual([['answered', 0]]);
  });

  test('that fails is tried again, in doubt if it may have been applied', async () => {
    const { end, waits } = await delivered([lost(), answer(429), OK]);
    expect(end).toMatchObject({ kind: 'answered', batch: { attempt: 3 } });
    expect(waits).toEqual([125, 250]);
    expect(noted).toEqual([
      ['fail', { kind: 'ambiguous', status: null, reason: 'no answer', problems: [] }],
      failure('no answer'),
      ['acquire', 60_000],
      ['answered', 0],
      ['fail', { kind: 'not_applied', status: 429, reason: 'status 429' }],
      failure('status 429', { overloaded: true }),
      ['acquire', 60_000],
      ['answered', 0],
    ]);
    expect(events).toEqual([
      { kind: 'retry', account: 'A-100', attempt: 2, waitMs: 125, reason: 'no answer' },
      { kind: 'retry', account: 'A-100', attempt: 3, waitMs: 250, reason: 'status 429' },
    ]);
  });

  test('tells how long every request is blocked, and waits no longer than its own time', async () => {
    const { waits } = await delivered([lost(), OK], { limiter: { blockedMs: () => 5_000 } });
    expect(events).toMatchObject([{ kind: 'retry', waitMs: 5_000 }]);
    expect(waits).toEqual([125]);
  });

  test('that is too large is cut', async () => {
    expect((await delivered([answer(413)])).end).toEqual({ kind: 'split' });
    expect(noted).toEqual([
      ['answered', 0],
      ['split', { kind: 'not_applied', status: 413, reason: 'status 413' }],
      ['release', { kind: 'succeeded', tookMs: 0 }],
    ]);
  });

  test('that may have been applied is not resent with --on-ambiguous stop, and its permit is kept', async () => {
    const policy = { onAmbiguous: 'stop' } as const;
    const { end } = await delivered([lost()], { policy });
    expect(end).toMatchObject({
      kind: 'unresolved',
      reason: 'no answer',
      attempt: {
        kind: 'ambiguous',
        status: null,
        reason: 'no answer',
        problems: [{ code: 'outcome_left_open' }],
      },
    });
    expect(noted).toEqual([]);
    // What was surely not applied is.
    expect((await delivered([notSent(), OK], { policy })).end).toMatchObject({ kind: 'answered' });
  });

  test('warns once of answers to other requests', async () => {
    const other = answer(201, {
      ...(goodBody('transactions', batchOf('transactions', 2)) as object),
      import_supplier: 'X',
    });
    await delivered([other, lost(), other, OK]);
    const problems = noted.flatMap((each) => {
      const [kind, attempt] = each as [string, { problems?: readonly { code: string; severity: string }[] }];
      return kind === 'fail' ? [attempt.problems!.map(({ code, severity }) => `${severity} ${code}`)] : [];
    });
    expect(problems).toEqual([['warning answer_of_another_request'], [], []]);
  });

  test('of statements that may have been applied goes on one by one', async () => {
    expect((await delivered([lost()], { resource: 'statements' })).end).toEqual({ kind: 'split' });
    expect(noted.at(-1)).toEqual(['release', { kind: 'unused' }]);
    for (const [batch, first] of [
      [batchOf('statements', 1), lost()],
      [batchOf('statements', 2), notSent()],
    ] as const) {
      const good = answer(201, goodBody('statements', batch));
      const { end } = await delivered([first, good], { resource: 'statements', batch });
      expect(end).toMatchObject({ kind: 'answered', batch: { attempt: 2 } });
    }
  });

  test('ends when the run stops in its wait, or its time is over', async () => {
    const stopped = { acquire: async () => 'closed' };
    expect((await delivered([lost()], { limiter: stopped })).end).toEqual({ kind: 'stopped' });
    const expired = { acquire: async () => 'expired' };
    expect((await delivered([lost()], { limiter: expired })).end).toEqual({
      kind: 'gave_up',
      reason: 'no answer',
      afterMs: 125,
    });
    expect((await delivered([notSent({ isLocal: true })], { limiter: expired })).end).toEqual({
      kind: 'unconnected',
      reason: 'no way',
    });
  });

  test('ends when the run stops while its attempt fails', async () => {
    const stopping = new AbortController();
    const send = async (): Promise<PlatformAnswer> => {
      stopping.abort();
      return lost();
    };
    expect((await delivered([], { send, stopping: stopping.signal })).end).toEqual({ kind: 'stopped' });
    expect(noted).toEqual([['fail', { kind: 'ambiguous', status: null, reason: 'no answer', problems: [] }]]);
    expect(events).toEqual([]);
  });

  describe('has no time for another attempt', () => {
    const policy = { retryForMs: 0 };

    test.each<readonly [string, PlatformAnswer, object]>([
      ['after a failure', answer(503), { kind: 'gave_up', reason: 'status 503', afterMs: 0 }],
      [
        'when the platform asks to wait',
        answer(503, '', { 'retry-after': '5' }),
        { kind: 'gave_up', reason: 'status 503, which asks to wait 5 s', afterMs: 0 },
      ],
      [
        'after informational answers',
        lost({ isInformational: true }),
        { kind: 'gave_up', reason: 'no answer', afterMs: 0, isInformational: true },
      ],
      ['without a connection', notSent({ isLocal: true }), { kind: 'unconnected', reason: 'no way' }],
    ])('%s', async (_, given, expected) => {
      expect((await delivered([given], { policy })).end).toEqual(expected);
      expect(noted.some((each) => (each as unknown[])[0] === 'release')).toBe(false);
    });

    test('of three tokens', async () => {
      const refused = lost({ refusedTokens: 2 });
      const { end } = await delivered([refused], { policy });
      expect(end).toMatchObject({
        kind: 'unauthenticated',
        error: { code: 'credentials_new_tokens_refused' },
      });
      const expired = { acquire: async () => 'expired' };
      const enough = { policy: { retryForMs: 15_000 }, limiter: expired };
      expect((await delivered([refused], enough)).end).toMatchObject({ kind: 'gave_up' });
    });
  });

  test('ends when the platform asks for a longer wait than a run makes', async () => {
    const asking = answer(429, '', { 'retry-after': '601' });
    expect((await delivered([asking])).end).toEqual({
      kind: 'asked_to_wait',
      reason: 'status 429',
      askedMs: 601_000,
    });
    expect((await delivered([lost()], { limiter: { pauseMs: () => 600_001 } })).end).toMatchObject({
      kind: 'asked_to_wait',
      askedMs: 600_001,
    });
  });

  test('ends when this machine can open no connection for long', async () => {
    const local = notSent({ isLocal: true });
    const since = (unconnectedMs: number) => ({ limiter: { unconnectedMs: () => unconnectedMs } });
    expect((await delivered([local], since(LONGEST))).end).toEqual({ kind: 'unconnected', reason: 'no way' });
    expect((await delivered([local, OK], since(LONGEST - 1))).end).toMatchObject({ kind: 'answered' });
    // A failure of another kind says nothing about this machine.
    expect((await delivered([lost(), OK], since(LONGEST))).end).toMatchObject({ kind: 'answered' });
  });

  test.each<readonly [string, Error, readonly unknown[]]>([
    ['is recorded', new NotSentError('credentials_new_tokens_refused', { status: 401 }), [401]],
    ['is recorded without a status', new NotSentError('credentials_new_tokens_refused'), [null]],
    ['leaves the batch in doubt when it proves nothing', new TypeError('bug'), []],
    ['leaves the batch in doubt when it is about a file', new AppError('file_not_writable'), []],
  ])('that an error ends %s', async (_, error, statuses) => {
    const send = async (): Promise<PlatformAnswer> => Promise.reject(error);
    await expect(delivered([], { send })).rejects.toBe(error);
    expect(noted).toEqual(
      statuses.map((status) => [
        'fail',
        { kind: 'not_applied', status, reason: 'credentials_new_tokens_refused' },
      ]),
    );
  });

  test('that is resent with a new token keeps its seal', async () => {
    const send: DeliveryPorts['platform']['send'] = async (_request, _signal, onResend) => {
      await onResend!();
      return OK;
    };
    const { end } = await delivered([], { send });
    const { batch } = end as { batch: Batch };
    expect(batch.attempt).toBe(9);
    expect(batch.exchange).toEqual({
      request: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      answer: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
    });
  });

  test('reads the answer by what was asked for', async () => {
    const unknown = answer(400, { errors: [{ detail: 'No.', code: 'invalid', attr: 'dry_run' }] });
    const options = { checkPreviouslyAdded: true, forceAddToCurrentStatement: true };
    const kindOf = async (given: PlatformAnswer, more: object) => {
      const { end } = await delivered([given], { policy: { options: { ...options, ...more } } });
      return end.kind === 'answered' ? end.result.kind : end.kind;
    };
    expect(await kindOf(unknown, { askPlatform: true })).toBe('foreign');
    const one = batchOf('transactions', 2);
    const items = (goodBody('transactions', one) as { results: { transaction_data: object }[] }).results;
    const blank = answer(201, {
      results: items.map((item) => ({
        ...item,
        transaction_data: { ...item.transaction_data, reference: 'R ' },
      })),
    });
    const sent = {
      ...one,
      records: one.records.map((each) => ({
        ...each,
        payload: each.payload.replace('{', '{"reference":"R",'),
      })),
    };
    const outcomesOf = async (contract: object | undefined) => {
      const policy = { options: { ...options, ...(contract && { contract }) } } as Partial<DeliveryPolicy>;
      const { end } = await delivered([blank], { batch: sent, policy });
      return (
        end.kind === 'answered' &&
        end.result.kind === 'ok' &&
        end.result.records.map(({ outcome }) => outcome)
      );
    };
    expect(await outcomesOf({ trims: true, saysDryRun: false })).toEqual(['created', 'created']);
    expect(await outcomesOf(undefined)).toEqual(['verify', 'verify']);
  });
});
