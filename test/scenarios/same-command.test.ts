import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { startServer } from '../../src/server/start.ts';
import { runCli, type FakeIo } from '../support/cli-io.ts';
import { onlyJournalOf, readingIdsOf } from '../support/journals.ts';
import { runDocument, type RunDocument } from '../support/json-documents.ts';
import { migration, type Migration } from '../support/migration.ts';
import { nextOf, typed } from '../support/next-command.ts';
import { GOOD, HEADER, IMPORTED, REFUSED, SEED } from '../support/refused-account.ts';

const documentOf = (result: { json(): unknown }): RunDocument => runDocument.parse(result.json());

const PUSH = ['push', 'transactions', 't.csv', '-j', '1', '--json'];

/** The line that a scheduler repeats. */
const again = (site: Migration, ...flags: readonly string[]) => site.cli(...PUSH, ...flags);

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

/** A platform, and a file whose first account it may not have yet. */
async function siteWith(seed: string, ...rows: readonly string[]): Promise<Migration> {
  const site = await migration(seed);
  site.csv('t.csv', HEADER, ...rows);
  return site;
}

const refusing = (): Promise<Migration> => siteWith(SEED, REFUSED, GOOD);
const accepting = (): Promise<Migration> => siteWith(IMPORTED, REFUSED, GOOD);

describe('the same command', () => {
  test('begins, and shows the counts when everything has arrived', async () => {
    const site = await accepting();
    const first = documentOf(await again(site));
    expect(first).toMatchObject({ exit: { code: 0 }, rows: { created: 2 }, requests: { total: 2 } });
    await site.faults('transactions accept status=500');
    const { exitCode, json } = await again(site);
    expect(exitCode).toBe(0);
    expect(documentOf({ json })).toEqual({
      ...first,
      arrived_now: 0,
      chain: { ...first.chain, proven: false },
      duration_ms: expect.any(Number) as number,
    });
    expect(readingIdsOf(site.cwd)).toEqual([first.run]);
    expect((await site.ledger()).length).toBe(2);
  });

  test('goes on, and names itself as the next command', async () => {
    const site = await refusing();
    const first = documentOf(await again(site));
    expect(first).toMatchObject({ exit: { code: 4 }, next: `dataimport ${PUSH.join(' ')}` });
    await site.reseed(IMPORTED);
    const second = await site.cli(...typed(first.next));
    expect(second.exitCode).toBe(0);
    expect(documentOf(second)).toMatchObject({ run: first.run, rows: { created: 2 } });
    expect((await site.ledger()).length).toBe(2);
  });

  test('reads the files again when the run was forgotten with rows left', async () => {
    const site = await refusing();
    const { run } = documentOf(await again(site));
    await site.cli('runs', 'forget', run!, '--force');
    await site.reseed(IMPORTED);
    const shown = await site.cli('runs', 'show', run!);
    expect(documentOf(await site.cli(...typed(nextOf(shown.stdout))))).toMatchObject({
      exit: { code: 0 },
      rows: { created: 2 },
    });
  });

  test('waits for another process that sends the same resource: one of two does all the work', async () => {
    const site = await accepting();
    site.csv('u.csv', HEADER, GOOD.replace('t-1', 't-2'));
    const both = await Promise.all([again(site), site.cli('push', 'transactions', 'u.csv', '--json')]);
    expect(new Set(both.map(({ exitCode }) => exitCode))).toEqual(new Set([0, 10]));
    expect(both.find(({ exitCode }) => exitCode === 10)!.json()).toMatchObject({
      problems: [{ code: 'run_locked' }],
    });
    for (const name of ['t.csv', 'u.csv'])
      expect((await site.cli('push', 'transactions', name)).exitCode).toBe(0);
    expect(await site.ledger()).toHaveLength(3);
  });

  test('goes on with standard input that is piped again', async () => {
    const site = await migration(SEED);
    const piped = () => {
      const stdin = Readable.from([`${HEADER}\n${REFUSED}\n`]) as unknown as FakeIo['stdin'];
      return runCli(['push', 'transactions', '-', '--json'], { ...site.io(), stdin });
    };
    const first = await piped();
    expect([first.exitCode, documentOf(first).next]).toEqual([4, 'dataimport push transactions - --json']);
    await site.reseed(IMPORTED);
    expect((await site.cli('resume')).stderr).toContain('usage');
    expect(documentOf(await piped())).toMatchObject({ run: documentOf(first).run, rows: { created: 1 } });
  });

  test('sends nothing twice with another value of a flag', async () => {
    const site = await accepting();
    const runs = [documentOf(await again(site)).run];
    for (const flag of ['--no-check-previously-added', '--no-force-add-to-current-statement']) {
      const other = documentOf(await again(site, flag));
      expect(other, flag).toMatchObject({ exit: { code: 0 }, rows: { created: 2 }, requests: { total: 2 } });
      expect(runs).not.toContain(other.run);
      expect(documentOf(await again(site, flag)).run).toBe(other.run);
      runs.push(other.run);
    }
    expect((await site.ledger()).length).toBe(2);
  });

  test('with another mapping finds that the records have changed', async () => {
    const site = await accepting();
    await again(site);
    writeFileSync(join(site.cwd, 'other.yaml'), OTHER_MAPPING);
    const { exitCode, json } = await again(site, '--map', 'other.yaml');
    expect(exitCode).toBe(3);
    expect(documentOf({ json })).toMatchObject({
      rows: { invalid: 2 },
      groups: [{ code: 'record_changed', count: 2 }],
    });
    expect((await site.ledger()).length).toBe(2);
  });
});

describe('resume', () => {
  test('of a folder without a run names how to begin, and makes no folder', async () => {
    const site = await accepting();
    for (const words of [['resume'], ['verify']]) {
      const { exitCode, stderr } = await site.cli(...words);
      expect([exitCode, stderr], words.join(' ')).toEqual([9, expect.stringContaining('run_none')]);
      expect(existsSync(join(site.cwd, '.dataimport')), words.join(' ')).toBe(false);
    }
  });
});

describe('--again', () => {
  test('plans every record again, also of another version, whatever the history says, and adds nothing with the check', async () => {
    const site = await accepting();
    documentOf(await again(site));
    const second = documentOf(await again(site, '--again'));
    expect(second).toMatchObject({
      exit: { code: 0 },
      rows: { read: 2, existing: 2, created: 0 },
      requests: { total: 4 },
    });
    expect(await site.ledger()).toHaveLength(2);
    expect(documentOf(await again(site)).rows).toEqual(second.rows);
    site.csv('t.csv', HEADER, REFUSED, GOOD, GOOD.replace('t-1', 't-2'));
    expect(documentOf(await again(site)).rows).toMatchObject({ created: 1, existing: 2 });
    expect(documentOf(await again(site, '--again')).rows).toMatchObject({ existing: 3, sent_before: 0 });
    expect(await site.ledger()).toHaveLength(3);
  });

  test('adds what the platform has lost', async () => {
    const site = await migration(IMPORTED, [], true);
    site.csv('t.csv', HEADER, REFUSED, GOOD);
    await again(site);
    await site.cli('admin', 'reset');
    expect(await site.ledger()).toHaveLength(0);
    expect(documentOf(await again(site)).requests.total).toBe(2);
    expect(documentOf(await again(site, '--again')).rows).toMatchObject({ created: 2, existing: 0 });
    expect(await site.ledger()).toHaveLength(2);
  });
});

describe('another database', () => {
  test('inherits nothing after `admin reset`: a rehearsal is followed by the real thing', async () => {
    const site = await accepting();
    documentOf(await again(site));
    expect((await site.cli('admin', 'reset')).exitCode).toBe(0);
    const real = documentOf(await again(site));
    expect(real).toMatchObject({ exit: { code: 0 }, rows: { created: 2, sent_before: 0, existing: 0 } });
    expect(await site.ledger()).toHaveLength(2);
    // Nothing is left of the first run for the second database.
    expect(documentOf(await again(site)).run).toBe(real.run);
    // A changed file inherits nothing either.
    await site.cli('admin', 'reset');
    site.csv('t.csv', HEADER, REFUSED, GOOD.replace('10.10', '10.11'));
    expect(documentOf(await again(site))).toMatchObject({ rows: { created: 2 }, problems: [] });
  });

  test('is the same one after a restart, which forgets nothing', async () => {
    const site = await accepting();
    const serve = (port: number) =>
      startServer({
        port,
        database: join(site.cwd, 'platform.sqlite'),
        seeds: [join(site.cwd, 'seed.yaml')],
        nowMs: () => site.io().timing.nowMs(),
        version: '0.0.0',
      });
    const before = await serve(0);
    const push = async () =>
      documentOf(await site.cliIn({ env: { DATAIMPORT_BASE_URL: before.url } }, ...PUSH));
    const first = await push();
    await before.close();
    await using _ = await serve(before.port);
    expect(await push()).toMatchObject({ run: first.run, requests: { total: 2 } });
    site.csv('t.csv', HEADER, REFUSED, GOOD, GOOD.replace('t-1', 't-2'));
    expect((await push()).rows).toMatchObject({ created: 3, sent_before: 0 });
  });
});

describe('one database with two addresses', () => {
  const elsewhere = (site: Migration) => ({
    env: { DATAIMPORT_BASE_URL: site.url.replace('127.0.0.1', 'localhost') },
  });

  test('has one run for a version, and one history', async () => {
    const site = await accepting();
    const { run } = documentOf(await again(site));
    expect(documentOf(await site.cliIn(elsewhere(site), ...PUSH))).toMatchObject({ run, exit: { code: 0 } });
    site.csv('t.csv', HEADER, REFUSED, GOOD, GOOD.replace('t-1', 't-2'));
    const second = documentOf(await site.cliIn(elsewhere(site), ...PUSH));
    expect(second.rows).toMatchObject({ created: 3, sent_before: 0 });
    expect(await site.ledger()).toHaveLength(3);
    expect(documentOf(await again(site)).run).toBe(second.run);
    expect((await site.cli('verify', 'transactions', 't.csv')).exitCode).toBe(0);
  });
});

describe('a dry run', () => {
  const planned = (result: { json(): unknown }) => documentOf(result).plan;

  test('says how much would be sent, sends nothing and keeps nothing', async () => {
    const site = await accepting();
    const { exitCode, stdout } = await site.cli('push', 'transactions', 't.csv', '--dry-run');
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^would send 2 requests of 2 records for 2 accounts to http/m);
    expect(nextOf(stdout)).toBe('the same command without --dry-run sends these rows');
    expect(existsSync(join(site.cwd, '.dataimport'))).toBe(false);
    expect(await site.ledger()).toEqual([]);
  });

  test('says how much was sent before, when nothing would be sent, and what stands in the way, of which the real command keeps a list', async () => {
    const site = await accepting();
    await again(site);
    const nothing = await site.cli('push', 'transactions', 't.csv', '--dry-run');
    expect(nothing).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('2 rows read: 2 arrived'),
    });
    expect(nothing.stdout).toContain('\nnothing would be sent\n');
    expect(nextOf(nothing.stdout)).toBeNull();
    site.csv('t.csv', HEADER, REFUSED, GOOD, GOOD.replace('t-1', 't-2'));
    const some = await again(site, '--dry-run');
    expect(documentOf(some).rows).toMatchObject({ not_sent: 1, sent_before: 2 });
    expect(planned(some)).toMatchObject({ requests: 1, records: 1, accounts: 1 });
    site.csv('t.csv', HEADER, REFUSED, GOOD.replace('10.10', '10.11'));
    const stopped = await site.cli('push', 'transactions', 't.csv', '--dry-run');
    expect([stopped.exitCode, stopped.stderr]).toEqual([
      3,
      expect.stringContaining('t.csv:3:6 error record_changed amount: '),
    ]);
    expect(nextOf(stopped.stdout)).toMatch(/^the same command without --dry-run keeps a list of these rows/);
    expect(readingIdsOf(site.cwd)).toHaveLength(1);
    expect(await site.ledger()).toHaveLength(2);
  });
});

describe('the folder of the runs', () => {
  test('loses a journal while its records are sent: the command stops, and goes on when it is typed again', async () => {
    const site = await migration(IMPORTED);
    const rows = Array.from({ length: 60 }, (_, row) => GOOD.replace('t-1', `t-${row}`));
    site.csv('t.csv', HEADER, ...rows);
    const pushing = site.cli(...PUSH, '--batch-size', '1');
    while ((await site.ledger()).length < 3) await new Promise((resolve) => setTimeout(resolve, 1));
    const file = onlyJournalOf(site.cwd);
    // The files beside it stay, as they do when a file is moved by hand.
    rmSync(file);
    const stopped = documentOf(await pushing);
    expect(stopped).toMatchObject({ exit: { code: 8 }, problems: [{ code: 'run_removed' }] });
    const sent = await site.ledger();
    // At most the request that was in flight is not counted.
    expect([sent.length, sent.length - 1]).toContain(stopped.rows.created);
    // The journal is lost, and a person says so.
    const removed = (await site.cli(...typed(stopped.next))).json();
    expect(removed).toMatchObject({ exit: { code: 8 }, problems: [{ code: 'run_removed' }] });
    expect(await site.ledger()).toHaveLength(sent.length);
    rmSync(`${file}.head`);
    const again = documentOf(await site.cli(...typed(stopped.next)));
    expect(again).toMatchObject({ exit: { code: 0 }, rows: { read: 60, existing: sent.length } });
    expect(await site.ledger()).toHaveLength(60);
  });

  test('sends nothing without a journal that has sent records, until it is back or a person removes what was noted of it', async () => {
    const site = await accepting();
    const { run } = documentOf(await again(site));
    const file = onlyJournalOf(site.cwd);
    const content = readFileSync(file);
    rmSync(file);
    for (const argv of [PUSH, ['resume', '--json']]) {
      const { exitCode, json } = await site.cli(...argv);
      expect([exitCode, json()]).toMatchObject([8, { problems: [{ code: 'run_removed' }] }]);
    }
    const { stderr } = await site.cli(...PUSH.filter((word) => word !== '--json'));
    expect(stderr).toContain(`${file} is gone: it says which`);
    const dry = await site.cli(...PUSH, '--dry-run');
    expect([dry.exitCode, dry.stderr]).toEqual([0, expect.stringContaining('warning run_removed')]);
    writeFileSync(file, content);
    expect(documentOf(await again(site))).toMatchObject({ run, exit: { code: 0 } });
    rmSync(file);
    rmSync(`${file}.head`);
    expect(documentOf(await again(site)).rows).toMatchObject({ created: 0, existing: 2 });
    expect(await site.ledger()).toHaveLength(2);
  });
});

describe('a clock that is years behind', () => {
  test('has each row say to set it', async () => {
    const site = await accepting();
    const files = ['transactions', 't.csv'];
    for (const command of ['check', 'push']) {
      const late = await site.cliIn({ nowMs: Date.UTC(2020, 0, 5) }, command, ...files);
      expect(late.exitCode).toBe(3);
      expect(late.stdout + late.stderr).toContain('If today is another day, set the clock of this machine.');
    }
    expect((await site.cli('push', ...files)).exitCode).toBe(0);
  });
});

describe('a clock that is a day behind the newest command', () => {
  test('does not decide the order of the commands', async () => {
    const site = await accepting();
    const [today, yesterday] = [Date.UTC(2026, 10, 21), Date.UTC(2026, 10, 20)];
    await site.cliIn({ nowMs: today }, ...PUSH);
    site.csv('t.csv', HEADER, REFUSED, GOOD, GOOD.replace('t-1', 't-2'));
    const late = await site.cliIn({ nowMs: yesterday }, ...PUSH);
    const { run, rows } = documentOf(late);
    expect(rows).toMatchObject({ created: 3, sent_before: 0 });
    expect(documentOf(await site.cliIn({ nowMs: yesterday }, 'resume', '--json')).run).toBe(run);
    const listed = (await site.cli('runs', '--json')).json()['runs'] as readonly { run: string }[];
    expect(listed.map((each) => each.run)).toEqual([
      '20261120-000000-push-transactions-2',
      '20261120-000000-push-transactions',
      '20261121-000000-push-transactions',
    ]);
  });
});
