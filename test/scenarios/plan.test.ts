import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { RunsFolder } from '../../src/cli/run-file/runs-folder.ts';
import { intervalText } from '../../src/cli/output/plan-result.ts';
import { migration, type Migration } from '../support/migration.ts';
import { HEADER, IMPORTED } from '../support/refused-account.ts';

const ROWS = Array.from(
  { length: 30 },
  (_, row) => `ACME,${row % 2 === 0 ? 1001 : 1003},t-${row},2026-02-01,CREDIT,1.10`,
);

async function rehearsed(rows = ROWS): Promise<{ readonly site: Migration; readonly run: string }> {
  const site = await migration(IMPORTED);
  site.csv('t.csv', HEADER, ...rows);
  const { json } = await site.cli('push', 'transactions', 't.csv', '--batch-size', '1', '--json');
  return { site, run: (json() as { run: string }).run };
}

test('a plan names requests, bytes and the interval of the night, and is the same each time', async () => {
  const { site, run } = await rehearsed();
  const line = ['plan', 'transactions', 't.csv', '--from', run, '--batch-size', '5', '--rate-limit', '6/m'];
  const { exitCode, stdout } = await site.cli(...line, '--start', '23:59', '--json');
  const document = JSON.parse(stdout) as { duration_ms: { low: number; high: number } };
  expect(exitCode).toBe(0);
  expect(document).toMatchObject({
    requests: 6,
    records: 30,
    accounts: 2,
    rate_limit: { requests: 6, per_ms: 60_000 },
    ends: { earliest: '23:59', latest: '00:00 (+1 day)' },
  });
  // The sixth request may begin after 50 s.
  expect(document.duration_ms.low).toBeGreaterThanOrEqual(50_000);
  expect(document.duration_ms.high).toBeLessThan(60_000);
  expect((await site.cli(...line, '--start', '23:59', '--json')).stdout).toBe(stdout);
  const { stdout: text } = await site.cli(...line);
  expect(text).toContain('transactions: 6 requests of 30 records for 2 accounts, ');
  expect(text).toContain('The rate limit needs at least 50 s.');
  expect(text).toMatch(/It takes 50 to \d+ seconds\./);
  expect(await site.ledger()).toHaveLength(30);
});

test('a rehearsal of another resource, or of few requests, is no basis for a plan', async () => {
  const { site, run } = await rehearsed(ROWS.slice(0, 4));
  const few = await site.cli('plan', 'transactions', 't.csv', '--from', run);
  expect(few.exitCode).toBe(8);
  expect(few.stderr).toContain('4 of its requests were answered, and 20 are needed');
  site.csv('n.csv', 'import_supplier,external_account_number,body', 'ACME,1001,hello');
  const other = await site.cli('plan', 'notes', 'n.csv', '--from', run);
  expect(other.stderr).toContain('plan_without_basis');
  expect(other.stderr).toContain('it sent transactions, and the plan is for notes');
});

test('an interval that begins within a minute has that beginning in seconds', () => {
  expect(intervalText({ lowMs: 25_000, highMs: 170_000 })).toBe('25 seconds to 3 minutes');
  expect(intervalText({ lowMs: 1_900, highMs: 170_000 })).toBe('1 second to 3 minutes');
  expect(intervalText({ lowMs: 900, highMs: 170_000 })).toBe('up to 3 minutes');
  expect(intervalText({ lowMs: 61_000, highMs: 170_000 })).toBe('1 to 3 minutes');
});

describe('plan of a cohort', () => {
  const NOTES = 'import_supplier,external_account_number,body,created_at';
  const COHORT = `
version: 1
supplier: ACME
resources:
  transactions: { files: [t.csv] }
  notes: { files: ["n*.csv"] }
limits: { batch_size: 2, rate_limit: 60/m }
`;

  /** A cohort that was sent: 12 notes and 30 transactions of two accounts. */
  async function rehearsedCohort(): Promise<Migration> {
    const site = await migration(IMPORTED);
    site.csv('t.csv', HEADER, ...ROWS);
    for (const file of ['n1.csv', 'n2.csv'])
      site.csv(
        file,
        NOTES,
        ...Array.from({ length: 6 }, (_, row) => `ACME,1001,${file} ${row},2026-01-01T00:00:0${row}Z`),
      );
    writeFileSync(join(site.cwd, 'night.yaml'), COHORT);
    const rehearsal = COHORT.replace('version: 1', 'version: 1\nname: rehearsal').replace(
      ', rate_limit: 60/m',
      '',
    );
    writeFileSync(join(site.cwd, 'rehearsal.yaml'), rehearsal);
    expect((await site.cli('migrate', 'rehearsal.yaml')).exitCode).toBe(0);
    return site;
  }

  test('has every resource, an account of both once, and the interval of the whole night', async () => {
    const site = await rehearsedCohort();
    const line = ['plan', 'night.yaml', '--from', 'rehearsal', '--start', '22:00'];
    const { exitCode, stdout } = await site.cli(...line, '--json');
    expect(exitCode).toBe(0);
    const document = JSON.parse(stdout) as {
      duration_ms: { low: number };
      resources: { alone_ms: { low: number } }[];
    };
    expect(document).toMatchObject({
      cohort: 'night',
      from: 'rehearsal',
      requests: 22,
      records: 42,
      accounts: 2,
      rate_limit: { requests: 60, per_ms: 60_000 },
      resources: [
        { resource: 'notes', requests: 6, records: 12, accounts: 1 },
        { resource: 'transactions', requests: 16, records: 30, accounts: 2 },
      ],
      basis: { requests: 22 },
    });
    expect(document).not.toHaveProperty('resource');
    // The rate limit lets one request a second begin.
    expect(document.duration_ms.low).toBeGreaterThan(18_000);
    expect(document.resources[0]!.alone_ms.low).toBeLessThan(document.duration_ms.low);
    const { stdout: text } = await site.cli(...line);
    expect(text).toContain('notes: 6 requests of 12 records for 1 account, ');
    expect(text).toContain('night: 22 requests of 42 records for 2 accounts, ');
  });

  test('takes one resource of a rehearsed cohort, and single runs as the rehearsal of a cohort', async () => {
    const site = await rehearsedCohort();
    const ids = new RunsFolder(join(site.cwd, '.dataimport', 'runs', 'rehearsal')).ids();
    const from = ids.flatMap((id) => ['--from', id]);
    expect((await site.cli('plan', 'night.yaml', ...from)).exitCode).toBe(0);
    // A folder of that name is not meant, unless it is written as a path.
    mkdirSync(join(site.cwd, 'rehearsal'));
    expect((await site.cli('plan', 'night.yaml', '--from', 'rehearsal')).exitCode).toBe(0);
    const empty = await site.cli('plan', 'night.yaml', '--from', './rehearsal');
    expect([empty.exitCode, empty.stderr]).toEqual([8, expect.stringContaining('no run is there')]);
    const many = await site.cli('plan', 'transactions', 't.csv', '--from', 'rehearsal');
    expect(many.stderr).toContain('16 of its requests were answered, and 20 are needed');
  });

  test('needs a rehearsal of every resource, and files of the cohort alone', async () => {
    const site = await rehearsedCohort();
    const [notes] = new RunsFolder(join(site.cwd, '.dataimport', 'runs', 'rehearsal')).ids().toSorted();
    const some = await site.cli('plan', 'night.yaml', '--from', notes!);
    expect(some.exitCode).toBe(8);
    expect(some.stderr).toMatch(/it sent (notes|transactions), and the plan is for (transactions|notes)/);
    const file = await site.cli('plan', 'night.yaml', 't.csv', '--from', 'rehearsal');
    expect([file.exitCode, file.stderr]).toEqual([
      2,
      expect.stringContaining('a file belongs to one resource'),
    ]);
    const none = await site.cli('plan', 'notes', '--from', 'rehearsal');
    expect([none.exitCode, none.stderr]).toEqual([2, expect.stringContaining('no file of notes is given')]);
  });
});

test('an invalid file has no plan', async () => {
  const { site, run } = await rehearsed();
  site.csv('wrong.csv', HEADER, 'ACME,1001,t-1,2026-02-30,CREDIT,1.10');
  expect((await site.cli('plan', 'transactions', 'wrong.csv', '--from', run)).exitCode).toBe(3);
});
