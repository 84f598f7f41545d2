import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { RunsFolder } from '../../src/cli/run-file/runs-folder.ts';
import { runDocument, type RunDocument } from '../support/json-documents.ts';
import { migration, type Migration } from '../support/migration.ts';
import { GOOD, HEADER, IMPORTED, REFUSED, SEED } from '../support/refused-account.ts';

const documentOf = (result: { json(): unknown }): RunDocument => runDocument.parse(result.json());
const runsOf = (site: Migration): RunsFolder => new RunsFolder(join(site.cwd, '.dataimport', 'runs'));

/** The line that a scheduler repeats. */
const again = (site: Migration, ...flags: readonly string[]) =>
  site.cli('push', '--continue', 'transactions', 't.csv', '-j', '1', '--json', ...flags);

/** Sends another type than the file has. */
const OTHER_MAPPING = `
version: 1
resource: transactions
fields:
  import_supplier: import_supplier
  external_account_number: external_account_number
  transaction_id: transaction_id
  transaction_date: transaction_date
  type: { constant: CHARGE }
  amount: amount
ignore: [type]
`;

/** A platform, and a file whose first account it does not have yet. */
async function siteWith(seed: string, ...rows: readonly string[]): Promise<Migration> {
  const site = await migration(seed);
  site.csv('t.csv', HEADER, ...rows);
  return site;
}

const refusing = (): Promise<Migration> => siteWith(SEED, REFUSED, GOOD);
const accepting = (): Promise<Migration> => siteWith(IMPORTED, REFUSED, GOOD);

describe('push --continue', () => {
  test('begins, and shows the finished run when it is typed again', async () => {
    const site = await accepting();
    const first = documentOf(await again(site));
    expect(first).toMatchObject({ exit: { code: 0 }, rows: { created: 2 }, requests: { total: 2 } });
    const { exitCode, json } = await again(site);
    expect(exitCode).toBe(0);
    expect(documentOf({ json })).toEqual({
      ...first,
      duration_ms: expect.any(Number) as number,
      // The speed belongs to the command that sent.
      speed: undefined,
    });
    expect(runsOf(site).ids()).toEqual([first.run]);
    expect((await site.ledger()).length).toBe(2);
    const { stdout } = await site.cli('push', '--continue', 'transactions', 't.csv');
    expect(stdout).toContain('Nothing was left to do. This is the report of the finished run.');
  });

  test('continues an unfinished run, and names itself as the next command', async () => {
    const site = await refusing();
    const first = await again(site);
    expect(first.exitCode).toBe(4);
    expect(documentOf(first).next).toBe('dataimport push --continue transactions t.csv -j 1 --json');
    await site.reseed(IMPORTED);
    const second = await again(site);
    expect(second.exitCode).toBe(0);
    expect(documentOf(second)).toMatchObject({ run: documentOf(first).run, rows: { created: 2 } });
    expect((await site.ledger()).length).toBe(2);
  });

  test('continues a run that was begun without it, and remembers --on-reject', async () => {
    const site = await refusing();
    const { run } = documentOf(await site.cli('push', 'transactions', 't.csv', '-j', '1', '--json'));
    const skipped = await again(site, '--on-reject', 'skip');
    expect(skipped.exitCode).toBe(6);
    const document = documentOf(skipped);
    expect(document).toMatchObject({ run, rows: { created: 1, rejected: 1 } });
    const finished = await again(site);
    expect([finished.exitCode, documentOf(finished).rows]).toEqual([6, document.rows]);
  });

  test('begins anew after a process that died while it read the file', async () => {
    const site = await accepting();
    const { run } = documentOf(await again(site));
    const db = new Database(runsOf(site).fileOf(run!));
    db.exec(`UPDATE run SET state = 'staging'; DELETE FROM outcome; DELETE FROM link`);
    db.exec('DELETE FROM attempt; DELETE FROM batch');
    db.close();
    expect(documentOf(await again(site)).rows).toMatchObject({ existing: 2, created: 0 });
    expect(runsOf(site).ids()).toHaveLength(1);
  });

  test('begins when the run was forgotten with rows left', async () => {
    const site = await refusing();
    const { run } = documentOf(await again(site));
    await site.cli('runs', 'forget', run!, '--force');
    await site.reseed(IMPORTED);
    expect(documentOf(await again(site))).toMatchObject({ exit: { code: 0 }, rows: { created: 2 } });
  });

  test('ends as busy while another process has the run', async () => {
    const site = await refusing();
    const { run } = documentOf(await again(site));
    const held = runsOf(site).open(run!);
    const { exitCode, json } = await again(site);
    held.close();
    expect(exitCode).toBe(10);
    expect(json()).toMatchObject({ problems: [{ code: 'run_locked' }] });
    expect((await site.ledger()).length).toBe(0);
  });

  test('takes a shard as a run of its own, also while another process sends another shard', async () => {
    const site = await accepting();
    const first = documentOf(await again(site, '--shard', '1/2'));
    expect(first.run).toMatch(/-1of2$/);
    const held = runsOf(site).open(first.run!);
    const second = documentOf(await again(site, '--shard', '2/2'));
    expect((await again(site, '--shard', '1/2')).exitCode).toBe(10);
    expect((await again(site, '--shard', '1/3')).exitCode).toBe(8);
    expect((await again(site)).exitCode).toBe(10);
    held.close();
    expect(second.run).toMatch(/-2of2$/);
    expect(first.rows.created + second.rows.created).toBe(2);
    expect(first.rows.filtered + second.rows.filtered).toBe(2);
    expect(documentOf(await again(site, '--shard', '1/2'))).toMatchObject({ run: first.run });
    expect((await site.ledger()).length).toBe(2);
  });

  test('does not take a trial of a few rows for the whole file', async () => {
    const site = await accepting();
    expect(documentOf(await again(site, '--max-records', '1')).rows).toMatchObject({ created: 1 });
    const whole = documentOf(await again(site));
    expect(whole.rows).toMatchObject({ created: 1, existing: 1, filtered: 0 });
    expect(documentOf(await again(site, '--max-records', '1')).rows).toMatchObject({ filtered: 1 });
  });

  test.each([
    ['--check-previously-added', ['--no-check-previously-added']],
    ['--force-add-to-current-statement', ['--no-force-add-to-current-statement']],
  ])('refuses a finished run that differs in %s, and takes the run of --new', async (what, flags) => {
    const site = await accepting();
    const { run } = documentOf(await again(site));
    const { exitCode, json, stderr } = await again(site, ...flags);
    expect(exitCode).toBe(8);
    expect(json()).toMatchObject({ problems: [{ code: 'run_other_input' }] });
    expect(stderr).toContain(`the run ${run} has sent this content to this platform with other input`);
    expect(stderr).toContain(`different: ${what}\n`);
    const begun = documentOf(await site.cli('push', 'transactions', 't.csv', '--json', '--new', ...flags));
    expect(begun.exit.code).toBe(0);
    expect(documentOf(await again(site, ...flags)).run).toBe(begun.run);
  });

  test('refuses a run of another mapping, and an unfinished run of other rows', async () => {
    const site = await refusing();
    expect((await again(site)).exitCode).toBe(4);
    const fewer = await again(site, '--max-records', '1');
    expect(fewer.exitCode).toBe(8);
    expect(fewer.stderr).toContain('different: --skip-records or --max-records\n');
    writeFileSync(join(site.cwd, 'other.yaml'), OTHER_MAPPING);
    const supplied = await again(site, '--supplier', 'OTHER');
    expect([supplied.exitCode, supplied.stderr]).toEqual([
      8,
      expect.stringContaining('different: --supplier\n') as string,
    ]);
    const mapped = await again(site, '--map', 'other.yaml');
    expect([mapped.exitCode, mapped.stderr]).toEqual([
      8,
      expect.stringContaining('the mapping or a file that it uses') as string,
    ]);
  });

  test('leaves an unfinished retry of its records to a person', async () => {
    const site = await siteWith(SEED, REFUSED, GOOD);
    const { run } = documentOf(await again(site, '--on-reject', 'skip'));
    const retried = documentOf(await site.cli('retry', run!, '--on-reject', 'stop', '--json'));
    expect(retried.exit).toMatchObject({ code: 4, resumable: true });
    const { exitCode, stderr } = await again(site);
    expect(exitCode).toBe(8);
    expect(stderr).toContain(`dataimport resume ${retried.run}`);
    await site.reseed(IMPORTED);
    expect((await site.cli('resume', retried.run!)).exitCode).toBe(0);
    // The report of the run says what happened in it. The retry has a report of its own.
    expect(documentOf(await again(site))).toMatchObject({ run, exit: { code: 6 } });
  });

  test('writes the rejects once the run is finished, and keeps them when it is typed again', async () => {
    const site = await refusing();
    const rejects = ['--rejects', 'rejects.csv'];
    const file = join(site.cwd, 'rejects.csv');
    expect((await again(site, ...rejects)).exitCode).toBe(4);
    expect(existsSync(file)).toBe(false);
    expect((await again(site, '--on-reject', 'skip', ...rejects)).exitCode).toBe(6);
    const written = readFileSync(file, 'utf8');
    expect(written).toBe(`${HEADER}\n${REFUSED}\n`);
    expect((await again(site, ...rejects)).exitCode).toBe(6);
    expect(readFileSync(file, 'utf8')).toBe(written);
    site.csv('t.csv', HEADER, GOOD, REFUSED);
    const other = await again(site, ...rejects);
    expect([other.exitCode, other.json()]).toMatchObject([2, { problems: [{ code: 'file_exists' }] }]);
    expect(runsOf(site).ids()).toHaveLength(1);
  });

  test.each(['--new', '--dry-run'])('cannot be combined with %s', async (flag) => {
    const site = await accepting();
    const { exitCode, stderr } = await again(site, flag);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(`--continue and ${flag} exclude each other`);
  });
});
