import { chmodSync, chownSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { main } from '../../src/cli/main.ts';
import { runDocument } from '../support/json-documents.ts';
import { leavingPlatform } from '../support/leaving-platform.ts';
import { migration, type Migration } from '../support/migration.ts';
import { nextOf, typed } from '../support/next-command.ts';
import { GOOD, HEADER, IMPORTED, REFUSED, SEED } from '../support/refused-account.ts';

const LATER = 'ACME,1003,t-10,2026-02-03,CREDIT,2.00';

/** A run of three rows. The platform accepted one and refused one. */
async function refusedRun(site: Migration, ...flags: readonly string[]) {
  const file = site.csv('t.csv', HEADER, GOOD, REFUSED, LATER);
  const argv = ['push', 'transactions', file, '-j', '1', '--batch-size', '1', '--json', ...flags];
  const { json, stderr } = await site.cli(...argv);
  const document = runDocument.parse(json());
  return { file, stderr, document, run: document.run! };
}

describe('a run that was forgotten', () => {
  test('is not resumed, sends nothing, is not finished, and keeps its report, and its file can be pushed again', async () => {
    const site = await migration(SEED);
    const { run, file, document } = await refusedRun(site);
    const shown = await site.cli('runs', 'show', run, '--json');
    const before = runDocument.parse(shown.json());
    // It ends as the push did.
    expect(document.exit).toEqual({ code: 4, name: 'REFUSED', resumable: true });
    expect(shown.exitCode).toBe(4);
    expect(before).toMatchObject({ exit: document.exit, next: document.next });
    const forgotten = await site.cli('runs', 'forget', run, '--force');
    expect(forgotten.stdout).toContain('can no longer be sent');
    expect((await site.cli('runs')).stdout).toContain(`${run}  texts erased  `);
    expect((await site.cli('resume')).exitCode).toBe(8);
    await site.reseed(IMPORTED);
    const { exitCode, stderr, json } = await site.cli('resume', run, '--json');
    expect(exitCode).toBe(8);
    expect(json()).toMatchObject({ problems: [{ code: 'run_forgotten' }] });
    expect(stderr).toContain('run_forgotten');
    expect(await site.ledger()).toHaveLength(1);
    const after = runDocument.parse((await site.cli('runs', 'show', run, '--json')).json());
    expect(after.rows).toEqual(before.rows);
    expect(after.rows).toMatchObject({ created: 1, rejected: 1, not_sent: 1 });
    expect(after.exit).toMatchObject({ name: 'REFUSED', resumable: false });
    expect(after.next).toBe(document.next);
    // Its file can be pushed again.
    const pushed = await site.cli('push', 'transactions', file);
    expect(pushed.exitCode).toBe(0);
    expect(pushed.stdout).toContain('3 rows read: 2 created, 1 sent before');
  });
});

describe('the next command works as it is printed', () => {
  const elsewhere = { env: { DATAIMPORT_BASE_URL: 'https://elsewhere.example' } };

  test('when flags gave the address and the folder of the runs', async () => {
    const site = await migration(SEED);
    const { file, document, run } = await refusedRun(site, '--base-url', site.url, '--run-dir', 'my runs');
    expect(document.next).toMatch(/^dataimport push .* --base-url \S+ --run-dir 'my runs'$/);
    const shownNext = async () => {
      const { json } = await site.cliIn(elsewhere, 'runs', 'show', run, '--run-dir', 'my runs', '--json');
      return runDocument.parse(json()).next;
    };
    expect(await shownNext()).toBe(document.next);
    expect((await site.cliIn(elsewhere, ...typed(document.next))).exitCode).toBe(4);
    await site.reseed(IMPORTED);
    // Without its files only the run file can send the rest.
    rmSync(file);
    const next = await shownNext();
    expect(next).toBe(`dataimport resume ${run} --run-dir 'my runs' --base-url ${site.url}`);
    expect((await site.cliIn(elsewhere, ...typed(next))).exitCode).toBe(0);
  });

  test('when the environment gave them', async () => {
    const site = await migration(SEED);
    const { file, document, run } = await refusedRun(site);
    expect(nextOf((await site.cli('runs', 'show', run)).stdout)).toBe(document.next);
    const stopped = await site.cli('push', 'transactions', file);
    expect(nextOf(stopped.stdout)).toBe(`dataimport push transactions ${file}`);
    await site.reseed(IMPORTED);
    rmSync(file);
    const next = nextOf((await site.cli('runs', 'show', run)).stdout);
    expect(next).toBe(`dataimport resume ${run}`);
    expect((await site.cli(...typed(next))).exitCode).toBe(0);
  });

  test('when a profile has the address', async () => {
    const site = await migration(SEED);
    writeFileSync(
      join(site.cwd, 'my.yaml'),
      `profiles:\n  live:\n    baseUrl: ${site.url}\n    runDir: live runs\n`,
    );
    const file = site.csv('t.csv', HEADER, REFUSED);
    const { DATAIMPORT_BASE_URL: _, ...env } = site.io().env;
    const io = { ...site.io(), env };
    await main(['push', 'transactions', file, '--profile', 'live', '--config', 'my.yaml', '--json'], io);
    const { next } = runDocument.parse(JSON.parse(io.printed.stdout));
    const shown = { ...site.io(), env };
    const [name] = readdirSync(join(site.cwd, 'live runs')).filter((each) => /^\d/.test(each));
    const run = name!.split('.')[0]!;
    rmSync(file);
    await main(['runs', 'show', run, '--profile', 'live', '--config', 'my.yaml'], shown);
    const resume = nextOf(shown.printed.stdout);
    expect(resume).toBe(`dataimport resume ${run} --profile live --config my.yaml`);
    expect(await main(typed(resume), { ...site.io(), env })).toBe(4);
    await site.reseed(IMPORTED);
    site.csv('t.csv', HEADER, REFUSED);
    expect(await main(typed(next), { ...site.io(), env })).toBe(0);
  });

  test('and is told when a flag or the environment leads elsewhere', async () => {
    const site = await migration(SEED);
    const { run } = await refusedRun(site);
    for (const [flags, world] of [
      [['--base-url', 'https://elsewhere.example'], {}],
      [[], elsewhere],
    ] as const) {
      const { exitCode, stderr } = await site.cliIn(world, 'resume', run, ...flags);
      expect(exitCode).toBe(8);
      expect(stderr).toContain('run_other_target');
      expect(stderr).toContain(`next: Type \`dataimport resume ${run} --base-url ${site.url}\`.`);
    }
    await site.reseed(IMPORTED);
    expect((await site.cliIn(elsewhere, 'resume', run, '--base-url', site.url)).exitCode).toBe(0);
  });

  test('where no run is found, and no line of the push names another run', async () => {
    const site = await migration(SEED);
    const { run, stderr: pushed } = await refusedRun(site, '--run-dir', 'r');
    expect(pushed).toContain('help: ');
    expect(pushed).not.toContain('dataimport resume`');
    const { stderr } = await site.cli('resume', 'no-such-run', '--run-dir', 'r');
    const line = /next: Type `(.*)`/.exec(stderr)![1]!;
    expect((await site.cli(...typed(line))).stdout).toContain(run);
  });
});

describe('runs show', () => {
  test('shows how long sending took, waits included', async () => {
    const site = await migration(SEED);
    const file = site.csv('t.csv', HEADER, GOOD);
    const io = site.io({ ...(await leavingPlatform()), chance: 0.5, maxWaits: 3 });
    expect(await main(['push', 'transactions', file, '--retry-for', '800ms'], io)).toBe(5);
    expect(io.waits).toEqual([125, 250, 425]);
    expect(io.printed.stderr).toContain('a request was given up after 800 ms');
    expect(io.printed.stdout).toContain('4 requests (4 could not be sent), 0 of 1 account done, 800 ms');
    const [id] = readdirSync(join(site.cwd, '.dataimport', 'runs')).map((name) => name.split('.')[0]!);
    const { exitCode, json } = await site.cli('runs', 'show', id!, '--json');
    expect(exitCode).toBe(5);
    expect(runDocument.parse(json())).toMatchObject({
      exit: { name: 'UNFINISHED', resumable: true },
      duration_ms: 800,
      requests: { total: 4, retried: 0, by_status: { not_sent: 4 } },
    });
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
      problems: [
        { code: 'credentials_token_refused', next: expect.stringContaining('unset DATAIMPORT_TOKEN') },
      ],
    });
    expect((await site.cli('resume')).exitCode).toBe(0);
  });
});

describe('resume', () => {
  test('of a finished run says that nothing was left, sends nothing, and shows the earlier report', async () => {
    const site = await migration(IMPORTED);
    const { run, document } = await refusedRun(site);
    expect(document.exit).toEqual({ code: 0, name: 'OK', resumable: false });
    await site.faults('transactions accept status=500');
    const { exitCode, stdout } = await site.cli('resume', run);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('Nothing was left to do. This is the report of the finished run.\n');
    // Its time is not that of the run, which `runs show` has.
    expect(stdout).toMatch(/ \(none by this command\), .* done; this command took /);
    const shown = await site.cli('runs', 'show', run);
    expect(shown.stdout).toContain(' done; from the first request to the last answer: ');
    expect(stdout).toContain('3 rows read: 3 created');
    const { exit, next } = runDocument.parse((await site.cli('runs', 'show', run, '--json')).json());
    expect([shown.exitCode, exit, next]).toEqual([0, document.exit, document.next]);
    // It stays finished when it is forgotten.
    expect((await site.cli('runs', 'forget', run)).stdout).toBe(`${run}: payloads erased\n`);
    expect((await site.cli('runs')).stdout).toContain(`${run}  finished  `);
  });

  test('of a run whose process died right after the last answer erases the payloads that are left', async () => {
    const site = await migration(IMPORTED);
    const { run } = await refusedRun(site);
    const { default: Database } = await import('better-sqlite3');
    const file = join(site.cwd, '.dataimport', 'runs', `${run}.sqlite`);
    const db = new Database(file);
    db.exec(`UPDATE run SET state = 'staged'; UPDATE record SET payload = 'rang about the meter'`);
    db.close();
    expect(readFileSync(file).includes('about the meter')).toBe(true);
    expect((await site.cli('resume', run)).exitCode).toBe(0);
    expect(readFileSync(file).includes('about the meter')).toBe(false);
  });

  test('begins its progress with what earlier commands have sent', async () => {
    const site = await migration(SEED);
    const { run } = await refusedRun(site);
    await site.reseed(IMPORTED);
    const shown: string[] = [];
    const io = site.io();
    let nowMs = io.timing.monotonicMs();
    // Every look at the clock is eleven seconds after the previous one, so every event is shown.
    const timing = { ...io.timing, monotonicMs: () => (nowMs += 11_000) };
    const stderr = { ...io.stderr, write: (text: string) => void shown.push(text) };
    expect(await main(['resume', run], { ...io, timing, stderr })).toBe(0);
    expect(shown[1]).toMatch(
      /^sending: 2 of 3 \(66 %\), [\d a-z]+ so far, 1 at once \(no other account is left\), 2 created\n$/,
    );
    expect(shown.join('')).not.toContain('reading');
  });
});

describe('a record that is larger than a request', () => {
  const NOTES = 'import_supplier,external_account_number,body';

  test('is reported before it is sent, and gets a request of its own', async () => {
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
    expect(document.problems).toMatchObject([
      { code: 'record_over_batch_bytes', severity: 'warning', file, line: 3, column: null },
    ]);
    expect(document.problems[0]!.detail).toMatch(
      /^the record takes 1200\d\d\d bytes, more than the 1048576 of a request/,
    );
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
            `dataimport: warning run_folder_shared other users may write into the folder of the run files ${folder}, `,
          ),
        ]).toEqual([4, isWarned]);
        if (isWarned) expect(stderr).toContain(`next: Type \`chmod go-w '${folder}'\`.\n`);
      }
    }
  },
);
