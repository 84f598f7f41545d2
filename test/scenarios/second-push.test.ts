import { describe, expect, test } from 'vitest';
import { runDocument } from '../support/json-documents.ts';
import { migration, type Migration } from '../support/migration.ts';
import { GOOD as ROW, HEADER, SEED } from '../support/refused-account.ts';

const OFF = '--no-check-previously-added';
const NOT_MOVED = '--no-force-add-to-current-statement';

/** The command line of a push of one row. */
const push = (site: Migration, ...flags: readonly string[]) =>
  site.cli('push', 'transactions', site.csv('t.csv', HEADER, ROW), '--json', ...flags);

describe('a second push of a file without the check for earlier transactions', () => {
  test('adds all rows again with --again, which ignores what was sent before', async () => {
    const site = await migration(SEED);
    await push(site);
    expect((await push(site, OFF, '--again')).exitCode).toBe(0);
    expect(await site.ledger()).toHaveLength(2);
  });

  test('sends nothing when the run was forgotten, because its outcomes are kept', async () => {
    const site = await migration(SEED);
    const { run } = runDocument.parse((await push(site)).json());
    await site.cli('runs', 'forget', run!);
    const { exitCode, json } = await push(site, OFF);
    expect([exitCode, runDocument.parse(json()).rows.created]).toEqual([0, 1]);
    expect(await site.ledger()).toHaveLength(1);
  });
});

describe('a push of a corrected file without the check for earlier transactions', () => {
  const OPEN = SEED.replace('imported}', 'imported, open_statement: {from: 2026-01-01, to: 2026-12-31}}');
  const BAD = 'ACME,1001,t-2,2025-12-31,CREDIT,20.00';
  const CORRECTED = 'ACME,1001,t-2,2026-02-02,CREDIT,20.00';
  const pushRows = (site: Migration, rows: readonly string[], ...flags: readonly string[]) =>
    site.cli('push', 'transactions', site.csv('t.csv', HEADER, ...rows), '--json', OFF, NOT_MOVED, ...flags);

  /** A platform that keeps the records before the one that it refuses. */
  const keepsWhatCameBefore = () => migration(OPEN, ['tx-400=prefix']);

  test('leaves a row that may be there to a person, and adds none again', async () => {
    const site = await keepsWhatCameBefore();
    const first = runDocument.parse((await pushRows(site, [ROW, BAD])).json());
    expect(first.rows).toMatchObject({ unknown: 1, rejected: 1, not_sent: 0 });
    expect(await site.ledger()).toHaveLength(1);

    const { exitCode, json } = await pushRows(site, [ROW, CORRECTED]);
    expect([exitCode, runDocument.parse(json()).rows]).toMatchObject([6, { verify: 1, created: 1 }]);
    expect(await site.ledger()).toHaveLength(2);
  });

  test('adds existing rows again with --again', async () => {
    const site = await keepsWhatCameBefore();
    await pushRows(site, [ROW, BAD]);
    expect((await pushRows(site, [ROW, CORRECTED], '--again')).exitCode).toBe(0);
    expect(await site.ledger()).toHaveLength(3);
  });

  test('sends a file of another name beside it, after the doubts of the first', async () => {
    const site = await keepsWhatCameBefore();
    await pushRows(site, [ROW, BAD]);
    const other = site.csv('u.csv', HEADER, CORRECTED);
    expect((await site.cli('push', 'transactions', other, OFF)).exitCode).toBe(0);
    expect(await site.ledger()).toHaveLength(2);
  });
});
