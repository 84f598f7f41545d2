import { expect, test } from 'vitest';
import { showProgress, type ProgressWorld } from '../../../src/cli/render/progress.ts';

interface Shown {
  readonly world: ProgressWorld;
  readonly lines: string[];
  /** Milliseconds that have passed. */
  nowMs: number;
}

function shown(terminal: { isTTY: boolean; columns: number | undefined }, quiet = false): Shown {
  const given: Shown = {
    nowMs: 0,
    lines: [],
    world: {
      io: {
        env: {},
        timing: { nowMs: () => given.nowMs, sleep: async () => undefined, random: () => 0 },
        stderr: {
          ...terminal,
          write: (text) => void given.lines.push(text),
          settled: async () => undefined,
        },
      },
      globals: { quiet, progress: true },
      color: { stderr: false },
    },
  };
  return given;
}

const NO_TERMINAL = { isTTY: false, columns: undefined };

test('what is known before anything is done is told from the first line on', async () => {
  const given = shown(NO_TERMINAL);
  const { emit } = await showProgress(given.world, {
    kind: 'planned',
    records: 300,
    batches: 3,
    accounts: 2,
  });
  given.nowMs = 10_000;
  emit({ kind: 'retry', account: 'A', attempt: 2, waitMs: 125, reason: 'status 503' });
  expect(given.lines).toEqual([
    'sending: 0 of 300, 1 tried again, account A: status 503, next try (attempt 2) in 125 ms\n',
  ]);
});

test('away from a terminal a plain line comes every ten seconds, and none before', async () => {
  const given = shown(NO_TERMINAL);
  const { emit } = await showProgress(given.world);
  emit({ kind: 'planned', records: 300, batches: 3, accounts: 2 });
  emit({ kind: 'settled', outcomes: { created: 100 } });
  expect(given.lines).toEqual([]);
  given.nowMs = 10_000;
  emit({ kind: 'settled', outcomes: { created: 99, existing: 1 } });
  given.nowMs = 19_999;
  emit({ kind: 'settled', outcomes: { created: 50 } });
  expect(given.lines).toEqual(['sending: 200 of 300, 199 created, 1 already there\n']);
});

test('a retry is told with its account, its reason and the wait, until something is settled again', async () => {
  const given = shown(NO_TERMINAL);
  const { emit } = await showProgress(given.world);
  emit({ kind: 'planned', records: 3, batches: 3, accounts: 2 });
  given.nowMs = 10_000;
  emit({ kind: 'retry', account: '1001', attempt: 2, waitMs: 12_000, reason: 'status 503' });
  given.nowMs = 20_000;
  emit({ kind: 'settled', outcomes: { created: 1 } });
  expect(given.lines).toEqual([
    'sending: 0 of 3, 1 tried again, account 1001: status 503, next try (attempt 2) in 12 s\n',
    'sending: 1 of 3, 1 created, 1 tried again\n',
  ]);
});

test('a terminal that does not know its width gets plain lines, because a redrawn one would never end', async () => {
  const given = shown({ isTTY: true, columns: undefined });
  const { emit } = await showProgress(given.world);
  given.nowMs = 10_000;
  emit({ kind: 'staging', rows: 1000, invalid: 2 });
  expect(given.lines).toEqual(['reading: 1000 rows, 2 invalid\n']);
});

test('--quiet shows nothing', async () => {
  const given = shown(NO_TERMINAL, true);
  const { emit } = await showProgress(given.world);
  given.nowMs = 60_000;
  emit({ kind: 'staging', rows: 1000, invalid: 2 });
  expect(given.lines).toEqual([]);
});
