import { describe, expect, test } from 'vitest';
import { runDocument, type RunDocument } from '../support/json-documents.ts';
import { migration, type Migration } from '../support/migration.ts';
import { HEADER, SEED } from '../support/refused-account.ts';

const ROWS = [1, 2, 3].map((day) => `ACME,1001,t-${day},2026-02-0${day},CREDIT,10.00`);
const STOP = ['--no-check-previously-added', '--on-ambiguous', 'stop'];

const documentOf = (result: { json(): unknown }): RunDocument => runDocument.parse(result.json());

/** A run that ended because the outcome of its first row is unknown. */
async function runInDoubt(site: Migration, fault: string): Promise<string> {
  await site.faults(fault);
  const file = site.csv('t.csv', HEADER, ...ROWS);
  const pushed = await site.cli('push', 'transactions', file, '--batch-size', '1', ...STOP, '--json');
  // Not 5, because scripts resume at once after 5.
  expect(pushed.exitCode).toBe(4);
  expect(documentOf(pushed).rows).toMatchObject({ unknown: 1, not_sent: 2 });
  await site.faults();
  return documentOf(pushed).run!;
}

const idsOf = async (site: Migration): Promise<readonly unknown[]> =>
  (await site.ledger()).map(({ data }) => (data as { transaction_id: unknown }).transaction_id);

describe('an unknown row, sent again by itself', () => {
  test.each([
    ['was applied', 'transactions after-commit reset nth=1', 6, { verify: 1 }],
    ['was not applied', 'transactions before-commit reset nth=1', 0, { created: 1 }],
  ])('is looked for before it is added: it %s', async (_, fault, exitCode, rows) => {
    const site = await migration(SEED);
    const run = await runInDoubt(site, fault);
    const retried = await site.cli('retry', run, '--only', 'unknown', '--json');
    expect(retried.exitCode).toBe(exitCode);
    expect(documentOf(retried)).toMatchObject({
      rows: { read: 1, ...rows },
      next: `dataimport resume ${run}`,
    });
    expect(await idsOf(site)).toEqual(['t-1']);
    const rest = await site.cli('resume', run, '--json');
    expect(documentOf(rest).rows).toMatchObject({ created: 2, not_sent: 0 });
    expect(await idsOf(site)).toEqual(['t-1', 't-2', 't-3']);
  });

  test('keeps the others of its account waiting until it is done', async () => {
    const site = await migration(SEED);
    const run = await runInDoubt(site, 'transactions after-commit reset nth=1');
    await site.faults('transactions accept status=403 nth=1');
    expect((await site.cli('retry', run, '--only', 'unknown')).exitCode).not.toBe(0);
    const early = await site.cli('resume', run);
    expect(early.exitCode).toBe(8);
    expect(early.stderr).toContain('run_taken_over');
    expect(await idsOf(site)).toEqual(['t-1']);
  });
});

test('an applied row that is pushed by hand instead is on the platform twice', async () => {
  const site = await migration(SEED);
  await runInDoubt(site, 'transactions after-commit reset nth=1');
  const file = site.csv('again.csv', HEADER, ROWS[0]!);
  expect((await site.cli('push', 'transactions', file, ...STOP)).exitCode).toBe(0);
  expect(await idsOf(site)).toEqual(['t-1', 't-1']);
});
