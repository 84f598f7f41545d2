import { describe, expect, test } from 'vitest';
import type { Platform, PlatformAnswer, PlatformRequest } from '../../../src/cli/push/ports/platform.ts';
import { answer } from '../../support/push-batch.ts';
import { drained, fakeTiming, type DrainOptions } from '../../support/push-drained.ts';
import { FakePlatform } from '../../support/fake-platform.ts';
import { csvFrom, stagedRun } from '../../support/push-staged-run.ts';
import { virtualTiming, type VirtualTiming } from '../../support/virtual-timing.ts';

/** Rows of a number of accounts, two rows each. */
const rowsOf = (accounts: number): string =>
  Array.from({ length: accounts }, (_, index) => `A${index}:${index}-1 A${index}:${index}-2`).join(' ');

/** A platform that answers after 100 ms and refuses at times. It records when each request came and how many came at once. */
function moody(
  timing: VirtualTiming,
  no: (elapsedMs: number, inFlight: number, request: PlatformRequest) => PlatformAnswer | undefined,
) {
  const inner = new FakePlatform('transactions');
  const came: number[] = [];
  let inFlight = 0;
  const platform: Platform = {
    async send(request: PlatformRequest) {
      came.push(timing.elapsedMs);
      inFlight++;
      const refusal = no(timing.elapsedMs, inFlight, request);
      await timing.sleep(100);
      inFlight--;
      return refusal ?? inner.send(request);
    },
  };
  return { inner, came, platform };
}

async function sent(
  no: Parameters<typeof moody>[1],
  options: DrainOptions & { readonly accounts?: number; readonly random?: () => number } = {},
) {
  const { run } = await stagedRun('transactions', csvFrom('transactions', rowsOf(options.accounts ?? 40)), {
    limits: { records: 1, bytes: 1_000_000 },
  });
  const timing = virtualTiming(options.random);
  const { platform, inner, came } = moody(timing, no);
  const result = await drained(run, platform, { concurrency: 8, retryForMs: 900_000, ...options, timing });
  return { ...result, inner, came, timing };
}

const kinds = (events: readonly { readonly kind: string }[]): readonly string[] => [
  ...new Set(events.map(({ kind }) => kind)),
];

describe('a platform that is down for a minute', () => {
  const down = (elapsedMs: number) => (elapsedMs < 60_000 ? answer(500) : undefined);

  test('gets a handful of requests, and no batch is given up', async () => {
    const { end, came, report, events, timing } = await sent(down);
    expect(end).toEqual({ kind: 'finished' });
    expect(report.rows).toMatchObject({ created: 80 });
    // Eight are in flight when the platform begins to fail.
    expect(came.filter((atMs) => atMs < 60_000).length).toBeLessThan(30);
    expect(kinds(events)).toEqual(expect.arrayContaining(['paused', 'resumed']));
    // The longest wait between two probes is 20 s, so the run ends at most 20 s late.
    expect(timing.elapsedMs).toBeLessThan(90_000);
  });

  test.each([1, 2, 64])('loses nothing with %i requests at a time', async (concurrency) => {
    const { end, report, inner } = await sent(down, { concurrency });
    expect(end.kind).toBe('finished');
    expect(report.rows.created).toBe(80);
    expect(inner.most.ofOneAccount).toBe(1);
  });

  test('for longer than --retry-for ends the run in time, however many batches wait', async () => {
    const { end, timing, report } = await sent(() => answer(500), {
      concurrency: 64,
      accounts: 100,
      retryForMs: 120_000,
    });
    expect(end).toMatchObject({
      kind: 'unfinished',
      reason: {
        code: 'retry_time_used_up',
        facts: { reason: expect.stringMatching(/^status 500 \(account /) },
      },
    });
    expect(timing.elapsedMs).toBeLessThan(120_000 + 20_000 + 1_000);
    expect(report.rows.created).toBe(0);
  });
});

describe('answers of success that nobody can read', () => {
  const page = answer(200, '<html><title>Log in</title><p>Welcome</p></html>', {
    'content-type': 'text/html',
  });

  test('end the run after three to a request, and say what came', async () => {
    const { end, came, report, timing } = await sent(() => page);
    const facts = {
      what: expect.stringMatching(
        /\(account A\d, transactions-1\.csv line \d+\): .*; it got status 200, text\/html, 48 bytes: “Log in Welcome”$/,
      ),
    };
    expect(end).toEqual({ kind: 'refused', reason: { code: 'answer_unproven', facts } });
    expect(came.length).toBeLessThanOrEqual(24);
    expect(timing.elapsedMs).toBeLessThan(15_000);
    expect(report.rows).toMatchObject({ created: 0, unknown: 8, not_sent: 72 });
  });

  test('end it although all other requests are answered well', async () => {
    const { end, report } = await sent((_, __, { body }) => (body!.includes('"A5"') ? page : undefined));
    expect(end.reason).toMatchObject({
      code: 'answer_unproven',
      facts: { what: expect.stringContaining('(account A5, ') },
    });
    expect(report.rows).toMatchObject({ unknown: 1 });
  });

  test('end nothing when they pass within seconds', async () => {
    const { end, report } = await sent((elapsedMs) => (elapsedMs < 9_000 ? page : undefined));
    expect(end).toEqual({ kind: 'finished' });
    expect(report.rows.created + report.rows.existing).toBe(80);
  });
});

describe('a request that always fails', () => {
  const poison = (_: number, __: number, { body }: PlatformRequest) =>
    body!.includes('"A5"') ? answer(500) : undefined;

  test('is named with its account and lines, beside the number of those that were answered well', async () => {
    const { end, report } = await sent(poison, { retryForMs: 6_000 });
    const facts = {
      reason: 'status 500 (account A5, transactions-1.csv line 12)',
      what: expect.stringMatching(/while [1-9]\d* others were answered well/) as string,
    };
    expect(end).toMatchObject({ kind: 'unfinished', reason: { code: 'retry_time_used_up', facts } });
    expect(report.rows).toMatchObject({ created: 78, unknown: 1, not_sent: 1 });
  });

  test('leaves its place to others, and the first of several is named', async () => {
    const no = (_: number, __: number, { body }: PlatformRequest) =>
      /"A[05]"/.test(body!) ? answer(500) : undefined;
    const { end, report } = await sent(no, { retryForMs: 6_000, concurrency: 2 });
    expect(end.reason?.facts['reason']).toContain('(account A0, ');
    expect(report.rows).toMatchObject({ created: 76, unknown: 2, not_sent: 2 });
  });

  test('ends the run when a hundred others have failed before it', async () => {
    const no = (_: number, __: number, { body }: PlatformRequest) =>
      /"A\d*[13579]"/.test(body!) ? answer(500) : undefined;
    const { end, report } = await sent(no, { retryForMs: 300, accounts: 240 });
    expect(end.kind).toBe('unfinished');
    expect(report.rows.unknown).toBeLessThan(120);
    expect(report.rows.created).toBeLessThan(240);
  });

  test('ends the run when it asks for a wait, because that is asked of every request', async () => {
    const asking = { ...answer(503), headers: { 'retry-after': '120' } };
    const { end, came } = await sent((...request) => poison(...request) && asking, { retryForMs: 60_000 });
    expect(end).toMatchObject({ kind: 'unfinished', reason: { code: 'retry_time_used_up' } });
    // Without the end the other accounts would be sent within the wait.
    expect(came.length).toBeLessThan(80);
  });
});

describe('a platform that refuses a token that it has just issued', () => {
  const refused = (refusedTokens?: number) =>
    ({
      kind: 'not_sent',
      reason: 'status 401',
      status: 401,
      ...(refusedTokens && { refusedTokens }),
    }) as const;

  test('gets the next after a second, and the one after that after nine, with one request each', async () => {
    const { end, came, report, events } = await sent((elapsedMs) =>
      elapsedMs < 10_000 ? refused(elapsedMs < 1_000 ? 1 : 2) : undefined,
    );
    expect(end).toEqual({ kind: 'finished' });
    expect(report.rows).toMatchObject({ created: 80 });
    const first = Array.from({ length: 8 }, () => 0);
    expect(came.slice(0, 11)).toEqual([...first, 1_100, 10_200, expect.any(Number)]);
    expect(events.filter(({ kind }) => kind === 'paused')).toEqual(
      [1_000, 9_000].map((waitMs) => ({ kind: 'paused', waitMs, isOutage: true, reason: 'status 401' })),
    );
  });

  test('ends the run as unauthenticated when --retry-for has no time for three tokens', async () => {
    const { end, report } = await sent(() => refused(1), { retryForMs: 4_000 });
    expect(end).toMatchObject({ kind: 'unauthenticated', reason: { code: 'credentials_refused' } });
    expect(report.rows).toMatchObject({ not_sent: 80 });
  });
});

describe('a platform that is overloaded', () => {
  test('gets fewer requests at once, as many as it accepts, and the run finishes', async () => {
    const { end, report, inner } = await sent((_, inFlight) => (inFlight > 3 ? answer(503) : undefined));
    expect(end.kind).toBe('finished');
    expect(report.rows.created).toBe(80);
    expect(inner.most.inFlight).toBeLessThanOrEqual(3);
  });
});

describe('a wait that the platform asks for', () => {
  test.each([
    ['seconds', { 'retry-after': '30' }],
    [
      'a date, by its own clock',
      { date: 'Sun, 06 Nov 1994 08:49:37 GMT', 'retry-after': 'Sun, 06 Nov 1994 08:50:07 GMT' },
    ],
  ])('in %s applies to all accounts and is never shortened', async (_, headers) => {
    let hasAsked = false;
    const { came, end, events } = await sent(
      () => {
        if (hasAsked) return undefined;
        hasAsked = true;
        return answer(429, '', headers);
      },
      { random: () => 0 },
    );
    expect(end.kind).toBe('finished');
    // The requests that were in flight when the answer came, and no other until 30 s later.
    expect(came.filter((atMs) => atMs > 100 && atMs < 30_100)).toEqual([]);
    expect(came.filter((atMs) => atMs <= 100).length).toBeLessThanOrEqual(8);
    expect(events).toContainEqual({ kind: 'paused', waitMs: 30_000, isOutage: false, reason: 'status 429' });
  });

  test.each([
    ['every request', '"A', 0],
    ['one request, while others are answered well', '"A5"', 100],
  ])(
    'of more than the time of %s ends the run at once with the wait in the reason',
    async (_, whose, lastMs) => {
      const busy = answer(503, '', { 'retry-after': '601' });
      const no: Parameters<typeof moody>[1] = (_at, _many, { body }) =>
        body!.includes(whose) ? busy : undefined;
      const { end, came } = await sent(no, { retryForMs: 600_000 });
      expect(end.reason).toEqual({
        code: 'retry_time_used_up',
        facts: {
          what: 'a request was given up after 100 ms',
          reason: expect.stringMatching(/^status 503, which asks to wait 10 min 1 s \(/) as unknown,
        },
      });
      expect(Math.max(...came)).toBe(lastMs);
    },
  );
});

test('all workers together keep the rate', async () => {
  const { came, timing } = await sent(() => undefined, {
    rate: { requests: 5, perMs: 1_000 },
    concurrency: 8,
  });
  expect(came).toHaveLength(80);
  expect(timing.elapsedMs).toBeGreaterThanOrEqual(15_000);
  for (const atMs of came)
    expect(came.filter((other) => other >= atMs && other < atMs + 1_000).length).toBeLessThanOrEqual(6);
});

describe('a system clock that is changed while the run waits', () => {
  test.each([-3_600_000, 3_600_000])('by %i ms changes no wait and no limit [C151]', async (jumpMs) => {
    const run = async (setMs: number) => {
      const { run: staged } = await stagedRun('transactions', csvFrom('transactions', 'A:1 A:2'));
      const timing = fakeTiming();
      let waits = 0;
      const jumping = {
        ...timing,
        // The system clock changes during the first wait.
        nowMs: () => timing.nowMs() + (waits > 0 ? setMs : 0),
        sleep: (waitMs: number) => {
          waits++;
          return timing.sleep(waitMs);
        },
      };
      const lost = { kind: 'lost', applied: false } as const;
      const platform = new FakePlatform('transactions', { 'A#1': lost, 'A#2': lost, 'A#3': lost });
      const { end } = await drained(staged, platform, { timing: jumping, retryForMs: 60_000 });
      return { end, waits: timing.waits };
    };
    const expected = { end: { kind: 'finished' }, waits: [125, 250, 500] };
    expect([await run(0), await run(jumpMs)]).toEqual([expected, expected]);
  });
});
