import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { runDocument } from '../support/json-documents.ts';
import { RunsFolder } from '../../src/cli/run-file/runs-folder.ts';
import { migration, type Migration } from '../support/migration.ts';
import { GOOD as ROW, HEADER, SEED } from '../support/refused-account.ts';

const OFF = '--no-check-previously-added';
const NOT_MOVED = '--no-force-add-to-current-statement';

/** The command line of a push of one row. */
const push = (site: Migration, ...flags: readonly string[]) =>
  site.cli('push', 'transactions', site.csv('t.csv', HEADER, ROW), '--json', ...flags);

const runsOf = (site: Migration): RunsFolder => new RunsFolder(join(site.cwd, '.dataimport', 'runs'));

/** A run whose process died while it read the file. */
function makeNeverStaged(site: Migration, run: string): void {
  const db = new Database(runsOf(site).fileOf(run));
  db.exec(`UPDATE run SET state = 'staging'; DELETE FROM outcome; DELETE FROM link`);
  db.exec('DELETE FROM attempt; DELETE FROM batch');
  db.close();
}

describe('a second push of a file without the check for earlier transactions', () => {
  test.each([
    ['sent with the check', []],
    ['sent without it', [OFF]],
  ])('is refused and names the run that has %s', async (_, flags) => {
    const site = await migration(SEED);
    const { run } = runDocument.parse((await push(site, ...flags)).json());
    const { exitCode, stderr, json } = await push(site, OFF);
    expect(exitCode).toBe(8);
    expect(json()).toMatchObject({ problems: [{ code: 'run_finished_exists' }] });
    expect(stderr).toContain(`the run ${run} has sent this content`);
    expect(stderr).toContain(`Type \`dataimport runs show ${run}\``);
    expect(await site.ledger()).toHaveLength(1);
    expect(runsOf(site).ids()).toEqual([run]);
  });

  test('adds all rows again with --new', async () => {
    const site = await migration(SEED);
    await push(site);
    expect((await push(site, OFF, '--new')).exitCode).toBe(0);
    expect(await site.ledger()).toHaveLength(2);
  });

  test('is refused even when the run was forgotten', async () => {
    const site = await migration(SEED);
    const { run } = runDocument.parse((await push(site)).json());
    await site.cli('runs', 'forget', run!);
    expect((await push(site, OFF)).exitCode).toBe(8);
  });

  test('is allowed when the run sent nothing, or with --dry-run', async () => {
    const site = await migration(SEED);
    const { run } = runDocument.parse((await push(site)).json());
    expect((await push(site, OFF, '--dry-run')).exitCode).toBe(0);
    makeNeverStaged(site, run!);
    expect((await push(site, OFF)).exitCode).toBe(0);
  });

  test('is allowed with the check', async () => {
    const site = await migration(SEED);
    await push(site, OFF);
    const again = await push(site);
    expect(again.exitCode).toBe(0);
    expect(runDocument.parse(again.json()).rows).toMatchObject({ existing: 1, created: 0 });
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
  const keepsWhatCameBefore = () => migration(OPEN, { tx400: 'prefix' });

  test('is refused, because rows of the first version would be added again; with the check it is allowed', async () => {
    const site = await keepsWhatCameBefore();
    const first = runDocument.parse((await pushRows(site, [ROW, BAD])).json());
    expect(first.rows).toMatchObject({ unknown: 1, rejected: 1, not_sent: 0 });
    expect(await site.ledger()).toHaveLength(1);

    const { exitCode, stderr, json } = await pushRows(site, [ROW, CORRECTED]);
    expect(exitCode).toBe(8);
    expect(json()).toMatchObject({ problems: [{ code: 'run_of_file_exists' }] });
    expect(stderr).toContain(`the run ${first.run} has sent`);
    expect(await site.ledger()).toHaveLength(1);

    const checked = await site.cli(
      'push',
      'transactions',
      site.csv('t.csv', HEADER, ROW, CORRECTED),
      '--json',
    );
    expect(runDocument.parse(checked.json()).rows).toMatchObject({ existing: 1, created: 1 });
    expect(await site.ledger()).toHaveLength(2);
  });

  test('adds existing rows again with --new', async () => {
    const site = await keepsWhatCameBefore();
    await pushRows(site, [ROW, BAD]);
    expect((await pushRows(site, [ROW, CORRECTED], '--new')).exitCode).toBe(0);
    expect(await site.ledger()).toHaveLength(3);
  });

  test('is allowed for a file of another name, or a resource without the check', async () => {
    const site = await keepsWhatCameBefore();
    await pushRows(site, [ROW, BAD]);
    const other = site.csv('u.csv', HEADER, CORRECTED);
    expect((await site.cli('push', 'transactions', other, OFF)).exitCode).toBe(0);
    expect(await site.ledger()).toHaveLength(2);
  });
});

describe('resume without an id', () => {
  test('reports a damaged run, because nobody knows whether it is unfinished', async () => {
    const site = await migration(SEED);
    await push(site);
    const none = await site.cli('resume', '--json');
    expect(none.exitCode).toBe(9);
    expect(none.json()).toMatchObject({ problems: [{ code: 'run_none_unfinished' }] });
    writeFileSync(runsOf(site).fileOf('20271121-101502-transactions-4f2a'), 'gone');
    const { exitCode, stderr, json } = await site.cli('resume', '--json');
    expect(exitCode).toBe(8);
    expect(json()).toMatchObject({ problems: [{ code: 'run_damaged' }] });
    expect(stderr).toContain('and the check for earlier transactions');
  });
});

describe('runs forget', () => {
  test('removes a run that was stopped while it read the file', async () => {
    const site = await migration(SEED);
    const { run } = runDocument.parse((await push(site)).json());
    makeNeverStaged(site, run!);
    const { exitCode, stdout } = await site.cli('runs', 'forget', run!);
    expect(exitCode).toBe(0);
    expect(stdout).toBe(`${run}: removed; it was stopped while it read the file, and it sent nothing\n`);
    expect(runsOf(site).ids()).toEqual([]);
    expect(readdirSync(runsOf(site).path)).toEqual(['begin.lock']);
  });
});

describe('runs show of a run whose process was killed', () => {
  test('lists every unknown row with its line', async () => {
    const site = await migration(SEED);
    const { run } = runDocument.parse((await push(site)).json());
    const db = new Database(runsOf(site).fileOf(run!));
    db.exec(`UPDATE run SET state = 'staged'; DELETE FROM outcome; UPDATE batch SET state = 'sent'`);
    db.close();
    const { exitCode, json } = await site.cli('runs', 'show', run!, '--json');
    expect(exitCode).toBe(5);
    const document = runDocument.parse(json());
    expect(document.rows).toMatchObject({ unknown: 1 });
    expect(document.problems).toMatchObject([
      { code: 'outcome_left_open', file: expect.stringMatching(/t\.csv$/), line: 2, severity: 'error' },
    ]);
    expect(document.groups).toMatchObject([{ code: 'outcome_left_open', count: 1, first_lines: [2] }]);
    expect(document.problems_total).toBe(1);
  });
});
