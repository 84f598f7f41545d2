import { describe, expect, test } from 'vitest';
import type { ClientRun } from '../../../src/cli/try/client-run.ts';
import { rulesOf, type Fault } from '../../../src/cli/try/fault-kinds.ts';
import { trialOf, type TrialOptions } from '../../../src/cli/try/trial.ts';
import { clientRun, stored } from '../../support/client-runs.ts';
import { virtualTiming } from '../../support/virtual-timing.ts';

const RECORDS = [stored('a1'), stored('a2'), stored('a3')];
const REQUESTS = RECORDS.map(({ data }, index) => ({ ids: [String(data['transaction_id'])], atMs: index }));

/** A trial of a client that does as told. Each run takes a second. */
async function tried(
  client: (faults: readonly Fault[], run: number) => Partial<ClientRun>,
  options: Partial<TrialOptions> = {},
) {
  const timing = virtualTiming();
  const seen: string[] = [];
  let runs = 0;
  const trial = await trialOf({
    run: async (faults) => {
      seen.push(rulesOf(faults).join('; '));
      await timing.sleep(1_000);
      return { ...clientRun({ records: RECORDS, requests: REQUESTS }), faults, ...client(faults, runs++) };
    },
    timing,
    stopping: new AbortController().signal,
    budgetMs: 3_600_000,
    mostRuns: 60,
    jobs: 1,
    seed: 0,
    restart: false,
    ran: () => undefined,
    showOutput: () => undefined,
    ...options,
  });
  const findings = trial.findings.map(({ finding, run }) => [
    finding.kind,
    ...run.faults.map(({ kind }) => kind.name),
  ]);
  return { ...trial, findings, seen };
}

const has = (faults: readonly Fault[], name: string): boolean =>
  faults.some(({ kind }) => kind.name === name);
const LOST = { records: RECORDS.slice(1) };

describe('a pair', () => {
  test('is no finding where one of its faults is enough', async () => {
    const { findings, seen } = await tried((faults) => (has(faults, 'cut') ? LOST : {}), { mostRuns: 200 });
    expect(findings).toEqual([['lost', 'cut']]);
    expect(seen.some((rules) => rules.includes('; ') && rules.includes('truncate'))).toBe(true);
  });

  test('is a finding where neither fault alone shows it, and both were run alone', async () => {
    const { findings, seen } = await tried((faults) => (faults.length === 2 ? LOST : {}), { mostRuns: 80 });
    expect(findings[0]).toHaveLength(3);
    const pair = seen.findIndex((rules) => /^(?!.*(\S+ \S+ status=500).*\1).*; /.test(rules));
    expect(seen[pair]!.split('; ')).toEqual(seen.slice(pair + 1, pair + 3));
  });
});

test('a value that began to differ only after a while is no finding', async () => {
  const today = (run: number) =>
    RECORDS.map(({ data }) => stored(String(data['transaction_id']), { note: `${run >> 3}` }));
  const { findings, reference } = await tried((_, run) => ({ records: today(run) }), { mostRuns: 20 });
  expect([findings, reference.random]).toEqual([[], ['transaction.note']]);
});

test('a value that always differs with one fault is a finding', async () => {
  const other = RECORDS.map(({ data }) => stored(String(data['transaction_id']), { note: 'again' }));
  const { findings } = await tried((faults) => (has(faults, 'status_500') ? { records: other } : {}));
  expect(findings).toEqual([['different', 'status_500']]);
});

test('a client that fails in the end is compared with its first runs', async () => {
  const { findings } = await tried((faults, run) => {
    if (run > 2 && faults.length === 0) return { exitCode: 1, records: [] };
    return has(faults, 'cut') ? LOST : {};
  });
  expect(findings).toEqual([['lost', 'cut']]);
});

test('an order that differs without a fault is one finding', async () => {
  const { findings } = await tried((_, run) => ({ records: run % 2 === 0 ? RECORDS : RECORDS.toReversed() }));
  expect(findings).toEqual([['order']]);
});

test('the worst finding comes first', async () => {
  const { findings } = await tried((faults) =>
    has(faults, 'lost_before') ? { records: RECORDS.toReversed() } : has(faults, 'cut') ? LOST : {},
  );
  expect(findings).toEqual([
    ['lost', 'cut'],
    ['order', 'lost_before'],
  ]);
});

describe('a trial ends', () => {
  test('with its number of runs', async () => {
    expect((await tried(() => ({}), { mostRuns: 7 })).runs).toBe(7);
  });

  test('with its time', async () => {
    // Two undisturbed runs and the wait between them take the first three seconds.
    expect((await tried(() => ({}), { budgetMs: 10_000 })).runs).toBe(7);
  });

  test('when it is stopped', async () => {
    const stopping = new AbortController();
    const stop = (_: readonly Fault[], run: number) =>
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
