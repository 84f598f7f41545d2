import { describe, expect, test } from 'vitest';
import type { ClientRun } from '../../../src/cli/try/client-run.ts';
import type { Fault } from '../../../src/cli/try/fault-kinds.ts';
import { trialOf, type TrialOptions } from '../../../src/cli/try/trial.ts';
import { clientRun, stored } from '../../support/client-runs.ts';
import { virtualTiming } from '../../support/virtual-timing.ts';

const RECORDS = [stored('a1'), stored('a2'), stored('a3')];
const REQUESTS = RECORDS.map(({ data }, index) => ({ ids: [String(data['transaction_id'])], atMs: index }));

/** A trial of a client that does as told. Each run takes a second. */
async function tried(
  client: (fault: Fault | undefined, run: number) => Partial<ClientRun>,
  options: Partial<TrialOptions> = {},
) {
  const timing = virtualTiming();
  let runs = 0;
  const trial = await trialOf({
    run: async (fault) => {
      await timing.sleep(1_000);
      return { ...clientRun({ records: RECORDS, requests: REQUESTS }), fault, ...client(fault, runs++) };
    },
    timing,
    stopping: new AbortController().signal,
    budgetMs: 3_600_000,
    mostRuns: 60,
    jobs: 1,
    restart: false,
    showOutput: () => undefined,
    ...options,
  });
  const findings = trial.findings.map(({ finding, run }) =>
    run.fault ? [finding.kind, run.fault.kind.name] : [finding.kind],
  );
  return { ...trial, findings };
}

const has = (fault: Fault | undefined, name: string): boolean => fault?.kind.name === name;
const LOST = { records: RECORDS.slice(1) };
const OTHER = {
  records: RECORDS.map(({ data }) => stored(String(data['transaction_id']), { amount: '9' })),
};

test('a value that began to differ only after a while is no finding', async () => {
  const today = (run: number) =>
    RECORDS.map(({ data }) => stored(String(data['transaction_id']), { note: `${run >> 3}` }));
  const { findings, reference } = await tried((_, run) => ({ records: today(run) }), { mostRuns: 20 });
  expect([findings, reference.random]).toEqual([[], ['transaction.note']]);
});

test('a value that always differs with one fault is a finding', async () => {
  const { findings } = await tried((fault) => (has(fault, 'status_500') ? OTHER : {}));
  expect(findings).toEqual([['different', 'status_500']]);
});

test('a client that fails in the end is compared with its first runs', async () => {
  const { findings } = await tried((fault, run) => {
    if (run > 2 && !fault) return { exitCode: 1, records: [] };
    return has(fault, 'cut') ? LOST : has(fault, 'status_500') ? OTHER : {};
  });
  expect(findings).toEqual([
    ['lost', 'cut'],
    ['different', 'status_500'],
  ]);
});

test('an order that differs without a fault is one finding', async () => {
  const { findings } = await tried((_, run) => ({ records: run % 2 === 0 ? RECORDS : RECORDS.toReversed() }));
  expect(findings).toEqual([['order']]);
});

test('the worst finding comes first', async () => {
  const { findings } = await tried((fault) =>
    has(fault, 'lost_before') ? { records: RECORDS.toReversed() } : has(fault, 'cut') ? LOST : {},
  );
  expect(findings).toEqual([
    ['lost', 'cut'],
    ['order', 'lost_before'],
  ]);
});

describe('a trial ends', () => {
  test('with its number of runs', async () => {
    const { runs, struck } = await tried(() => ({}), { mostRuns: 7 });
    // None of the faults has struck a request.
    expect([runs, struck.size]).toEqual([7, 0]);
  });

  test('with its plan: each fault at each request', async () => {
    const { runs, tried: kinds } = await tried(() => ({}), { mostRuns: 1_000 });
    expect(runs).toBe(REQUESTS.length * kinds.size);
  });

  test('with its time', async () => {
    // Two undisturbed runs and the wait between them take the first three seconds.
    expect((await tried(() => ({}), { budgetMs: 10_000 })).runs).toBe(7);
  });

  test('when it is stopped', async () => {
    const stopping = new AbortController();
    const stop = (_: Fault | undefined, run: number) =>
      run === 4 ? (stopping.abort(), { ended: 'stopped' as const }) : {};
    expect((await tried(stop, { stopping: stopping.signal })).runs).toBe(3);
  });
});

test('two undisturbed runs with other numbers of records are refused', async () => {
  const forgetful = tried((_, run) => (run === 1 ? LOST : {}));
  await expect(forgetful).rejects.toMatchObject({
    code: 'client_not_tried',
    facts: { reason: expect.stringContaining('stored 3 and 2 records') },
  });
});
