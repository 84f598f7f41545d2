import {
  chmodSync,
  chownSync,
  lchownSync,
  mkdirSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { main } from '../../src/cli/main.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { seedWith, site as cohortSite } from '../support/cohort-site.ts';
import { runDocument } from '../support/json-documents.ts';
import { onlyJournalOf } from '../support/journals.ts';
import { migration, type Migration } from '../support/migration.ts';
import { nextOf, typed } from '../support/next-command.ts';
import { GOOD, HEADER, IMPORTED, REFUSED, SEED } from '../support/refused-account.ts';

const LATER = 'ACME,1003,t-10,2026-02-03,CREDIT,2.00';

/** A run of three rows. The platform accepted one and refused one. */
async function refusedRun(site: Migration, ...flags: readonly string[]) {
  const file = site.csv('t.csv', HEADER, GOOD, REFUSED, LATER);
  const argv = ['push', 'transactions', file, '-j', '1', '--batch-size', '1', '--json', ...flags];
  const { json } = await site.cli(...argv);
  const document = runDocument.parse(json());
  return { file, document, run: document.run! };
}

describe('runs', () => {
  const commands = (result: { json(): unknown }) =>
    (result.json() as { runs: readonly Record<string, unknown>[] }).runs;

  test('lists a command whose journal is damaged inside, and what is wrong with it', async () => {
    const site = await migration(SEED);
    await refusedRun(site);
    const db = new Database(onlyJournalOf(site.cwd));
    db.exec("INSERT INTO packed_outcome VALUES (1, 'created', 'x')");
    db.close();
    const { json, exitCode } = await site.cli('runs', '--json');
    expect(exitCode).toBe(0);
    expect(json()).toMatchObject({
      runs: [{ words: expect.arrayContaining(['push', 'transactions']), open: null, readings: [] }],
      unread: [{ reason: expect.stringContaining('is damaged') }],
    });
  });

  test('lists the commands that were typed, the newest first, with what is open', async () => {
    const site = await migration(SEED);
    const { run, document } = await refusedRun(site);
    await site.cli('push', 'notes', 'none.csv');
    const [notes, push] = commands(await site.cli('runs', '--json'));
    expect(notes).toMatchObject({
      words: ['push', 'notes', 'none.csv'],
      user: 'ada',
      state: 'ended',
      ended: { exit: 'USAGE', reason: 'file_not_readable' },
      open: null,
      readings: [],
    });
    expect(push).toMatchObject({
      run: '20261121-000000-push-transactions',
      target: site.url,
      ended: { exit: 'REFUSED' },
      open: 2,
      replaced_by: null,
      readings: [{ reading: run, resource: 'transactions', state: 'open', rows: document.rows }],
    });
  });

  test('names a journal that cannot be read now, and a reading whose command is not in the list', async () => {
    const site = await migration(SEED);
    const { run } = await refusedRun(site);
    const folder = join(site.cwd, '.dataimport', 'journal');
    rmSync(join(folder, 'commands.ndjson'));
    const [unlisted] = commands(await site.cli('runs', '--json'));
    expect(unlisted).toMatchObject({ run, state: 'unlisted', user: 'ada', open: 2 });
    const [target] = readdirSync(folder);
    writeFileSync(join(folder, target!, 'ACME', 'transactions.sqlite'), 'no database');
    const { exitCode, stdout } = await site.cli('runs');
    expect(exitCode).toBe(0);
    expect(stdout).toContain('/ACME/transactions cannot be read now: ');
  });
});

describe('a cohort', () => {
  test('is one command, with a report, a list of rows and erased texts for all its resources', async () => {
    const made = await cohortSite(seedWith('imported', 'staged'));
    expect((await made.cli('migrate', 'night.yaml')).exitCode).toBe(5);
    const [listed] = (await made.cli('runs', '--json')).json()['runs'] as [Record<string, unknown>];
    expect(listed).toMatchObject({
      run: '20261121-000000-migrate',
      words: ['migrate', 'night.yaml'],
      readings: [{ resource: 'notes' }, { resource: 'transactions' }],
    });
    const shown = await made.cli('runs', 'show', '--json');
    expect([shown.exitCode, shown.json()]).toMatchObject([
      5,
      { cohort: 'night', resources: [{ resource: 'notes' }, { resource: 'transactions' }] },
    ]);
    const records = (await made.cli('runs', 'show', '--account', '1002', '--json')).json();
    expect(records['records_total']).toBe(3);
    expect((await made.cli('runs', 'forget')).exitCode).toBe(2);
    expect((await made.cli('runs', 'forget', '--force')).exitCode).toBe(0);
    await made.reseed(seedWith('imported', 'imported'));
    expect((await made.cli('resume')).exitCode).toBe(0);
    expect(await made.ledger()).toHaveLength(7);
  });
});

describe('a run whose texts were erased', () => {
  test('keeps its report, and is read again by the next push of its files', async () => {
    const site = await migration(SEED);
    const { run, file, document } = await refusedRun(site);
    const shown = await site.cli('runs', 'show', run, '--json');
    const before = runDocument.parse(shown.json());
    // It ends as the push did.
    expect(document.exit).toEqual({ code: 4, name: 'REFUSED', resumable: true });
    expect(shown.exitCode).toBe(4);
    expect(before).toMatchObject({ exit: document.exit, next: document.next });
    const kept = await site.cli('runs', 'forget');
    expect([kept.exitCode, kept.stderr]).toEqual([
      2,
      expect.stringContaining(`rows have not arrived: go on with \`${document.next!}\`, or add --force`),
    ]);
    const forgotten = await site.cli('runs', 'forget', '--force');
    expect(forgotten.stdout).toContain('texts erased; the files are read again before the rest is sent\n');
    const after = runDocument.parse((await site.cli('runs', 'show', run, '--json')).json());
    expect(after.rows).toEqual(before.rows);
    expect(after.exit).toMatchObject({ name: 'REFUSED', resumable: false });
    expect(after.next).toBe(document.next);
    // Another file of the same journal, and then its own.
    const other = site.csv('u.csv', HEADER, GOOD.replace('t-1', 't-77'));
    expect((await site.cli('push', 'transactions', other)).exitCode).toBe(0);
    await site.reseed(IMPORTED);
    const pushed = await site.cli('push', 'transactions', file);
    expect([pushed.exitCode, pushed.stdout]).toEqual([0, expect.stringContaining('3 rows read: 3 arrived')]);
    expect(await site.ledger()).toHaveLength(4);
  });

  test('does not keep another file waiting, although rows of it have no answer', async () => {
    const site = await migration(IMPORTED);
    await site.faults('transactions after-commit reset');
    const file = site.csv('t.csv', HEADER, GOOD);
    const lost = ['push', 'transactions', file, '--retry-for', '1s'];
    expect((await site.cliIn({ chance: 0.5, maxWaits: 9 }, ...lost)).exitCode).toBe(5);
    expect((await site.cli('runs', 'forget', '--force')).exitCode).toBe(0);
    await site.faults();
    const other = site.csv('u.csv', HEADER, REFUSED);
    const beside = await site.cli('push', 'transactions', other);
    expect([beside.exitCode, beside.stdout]).toEqual([0, expect.stringContaining('1 row read: 1 arrived')]);
    const same = site.csv('v.csv', HEADER, GOOD.replace('t-1,', 't-55,'));
    const ofAccount = await site.cli('push', 'transactions', same);
    expect([ofAccount.exitCode, ofAccount.stdout]).toEqual([
      0,
      expect.stringContaining('1 row read: 1 arrived'),
    ]);
    const own = await site.cli('push', 'transactions', file);
    expect([own.exitCode, own.stdout]).toEqual([0, expect.stringContaining('1 row read: 1 arrived')]);
    expect(await site.ledger()).toHaveLength(3);
  });
});

describe('the next command works as it is printed', () => {
  const elsewhere = { env: { DATAIMPORT_BASE_URL: 'https://elsewhere.example' } };

  test('when flags gave the address and the folder of the runs', async () => {
    const site = await migration(SEED);
    const { document, run } = await refusedRun(site, '--base-url', site.url, '--run-dir', 'my runs');
    expect(document.next).toMatch(/^dataimport push .* --base-url \S+ --run-dir 'my runs'$/);
    const { json } = await site.cliIn(elsewhere, 'runs', 'show', run, '--run-dir', 'my runs', '--json');
    expect(runDocument.parse(json()).next).toBe(document.next);
    expect((await site.cliIn(elsewhere, ...typed(document.next))).exitCode).toBe(4);
    await site.reseed(IMPORTED);
    expect((await site.cliIn(elsewhere, ...typed(document.next))).exitCode).toBe(0);
  });

  test('when the environment gave them, also where it leads elsewhere now', async () => {
    const site = await migration(SEED);
    const { document, run } = await refusedRun(site);
    expect(nextOf((await site.cli('runs', 'show', run)).stdout)).toBe(document.next);
    const next = nextOf((await site.cliIn(elsewhere, 'runs', 'show')).stdout);
    expect(next).toBe(`${document.next!} --base-url ${site.url}`);
    await site.reseed(IMPORTED);
    expect((await site.cliIn(elsewhere, ...typed(next))).exitCode).toBe(0);
  });
});

describe('runs show', () => {
  test.each([
    [2, 'none.csv'],
    [3, 'wrong.csv'],
  ])('of a command that has sent nothing says so, and ends with its exit code: %i', async (code, file) => {
    const site = await migration(SEED);
    await refusedRun(site);
    site.csv('wrong.csv', HEADER, GOOD.replace('2026-', '26-'));
    expect((await site.cli('push', 'transactions', file)).exitCode).toBe(code);
    const { exitCode, stdout } = await site.cli('runs', 'show');
    expect([exitCode, stdout]).toEqual([code, expect.stringContaining('    It sent nothing.\n')]);
    expect(nextOf(stdout)).toBe(`dataimport push transactions ${file}`);
  });

  test('of a command whose files were read again names the command that has their rows', async () => {
    const site = await migration(IMPORTED);
    const { run } = await refusedRun(site);
    site.csv('t.csv', HEADER, GOOD, LATER);
    await site.cli('push', 'transactions', 't.csv');
    for (const id of [run, '20261121-000000-push-transactions']) {
      const shown = await site.cli('runs', 'show', id);
      const [, newer] = new RegExp(`the run ${id} was replaced by (\\S+),`).exec(shown.stderr)!;
      expect(shown.exitCode).toBe(2);
      expect((await site.cli('runs', 'show', newer!)).stdout).toContain('2 rows read: 2 arrived\n');
    }
  });
});

describe('a token that is refused in the middle', () => {
  test('is reported with the key that it hides, and the run continues with the key', async () => {
    const site = await migration(IMPORTED);
    const file = site.csv('t.csv', HEADER, GOOD, REFUSED);
    await site.faults('transactions accept expire-tokens nth=1');
    const expiring = { env: { DATAIMPORT_TOKEN: await site.token() } };
    const pushed = await site.cliIn(expiring, 'push', 'transactions', file, '-j', '1', '--json');
    expect(pushed.exitCode).toBe(7);
    expect(runDocument.parse(pushed.json())).toMatchObject({
      exit: { name: 'AUTH', resumable: true },
      rows: { not_sent: 2 },
      requests: { total: 1, by_status: { 401: 1 } },
      problems: [{ code: 'credentials_refused', next: expect.stringContaining('unset DATAIMPORT_TOKEN') }],
    });
    expect((await site.cli('resume')).exitCode).toBe(0);
  });
});

describe('a command of which everything has arrived', () => {
  test('says that nothing was left, sends nothing, and shows the earlier report when it is typed again', async () => {
    const site = await migration(IMPORTED);
    const { document } = await refusedRun(site);
    expect(document.exit).toEqual({ code: 0, name: 'OK', resumable: false });
    await site.faults('transactions accept status=500');
    const { exitCode, stdout } = await site.cli(
      'push',
      'transactions',
      't.csv',
      '-j',
      '1',
      '--batch-size',
      '1',
    );
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/ \(none by this command\), .* done; this command took /);
    const shown = await site.cli('runs', 'show');
    expect(stdout).toContain('3 rows read: 3 arrived, none of them now\n');
    const { exit, next } = runDocument.parse((await site.cli('runs', 'show', '--json')).json());
    expect([shown.exitCode, exit, next]).toEqual([0, document.exit, document.next]);
  });
});

describe('a record that is larger than a request', () => {
  const NOTES = 'import_supplier,external_account_number,body';

  test('gets a request of its own', async () => {
    const site = await migration(SEED);
    const file = site.csv(
      'n.csv',
      NOTES,
      'ACME,1001,short',
      `ACME,1001,${'longer'.repeat(200_000)}`,
      'ACME,1001,last',
    );
    const { exitCode, json } = await site.cli('push', 'notes', file, '--json');
    expect(exitCode).toBe(0);
    const document = runDocument.parse(json());
    expect(document.problems).toEqual([]);
    expect(document).toMatchObject({ rows: { created: 3 }, requests: { total: 3 } });
  });
});

test.skipIf(process.platform === 'win32')('a folder of runs of another user is not used', async () => {
  const site = await migration(SEED);
  const file = site.csv('t.csv', HEADER, GOOD);
  const folder = join(site.cwd, 'runs');
  mkdirSync(folder);
  const io = site.io({ userId: process.getuid!() + 4711 });
  // A folder of root is used by everybody.
  const isOfRoot = process.getuid!() === 0;
  if (isOfRoot) chownSync(folder, 4712, 4712);
  expect(await main(['push', 'transactions', file, '--run-dir', folder], io)).toBe(8);
  expect(io.printed.stderr).toContain('error run_folder_foreign ');
  expect(await site.ledger()).toEqual([]);
});

test.skipIf(process.getuid?.() !== 0)(
  'a link of another user on the way to the runs is not followed',
  async () => {
    const site = await migration(SEED);
    const file = site.csv('t.csv', HEADER, GOOD);
    const [linked, way] = [join(temporaryFolder(), 'linked'), join(site.cwd, 'way')];
    mkdirSync(join(linked, 'runs'), { recursive: true });
    symlinkSync(linked, way);
    const push = ['push', 'transactions', file, '--run-dir', join(way, 'runs')];
    lchownSync(way, 4712, 4712);
    const refused = await site.cli(...push);
    expect([refused.exitCode, refused.stderr]).toEqual([
      8,
      expect.stringContaining(`${way} belongs to another user`),
    ]);
    lchownSync(way, 0, 0);
    expect((await site.cli(...push)).exitCode).toBe(0);
    expect(await site.ledger()).toHaveLength(1);
  },
);

test.skipIf(process.platform === 'win32')(
  'a folder of runs that others may write into is a warning',
  async () => {
    const site = await migration(SEED);
    const [file, folder] = [site.csv('t.csv', HEADER, GOOD, REFUSED), join(site.cwd, 'shared')];
    mkdirSync(folder);
    const [push, resume] = [['push', 'transactions', file, '-j', '1'], ['resume']];
    for (const [mode, isWarned, commands] of [
      [0o777, true, [push]],
      [0o770, true, [resume]],
      [0o755, false, [push, resume]],
    ] as const) {
      chmodSync(folder, mode);
      for (const command of commands) {
        const { exitCode, stderr } = await site.cli(...command, '--run-dir', folder);
        expect([
          exitCode,
          stderr.startsWith(
            `dataimport: warning run_folder_foreign another user could say with the journals what is sent: ${folder} may be written`,
          ),
        ]).toEqual([4, isWarned]);
        if (isWarned) expect(stderr).toContain(`next: Type \`chmod go-w '${folder}'\`.\n`);
      }
    }
  },
);

test('a journal that a backup reads is neither running nor to be stopped', async () => {
  const site = await migration(IMPORTED);
  const push = ['push', 'transactions', site.csv('t.csv', HEADER, GOOD)];
  expect((await site.cli(...push)).exitCode).toBe(0);
  const backup = new Database(onlyJournalOf(site.cwd), { readonly: true });
  backup.exec('BEGIN; SELECT count(*) FROM record');
  const [listed, again] = [await site.cli('runs'), await site.cli(...push)];
  backup.close();
  expect(listed.stdout).toMatch(/ ok \(0\)\n/);
  expect(listed.stdout.replaceAll(/\s+/g, ' ')).toContain('is in use by another process');
  expect(listed.stdout).not.toContain('running');
  expect([again.exitCode, again.stderr]).toEqual([10, expect.stringContaining('a backup may read it')]);
  expect(again.stderr).not.toContain('stop');
  expect((await site.cli(...push)).exitCode).toBe(0);
});
