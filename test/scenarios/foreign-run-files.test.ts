import { cpSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { seedWith, TRANSACTIONS, transaction } from '../support/cohort-site.ts';
import { journalsIn, readingsOf } from '../support/journals.ts';
import { migration } from '../support/migration.ts';
import { verified } from '../support/verified.ts';

/** A folder with the journals of two shards that have sent everything, and the platform that has it. */
async function site() {
  const made = await migration(seedWith('imported', 'imported', 'imported', 'imported'));
  const accounts = [1001, 1002, 1003, 1004];
  made.csv('t.csv', TRANSACTIONS, ...accounts.map((account) => transaction(account, `t-${account}`)));
  for (const shard of ['1/2', '2/2'])
    expect((await made.cli('push', 'transactions', 't.csv', '--shard', shard)).exitCode).toBe(0);
  const runs = join(made.cwd, '.dataimport', 'journal');
  const folder = journalsIn(made.cwd);
  const [file] = folder.files();
  const id = readingsOf(folder).find((reading) => reading.file === file)!.header.id;
  const edit = (sql: string): void => {
    const db = new Database(file!);
    db.exec(sql);
    db.close();
  };
  const said = async (...argv: readonly string[]) => {
    const { exitCode, stdout, stderr } = await made.cli(...argv);
    return { argv, exitCode, said: stdout + stderr };
  };
  return { ...made, runs, file: file!, id, edit, said };
}

/** Every command that reads a journal, with the run in the place of RUN. */
const READERS = [
  ['runs', 'show', 'RUN'],
  ['runs', 'show', 'RUN', '--line', '2'],
  ['verify', 'transactions', 't.csv'],
  ['push', 'transactions', 't.csv', '--shard', '1/2'],
  ['verify'],
  ['push', 'transactions', 't.csv', '--shard', '2/2'],
  ['resume'],
];

const EDITS = {
  'a trigger': 'CREATE TRIGGER t AFTER UPDATE ON batch BEGIN SELECT 1; END',
  'a view': 'CREATE VIEW v AS SELECT * FROM batch',
  'a table': 'CREATE TABLE more (x)',
  'another index': 'CREATE INDEX i ON batch (state)',
  'a column': 'ALTER TABLE batch ADD COLUMN more TEXT',
  'a second header': 'INSERT INTO journal SELECT * FROM journal',
  'another version': 'PRAGMA user_version = 4711',
  'the mark of another program': 'PRAGMA application_id = 1',
};

test('a journal that another program has changed is refused by every command that reads it, and nothing is sent', async () => {
  const { said, id, edit, ledger, runs, cwd } = await site();
  const before = await ledger();
  cpSync(runs, join(cwd, 'written'), { recursive: true });
  for (const [what, sql] of Object.entries(EDITS)) {
    rmSync(runs, { recursive: true });
    cpSync(join(cwd, 'written'), runs, { recursive: true });
    edit(sql);
    const listed = await said('runs');
    expect(listed.said, what).toMatch(/cannot be read now: |damaged|version/);
    // The last command was about the other shard, which has a journal of its own.
    for (const words of READERS.filter((each) => !each.includes('2/2') && each[0] !== 'resume')) {
      const ended = await said(...words.map((word) => (word === 'RUN' ? id : word)));
      expect({ what, ...ended }).toMatchObject({
        what,
        argv: ended.argv,
        said: expect.stringMatching(/run_damaged|run_inaccessible/) as string,
      });
      expect([what, ended.argv, ended.exitCode]).toEqual([what, ended.argv, 8]);
    }
  }
  expect(await ledger()).toEqual(before);
});

test('the same commands read the journals as they were written', async () => {
  const { said } = await site();
  for (const words of READERS.filter((each) => !each.includes('RUN'))) {
    const ended = await said(...words);
    expect([ended.argv, ended.exitCode, ended.said]).toEqual([ended.argv, 0, ended.said]);
  }
});

test('a copy of a journal under another name is refused by its name, and sends nothing', async () => {
  const { said, file, ledger } = await site();
  const before = await ledger();
  cpSync(file, file.replace('1of2', '1of3'));
  for (const words of [['verify'], ['runs'], ['push', 'transactions', 't.csv', '--shard', '1/3']]) {
    const ended = await said(...words);
    expect([ended.argv, ended.said]).toEqual([
      ended.argv,
      expect.stringMatching(/run_inaccessible|is the\s+journal of other/),
    ]);
    if (words[0] !== 'runs') expect([ended.argv, ended.exitCode]).toEqual([ended.argv, 8]);
  }
  expect(await ledger()).toEqual(before);
});

test('a journal that has got another name is missed by the next push, which sends nothing', async () => {
  const { said, file, ledger } = await site();
  const before = await ledger();
  renameSync(file, file.replace('1of2', '1of3'));
  const ended = await said('push', 'transactions', 't.csv', '--shard', '1/2');
  expect(ended.said).toMatch(/run_inaccessible|run_removed/);
  expect(ended.exitCode).not.toBe(0);
  expect(await ledger()).toEqual(before);
});

test('records whose journals are in two folders are counted once', async () => {
  const { cli, runs, cwd } = await site();
  cpSync(runs, join(cwd, 'copied'), { recursive: true });
  const both = await verified({ cli }, '--run-dir', '.dataimport/journal', '--run-dir', 'copied');
  expect(both).toMatchObject({ exitCode: 0, found: { rows: { read: 4, created: 4 } } });
  expect(both.found.parts[0]!.journals).toHaveLength(4);
});
