import { describe, expect, test } from 'vitest';
import type { PushEvent } from '../../../../src/cli/push/events.ts';
import type { Io } from '../../../../src/cli/outside/io.ts';
import { fitted, showProgress, type ProgressFlags } from '../../../../src/cli/output/progress/progress.ts';

interface Shown {
  readonly flags: ProgressFlags;
  readonly io: Pick<Io, 'stderr' | 'timing' | 'env' | 'every'>;
  /** Looks at the clock, as happens every second. */
  tick(): void;
  readonly lines: string[];
  /** Milliseconds that have passed. */
  nowMs: number;
}

function shown(terminal: { isTTY: boolean; columns: number | undefined }, quiet = false): Shown {
  const given: Shown = {
    nowMs: 0,
    lines: [],
    tick: () => undefined,
    flags: { quiet, progress: true },
    io: {
      env: {},
      every(_, act) {
        given.tick = act;
        return () => void (given.tick = () => undefined);
      },
      timing: {
        nowMs: () => {
          throw new Error('a clock that can be set says nothing of how long something took');
        },
        monotonicMs: () => given.nowMs,
        sleep: async () => undefined,
        random: () => 0,
      },
      stderr: {
        ...terminal,
        write: (text) => void given.lines.push(text),
        settled: async () => undefined,
      },
    },
  };
  return given;
}

const NO_TERMINAL = { isTTY: false, columns: undefined };

/** What is shown off a terminal, or on one. */
async function showing(terminal = NO_TERMINAL as Parameters<typeof shown>[0], quiet = false) {
  const given = shown(terminal, quiet);
  return { given, ...(await showProgress(given.flags, given.io)) };
}

test('the first line has every fact that is known by then', async () => {
  const { given, emit } = await showing();
  emit({ kind: 'planned', records: 300 });
  given.nowMs = 10_000;
  emit({ kind: 'retry', account: 'A', attempt: 2, waitMs: 125, reason: 'status 503' });
  expect(given.lines).toEqual([
    'sending: 0 of 300 (0 %), 1 tried again, account A: status 503, next try (attempt 2) in 1 s\n',
  ]);
});

test('off a terminal a plain line comes every ten seconds, and none before', async () => {
  const { given, emit } = await showing();
  emit({ kind: 'planned', records: 300 });
  emit({ kind: 'settled', outcomes: { created: 100 } });
  expect(given.lines).toEqual([]);
  given.nowMs = 10_000;
  emit({ kind: 'settled', outcomes: { created: 99, existing: 1 } });
  given.nowMs = 19_999;
  emit({ kind: 'settled', outcomes: { created: 50 } });
  expect(given.lines).toEqual(['sending: 200 of 300 (66 %), 200 arrived\n']);
});

test('a retry is shown with its account, its reason and the wait, until the next answer', async () => {
  const { given, emit } = await showing();
  emit({ kind: 'planned', records: 3 });
  given.nowMs = 10_000;
  emit({ kind: 'retry', account: '1001', attempt: 2, waitMs: 12_000, reason: 'status 503' });
  given.nowMs = 20_000;
  emit({ kind: 'settled', outcomes: { created: 1 } });
  expect(given.lines).toEqual([
    'sending: 0 of 3 (0 %), 1 tried again, account 1001: status 503, next try (attempt 2) in 12 s\n',
    'sending: 1 of 3 (33 %), under 1 min left, 0.1 rows/s, 1 arrived, 1 tried again\n',
  ]);
});

test('a terminal that does not know its width gets plain lines', async () => {
  const { given, emit } = await showing({ isTTY: true, columns: undefined });
  given.nowMs = 10_000;
  emit({ kind: 'staging', rows: 1000, invalid: 2 });
  expect(given.lines).toEqual(['reading: 1000 rows, 2 invalid\n']);
});

test('off a terminal a plain line comes every ten seconds also while nothing happens, and none after the end', async () => {
  const { given, emit, stop } = await showing();
  emit({ kind: 'planned', records: 3 });
  for (given.nowMs = 1_000; given.nowMs <= 25_000; given.nowMs += 1_000) given.tick();
  expect(given.lines).toEqual(['sending: 0 of 3 (0 %)\n', 'sending: 0 of 3 (0 %)\n']);
  stop();
  given.nowMs = 60_000;
  given.tick();
  expect(given.lines).toHaveLength(2);
});

describe('while accounts are waited for', () => {
  const planned = { kind: 'planned', records: 1_000 } as const;
  const limit = '--wait-for-accounts';
  const waited = (accounts: number, leftMs: number) =>
    ({ kind: 'not_imported', accounts, leftMs, answered: true, limit }) as const;

  /** A run that has sent 500 records in 20 s, and sends more while three accounts are waited for. */
  async function sendingAndWaiting(): Promise<Shown & { readonly emit: (event: PushEvent) => void }> {
    const { given, emit } = await showing();
    emit(planned);
    emit(waited(3, 180_000));
    for (given.nowMs = 5_000; given.nowMs <= 20_000; given.nowMs += 5_000)
      emit({ kind: 'settled', outcomes: { created: 125 } });
    given.nowMs = 20_000;
    return Object.assign(given, { emit });
  }

  test('the line says so, and no time is promised, because nobody knows when they will be imported', async () => {
    const given = await sendingAndWaiting();
    expect(given.lines).toEqual([
      'sending: 0 of 1000 (0 %), not imported yet: 3 accounts; waiting up to 3 min 0 s (--wait-for-accounts)\n',
      expect.stringMatching(/^sending: 250 of 1000/) as string,
      'sending: 500 of 1000 (50 %), 25 rows/s, not imported yet: 3 accounts; waiting up to 2 min 40 s (--wait-for-accounts), 500 arrived\n',
    ]);
  });
});

test('--quiet shows nothing', async () => {
  const { given, emit } = await showing(NO_TERMINAL, true);
  given.nowMs = 60_000;
  emit({ kind: 'staging', rows: 1000, invalid: 2 });
  expect(given.lines).toEqual([]);
});

describe('the health of the platform is shown', () => {
  const retry = (waitMs: number) =>
    ({ kind: 'retry', account: '1001', attempt: 2, waitMs, reason: 'status 503' }) as const;

  test.each<readonly [string, PushEvent, string]>([
    [
      'a wait for all',
      { kind: 'paused', waitMs: 30_000, isOutage: false, reason: 'status 429' },
      'the platform asks to wait (status 429), next try in 30 s',
    ],
    [
      'an outage',
      { kind: 'paused', waitMs: 8_000, isOutage: true, reason: 'status 500' },
      'the platform keeps failing (status 500): one request at a time, next try in 8 s',
    ],
  ])('at once off a terminal: %s', async (_, event, words) => {
    const { given, emit } = await showing();
    emit({ kind: 'planned', records: 3 });
    emit(event);
    emit(retry(event.kind === 'paused' ? event.waitMs : 0));
    expect(given.lines).toEqual([`sending: 0 of 3 (0 %), ${words}\n`]);
  });

  test('until it is over', async () => {
    const { given, emit } = await showing();
    emit({ kind: 'planned', records: 9 });
    const line = (...events: readonly PushEvent[]): string | undefined => {
      given.nowMs += 10_000;
      for (const event of events) emit(event);
      return given.lines.at(-1);
    };
    const settled = { kind: 'settled', outcomes: { created: 1 } } as const;
    expect(line(retry(12_000))).toContain('account 1001: status 503, next try (attempt 2) in 12 s\n');
    expect(line(settled)).toBe('sending: 1 of 9 (11 %), 3 min left, 0.1 rows/s, 1 arrived, 1 tried again\n');
    const paused = { kind: 'paused', waitMs: 3_000, isOutage: false, reason: 'status 429' } as const;
    expect(line(paused)).toContain('asks to wait (status 429), next try in 3 s\n');
    expect(line(settled)).toContain('asks to wait');
    expect(line({ kind: 'resumed' }, settled)).not.toContain('asks to wait');
    expect(line({ ...paused, isOutage: true, reason: 'reset' })).toContain('keeps failing (reset)');
    expect(line({ kind: 'resumed' })).not.toContain('keeps failing');
  });
});

describe('the time that is left', () => {
  const planned = { kind: 'planned', records: 1_000 } as const;

  test('of a continued run comes from its own rate, and its share from the whole', async () => {
    const { given, emit } = await showing();
    emit({ ...planned, settled: { created: 2_000, existing: 1_000 } });
    for (const created of [50, 50]) {
      given.nowMs += 10_000;
      emit({ kind: 'settled', outcomes: { created } });
    }
    expect(given.lines).toEqual([
      'sending: 3050 of 4000 (76 %), 3050 arrived\n',
      'sending: 3100 of 4000 (77 %), 3 min left, 5.0 rows/s, 3100 arrived\n',
    ]);
  });
});

test('a stream that takes no line ends neither the events nor the looks at the clock', async () => {
  const given = shown(NO_TERMINAL);
  let tried = 0;
  const write = (): never => {
    tried++;
    throw new Error('EPIPE');
  };
  const { emit } = await showProgress(given.flags, { ...given.io, stderr: { ...given.io.stderr, write } });
  for (given.nowMs = 10_000; given.nowMs <= 30_000; given.nowMs += 10_000) {
    emit({ kind: 'settled', outcomes: { created: 1 } });
    given.tick();
  }
  // The line, and what says that there are no more of them.
  expect(tried).toBe(2);
});

test.each([80, 50])('on a terminal of %i columns no word is cut, and none is lost', (columns) => {
  const line =
    'sending: 45120 of 100000 (45 %), 1 h 12 min left, 85 rows/s, 45112 arrived, 4 unproven, 8 refused';
  const lines = fitted(line, columns).split('\n');
  // The spinner and a space are before the first line.
  expect(
    lines.map((each, index) => each.length + (index === 0 ? 2 : 0)).filter((length) => length >= columns),
  ).toEqual([]);
  expect(lines.map((each) => each.trim()).join(' ')).toBe(line);
  expect(lines.slice(1).every((each) => each.startsWith('  '))).toBe(true);
});
