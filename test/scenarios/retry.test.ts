import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { runDocument, type RunDocument } from '../support/json-documents.ts';
import { RunFile } from '../../src/cli/run-file/run-file.ts';
import { RunsFolder } from '../../src/cli/run-file/runs-folder.ts';
import { takeOver } from '../../src/cli/runs/take-over.ts';
import { migration, type Migration } from '../support/migration.ts';
import { GOOD, HEADER, IMPORTED, REFUSED, SEED } from '../support/refused-account.ts';

const BOTH_REFUSED = [REFUSED, 'ACME,1003,t-10,2026-02-03,CREDIT,2.00'];

const documentOf = (result: { json(): unknown }): RunDocument => runDocument.parse(result.json());
const runs = (site: Migration): RunsFolder => new RunsFolder(join(site.cwd, '.dataimport', 'runs'));

/** A finished run. The record of account 1003 was refused and set aside. */
async function partialRun(site: Migration) {
  const file = site.csv('t.csv', HEADER, GOOD, ...BOTH_REFUSED);
  const pushed = await site.cli('push', 'transactions', file, '--on-reject', 'skip', '--json');
  expect(pushed.exitCode).toBe(6);
  return documentOf(pushed);
}

describe('push --on-reject skip', () => {
  test('ends as partial, with every row that was set aside named', async () => {
    const site = await migration(SEED);
    const document = await partialRun(site);
    expect(document).toMatchObject({
      exit: { name: 'PARTIAL', resumable: false },
      rows: { created: 1, rejected: 2 },
      problems: [{ code: 'account_not_found', line: 3 }],
    });
  });

  test('continues a run that stopped at a refusal', async () => {
    const site = await migration(SEED);
    const file = site.csv('t.csv', HEADER, REFUSED, GOOD);
    expect((await site.cli('push', 'transactions', file, '-j', '1')).exitCode).toBe(4);
    const { exitCode, json } = await site.cli('resume', '--on-reject', 'skip', '--json');
    expect(exitCode).toBe(6);
    expect(documentOf({ json }).rows).toMatchObject({ created: 1, rejected: 1 });
  });

  const [OF_1003, OF_1004] = [REFUSED, 'ACME,1004,t-11,2026-02-03,CREDIT,2.00'];

  test('is remembered: `resume` without the flag continues as the run began, and as a resume has chosen', async () => {
    const site = await migration(SEED);
    const file = site.csv('t.csv', HEADER, OF_1003, OF_1004, GOOD);
    const push = ['push', 'transactions', file, '-j', '1', '--json'];
    // One refusal is too many, so the run stops although refused records are set aside.
    const stopped = await site.cli(...push, '--on-reject', 'skip', '--max-errors', '0');
    expect([stopped.exitCode, documentOf(stopped).rows.not_sent]).toEqual([4, 2]);
    expect(documentOf(stopped).next).not.toContain('--on-reject');
    expect((await site.cli('resume')).exitCode).toBe(6);

    expect((await site.cli(...push, '--new')).exitCode).toBe(4);
    const choice = ['--on-reject', 'skip', '--max-errors', '0'];
    const chosen = await site.cli('resume', ...choice, '-j', '1', '--json');
    expect([chosen.exitCode, documentOf(chosen).rows.not_sent]).toEqual([4, 2]);
    expect((await site.cli('resume')).exitCode).toBe(6);
  });

  test('is taken back by `resume --on-reject stop`, for good', async () => {
    const site = await migration(SEED);
    const file = site.csv('t.csv', HEADER, OF_1003, OF_1004, GOOD);
    const push = ['push', 'transactions', file, '-j', '1', '--on-reject', 'skip', '--max-errors', '0'];
    expect((await site.cli(...push)).exitCode).toBe(4);
    for (const flags of [['--on-reject', 'stop'], []]) {
      const { exitCode, json } = await site.cli('resume', ...flags, '-j', '1', '--json');
      expect([exitCode, documentOf({ json }).rows.not_sent]).toEqual([4, 1]);
    }
  });

  test('cannot be resumed by two processes at once: the second gets an error', async () => {
    const site = await migration(SEED);
    const file = site.csv('t.csv', HEADER, REFUSED, GOOD);
    const { run: id } = documentOf(await site.cli('push', 'transactions', file, '-j', '1', '--json'));
    const held = runs(site).open(id!);
    const { exitCode, stderr } = await site.cli('resume');
    held.close();
    expect(exitCode).toBe(10);
    expect(stderr).toContain(`run_locked the run ${id} is in use by another process`);
    expect((await site.cli('resume', '--on-reject', 'skip')).exitCode).toBe(6);
  });

  test.each([
    ['1', 4],
    ['2', 6],
    ['50%', 4],
    ['80%', 6],
  ])('with --max-errors %s ends with %i', async (limit, code) => {
    const site = await migration(SEED);
    const file = site.csv('t.csv', HEADER, GOOD, ...BOTH_REFUSED);
    const argv = ['push', 'transactions', file, '--on-reject', 'skip', '--max-errors', limit, '-j', '1'];
    const { exitCode, stderr, stdout } = await site.cli(...argv);
    expect(exitCode).toBe(code);
    if (code === 6) return;
    expect(stderr).toContain('max_errors_exceeded');
    expect(stderr).toContain('rows that are invalid or were refused: 2, more than the 1 of --max-errors');
    expect(stdout).toMatch(/^next: dataimport resume /m);
  });

  test('counts invalid rows before anything is sent', async () => {
    const site = await migration(SEED);
    const file = site.csv('t.csv', HEADER, GOOD, 'ACME,1001,t-2,2026-02-01,CREDIT,x');
    const argv = ['push', 'transactions', file, '--skip-invalid', '--max-errors', '0', '--json'];
    const { exitCode, json } = await site.cli(...argv);
    expect(exitCode).toBe(4);
    expect(documentOf({ json })).toMatchObject({
      exit: { name: 'REFUSED', resumable: true },
      rows: { invalid: 1, not_sent: 1 },
      requests: { total: 0 },
    });
    expect(await site.ledger()).toEqual([]);
  });
});

describe('push --on-ambiguous', () => {
  test('needs --no-check-previously-added', async () => {
    const site = await migration(SEED);
    const file = site.csv('t.csv', HEADER, GOOD);
    const wrong = await site.cli('push', 'transactions', file, '--on-ambiguous', 'stop');
    expect(wrong.exitCode).toBe(2);
    expect(wrong.stderr).toContain('--on-ambiguous needs --no-check-previously-added');
    const argv = ['push', 'transactions', file, '--no-check-previously-added', '--on-ambiguous', 'stop'];
    expect((await site.cli(...argv)).exitCode).toBe(0);
  });
});

describe('retry', () => {
  test('sends the refused records of a run again, and nothing else of it', async () => {
    const site = await migration(SEED);
    const { run } = await partialRun(site);
    await site.reseed(IMPORTED);
    const { exitCode, json } = await site.cli('retry', run!, '--json');
    expect(exitCode).toBe(0);
    const document = documentOf({ json });
    expect(document).toMatchObject({
      exit: { name: 'OK' },
      rows: { read: 2, created: 2 },
      requests: { total: 1 },
      next: null,
    });
    expect(document.run).not.toBe(run);
    expect(await site.ledger()).toHaveLength(3);
    expect((await site.cli('runs', 'show', document.run!)).stdout).toContain(`parent    ${run}\n`);
  });

  test('names a record that is refused again at its line of the file', async () => {
    const site = await migration(SEED);
    const { run } = await partialRun(site);
    const { exitCode, stderr } = await site.cli('retry', run!, '--on-reject', 'skip');
    expect(exitCode).toBe(6);
    expect(stderr).toMatch(/t\.csv:3:2 error account_not_found/);
  });

  test('stops at a refusal with --on-reject stop, and is resumed', async () => {
    const site = await migration(SEED);
    const { run } = await partialRun(site);
    const stopped = await site.cli('retry', run!, '--on-reject', 'stop', '--json');
    expect(stopped.exitCode).toBe(4);
    await site.reseed(IMPORTED);
    const { next } = documentOf(stopped);
    expect((await site.cli(...next!.split(' ').slice(1))).exitCode).toBe(0);
    expect(await site.ledger()).toHaveLength(3);
  });

  test.each([
    ['verify', 'is verify'],
    ['unknown', 'is unknown'],
  ])('of %s records says when there is none', async (only, words) => {
    const site = await migration(SEED);
    const { run } = await partialRun(site);
    const { exitCode, stderr } = await site.cli('retry', run!, '--only', only);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('run_nothing_to_retry');
    expect(stderr).toContain(words);
  });

  test('takes no record twice, except with --new', async () => {
    const site = await migration(SEED);
    const { run } = await partialRun(site);
    const first = documentOf(await site.cli('retry', run!, '--on-reject', 'stop', '--json'));
    const again = await site.cli('retry', run!);
    expect(again.exitCode).toBe(8);
    expect(again.stderr).toContain('run_retried');
    expect(again.stderr).toContain(`Type \`dataimport resume ${first.run}\`; --new takes them once more.`);
    await site.reseed(IMPORTED);
    const third = await site.cli('retry', run!, '--new', '--json');
    expect(documentOf(third).rows).toMatchObject({ read: 2, created: 2 });
    // The platform now has the rest of the first run.
    expect((await site.cli('resume', first.run!)).exitCode).toBe(0);
    expect(await site.ledger()).toHaveLength(3);
  });

  test('keeps the payloads of refused records until they are sent, and no others', async () => {
    const site = await migration(SEED);
    const notes = 'import_supplier,external_account_number,body';
    const file = site.csv('n.csv', notes, 'ACME,1001,rang about the meter', 'ACME,1003,has moved out');
    const pushed = await site.cli('push', 'notes', file, '--on-reject', 'skip', '--json');
    const { run } = documentOf(pushed);
    const held = (): string =>
      readdirSync(runs(site).path)
        .map((name) => readFileSync(join(runs(site).path, name), 'latin1'))
        .join('');
    expect(held()).not.toContain('about the meter');
    expect(held()).toContain('has moved out');
    await site.reseed(IMPORTED);
    expect((await site.cli('retry', run!)).exitCode).toBe(0);
    expect(held()).not.toContain('has moved out');
    const { exitCode, stderr } = await site.cli('retry', run!, '--new');
    expect(exitCode).toBe(8);
    expect(stderr).toContain('run_retried');
    expect(stderr).toMatch(/were taken over by \S+, which has ended with 1 row read: 1 created\n/);
    // The printed command works.
    const next = /^next: Type `dataimport (.*)`\.$/m.exec(stderr)![1]!;
    expect(await site.cli(...next.split(' '))).toMatchObject({ exitCode: 0, stderr: '' });
  });

  test.each<[string, (retry: string, parent: string) => readonly string[]]>([
    ['it is resumed', (retry) => ['resume', retry]],
    ['it is shown', (retry) => ['runs', 'show', retry]],
    ['the earlier run is shown', (_, parent) => ['runs', 'show', parent]],
    ['the runs are listed', () => ['runs']],
  ])('that was killed after its last answer erases what it took over when %s', async (_, command) => {
    const site = await migration(SEED);
    const notes = 'import_supplier,external_account_number,body';
    const file = site.csv('n.csv', notes, 'ACME,1003,has moved out', 'ACME,1003,rang about the meter');
    const parent = documentOf(await site.cli('push', 'notes', file, '--on-reject', 'skip', '--json')).run!;
    const path = runs(site).fileOf(parent);
    const changed = <T>(act: (db: Database.Database) => T): T => {
      const db = new Database(path);
      const result = act(db);
      db.close();
      return result;
    };
    const payloads = changed((db) => db.prepare('SELECT seq, payload FROM record').all());
    await site.reseed(IMPORTED);
    const retry = documentOf(await site.cli('retry', parent, '--json')).run!;
    // As a process leaves them that dies before it erases them.
    changed((db) => {
      for (const record of payloads)
        db.prepare('UPDATE record SET payload = @payload WHERE seq = @seq').run(record);
      db.exec("UPDATE run SET state = 'staged'");
    });
    expect(readFileSync(path, 'latin1')).toContain('has moved out');
    await site.cli(...command(retry, parent));
    expect(readFileSync(path, 'latin1')).not.toMatch(/has moved out|rang about/);
    expect(readdirSync(runs(site).path).filter((name) => name.endsWith('-wal'))).toEqual([]);
  });

  test('of a run whose payloads were forgotten says so', async () => {
    const site = await migration(SEED);
    const { run } = await partialRun(site);
    await site.cli('runs', 'forget', run!);
    const { exitCode, stderr } = await site.cli('retry', run!);
    expect(exitCode).toBe(8);
    expect(stderr).toContain('run_forgotten');
  });
});

describe('retry of a run that stopped', () => {
  /** A run that stopped at the account 1003, with a row of 1001 that was not sent. */
  async function stoppedRun(site: Migration) {
    const file = site.csv('t.csv', HEADER, ...BOTH_REFUSED, GOOD);
    const pushed = await site.cli('push', 'transactions', file, '-j', '1', '--batch-size', '1', '--json');
    expect(pushed.exitCode).toBe(4);
    return documentOf(pushed);
  }

  test('takes the refused records, and the run sends the rest afterwards', async () => {
    const site = await migration(SEED);
    const { run, rows } = await stoppedRun(site);
    expect(rows).toMatchObject({ rejected: 1, not_sent: 2 });
    const first = documentOf(await site.cli('retry', run!, '--json'));
    expect(first.exit.name).toBe('REFUSED');
    const early = await site.cli('resume', run!);
    expect(early.exitCode).toBe(8);
    expect(early.stderr).toContain('run_taken_over');
    expect(early.stderr).toContain(`Type \`dataimport resume ${first.run}\` first`);

    await site.reseed(IMPORTED);
    expect((await site.cli('resume', first.run!)).exitCode).toBe(0);
    const rest = await site.cli('resume', run!, '--json');
    // The record was refused in this run. The other run reports that it was sent.
    expect(rest.exitCode).toBe(6);
    expect(documentOf(rest).rows).toMatchObject({ created: 2, rejected: 1 });
    expect(documentOf(rest).problems).toMatchObject([{ code: 'account_not_found', line: 2 }]);
    const ledger = await site.ledger();
    expect(ledger.map(({ data }) => (data as { transaction_id: string }).transaction_id).toSorted()).toEqual([
      't-1',
      't-10',
      't-9',
    ]);
  });

  test('names the command for the rest', async () => {
    const site = await migration(SEED);
    const { run } = await stoppedRun(site);
    await site.reseed(IMPORTED);
    const { exitCode, json } = await site.cli('retry', run!, '--json');
    expect(exitCode).toBe(0);
    expect(documentOf({ json }).next).toBe(`dataimport resume ${run}`);
  });
});

test('a retry whose process died before its run was whole is repeated, and nothing is lost', async () => {
  const site = await migration(SEED);
  const { run } = await partialRun(site);
  const folder = runs(site);
  // The state that the process left: the records are given up, and the run that takes them was never finished.
  const parent = folder.open(run!);
  const unborn = { ...parent.header, id: '20261121-000000-transactions-dead', parent: run! };
  expect(parent.retrying.giveAway({ outcomes: ['rejected'], by: unborn.id, again: false })).toBe(2);
  parent.close();
  folder.create(unborn).close();

  await site.reseed(IMPORTED);
  const { exitCode, json } = await site.cli('retry', run!, '--json');
  expect(exitCode).toBe(0);
  expect(documentOf({ json }).rows).toMatchObject({ read: 2, created: 2 });
  expect(folder.ids()).not.toContain(unborn.id);
  expect(await site.ledger()).toHaveLength(3);
});

test('a retry that dies twice leaves no run file that nobody knows, with values in it', async () => {
  const site = await migration(SEED);
  const { run } = await partialRun(site);
  const folder = runs(site);
  const parent = folder.open(run!);
  onTestFinished(() => parent.close());
  const choice = { again: false, limits: { records: 100, bytes: 1_000_000 } };
  const ports = {
    folder,
    io: site.io(),
    commands: { resume: () => '', resumeById: () => '', retry: () => '', show: () => '', forget: () => '' },
  };
  const dyingAt = (target: object, name: string): unknown => {
    const spy = vi.spyOn(target as { act(): void }, name as 'act');
    spy.mockImplementation(() => {
      throw new Error(`dies at ${name}`);
    });
    try {
      return takeOver(parent, choice, ports);
    } catch (error) {
      return (error as Error).message;
    } finally {
      spy.mockRestore();
    }
  };
  // The first process dies when its run has the records but is not whole, the second one when it passes them on.
  expect(dyingAt(RunFile.prototype, 'finishStaging')).toBe('dies at finishStaging');
  const [unborn] = parent.retrying.takers();
  folder.open(unborn!).close();
  expect(dyingAt(parent.retrying, 'giveAway')).toBe('dies at giveAway');
  takeOver(parent, choice, ports).close();
  expect(new Set(folder.ids())).toEqual(new Set([run, ...parent.retrying.takers()]));
});
