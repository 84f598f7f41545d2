import { cpSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { seedWith, TRANSACTIONS, transaction } from '../support/cohort-site.ts';
import { migration } from '../support/migration.ts';

/** A folder with the runs of two shards that have sent everything, and the platform that has it. */
async function site() {
  const made = await migration(seedWith('imported', 'imported', 'imported', 'imported'));
  const accounts = [1001, 1002, 1003, 1004];
  made.csv('t.csv', TRANSACTIONS, ...accounts.map((account) => transaction(account, `t-${account}`)));
  for (const shard of ['1/2', '2/2'])
    expect((await made.cli('push', 'transactions', 't.csv', '--shard', shard)).exitCode).toBe(0);
  const runs = join(made.cwd, '.dataimport', 'runs');
  const ids = readdirSync(runs).flatMap((name) => (name.endsWith('.sqlite') ? name.slice(0, -7) : []));
  const edit = (sql: string): void => {
    const db = new Database(join(runs, `${ids[0]!}.sqlite`));
    db.exec(sql);
    db.close();
  };
  const said = async (...argv: readonly string[]) => {
    const { exitCode, stdout, stderr } = await made.cli(...argv);
    return { argv, exitCode, said: stdout + stderr };
  };
  return { ...made, runs, ids, edit, said };
}

/** Every command that reads a run, with the run in the place of RUN. */
const READERS = [
  ['runs', 'show', 'RUN'],
  ['runs', 'show', 'RUN', '--line', '2'],
  ['verify', 'transactions', 't.csv', '--run-dir', '.dataimport/runs'],
  ['report', 'RUN', '--json'],
  ['report', '.dataimport/runs', '--json'],
  ['verify', 'transactions', 't.csv', '--run', 'RUN'],
  ['push', 'transactions', 't.csv', '--shard', '1/2'],
  ['push', 'transactions', 't.csv', '--shard', '2/2'],
  ['resume', 'RUN'],
];

const EDITS = {
  'a trigger': 'CREATE TRIGGER t AFTER UPDATE ON batch BEGIN SELECT 1; END',
  'a view': 'CREATE VIEW v AS SELECT * FROM batch',
  'a table': 'CREATE TABLE more (x)',
  'another index': 'CREATE INDEX i ON batch (state)',
  'a column': 'ALTER TABLE batch ADD COLUMN more TEXT',
  'a second header': 'INSERT INTO run SELECT * FROM run',
  'another version': 'PRAGMA user_version = 4711',
  'the mark of another program': 'PRAGMA application_id = 1',
};

test('a run file that another program has changed is refused by every command that reads it, and nothing is sent', async () => {
  const { said, ids, edit, ledger, runs, cwd } = await site();
  const before = await ledger();
  cpSync(runs, join(cwd, 'written'), { recursive: true });
  for (const [what, sql] of Object.entries(EDITS)) {
    rmSync(runs, { recursive: true });
    cpSync(join(cwd, 'written'), runs, { recursive: true });
    edit(sql);
    const listed = await said('runs');
    expect(listed.said, what).toMatch(/damaged|version/);
    for (const words of READERS) {
      const ended = await said(...words.map((word) => (word === 'RUN' ? ids[0]! : word)));
      expect({ what, ...ended }).toMatchObject({
        what,
        argv: ended.argv,
        said: expect.stringMatching(/run_damaged|run_version_differs/) as string,
      });
      expect([what, ended.argv, ended.exitCode]).toEqual([what, ended.argv, 8]);
    }
  }
  expect(await ledger()).toEqual(before);
});

test('the same commands read the run files as they were written', async () => {
  const { said, ids } = await site();
  // A trace, a report and a comparison of one shard alone say that the other one is missing.
  for (const words of READERS.filter((words) => !words.includes('RUN') || words[0] === 'resume')) {
    const ended = await said(...words.map((word) => (word === 'RUN' ? ids[0]! : word)));
    expect([ended.argv, ended.exitCode, ended.said]).toEqual([ended.argv, 0, ended.said]);
  }
});

test('a copy of a run under another name is refused by its name and in its folder, and sends nothing', async () => {
  const { said, ids, runs, ledger } = await site();
  const before = await ledger();
  cpSync(join(runs, `${ids[0]!}.sqlite`), join(runs, 'copy.sqlite'));
  // A comparison of the whole file finds the runs of both shards by their names.
  for (const words of READERS.filter((each) => each[0] !== 'verify' || each.includes('RUN'))) {
    const ended = await said(...words.map((word) => (word === 'RUN' ? 'copy' : word)));
    expect([ended.argv, ended.said]).toEqual([ended.argv, expect.stringContaining('run_misnamed')]);
    // A push finds the run itself, and warns of the copy.
    if (ended.argv[0] !== 'push') expect([ended.argv, ended.exitCode]).toEqual([ended.argv, 8]);
  }
  expect(await ledger()).toEqual(before);
});

test('a run that has got another name is missed by the next push, which sends nothing', async () => {
  const { said, ids, runs, ledger } = await site();
  const before = await ledger();
  renameSync(join(runs, `${ids[0]!}.sqlite`), join(runs, 'other.sqlite'));
  const [shard] = /\dof\d/.exec(ids[0]!)!;
  const ended = await said('push', 'transactions', 't.csv', '--shard', shard.replace('of', '/'));
  expect(ended.said).toMatch(/run_misnamed|run_removed/);
  expect(ended.exitCode).not.toBe(0);
  expect(await ledger()).toEqual(before);
});

test.each([['verify', 'transactions', 't.csv'], ['report']])(
  'one run in two folders is refused by %s',
  async (...words) => {
    const { said, runs, cwd } = await site();
    cpSync(runs, join(cwd, 'copied'), { recursive: true });
    const both = await said(...words, '--run-dir', '.dataimport/runs', '--run-dir', 'copied');
    expect(both.said).toMatch(/shard \d of 2 has 2 runs|each row is counted once/);
    expect(both.exitCode).not.toBe(0);
  },
);
