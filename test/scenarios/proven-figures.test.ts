import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { onlyJournalOf } from '../support/journals.ts';
import { copied, keptSite } from '../support/kept-site.ts';
import { migration } from '../support/migration.ts';
import { GOOD, HEADER, IMPORTED } from '../support/refused-account.ts';

const OTHER = 'ACME,1003,t-2,2026-02-02,PAYMENT,20.20';
const INVALID = 'ACME,1003,t-3,2026-02-30,PAYMENT,1.00';
const PUSH = ['transactions', 't.csv', '--skip-invalid'] as const;

/** Two records that arrived, and an invalid row. */
const sent = keptSite(IMPORTED, async ({ csv, push }) => {
  csv('t.csv', HEADER, GOOD, OTHER, INVALID);
  return { run: await push(...PUSH) };
});

/** A copy of a journal that was changed behind the back of the program. */
async function tampered(statement: string) {
  const made = copied(await sent());
  const file = onlyJournalOf(made.cwd);
  const db = new Database(file);
  db.pragma('foreign_keys = OFF');
  db.exec(statement);
  db.close();
  // It would say that the last links are gone.
  rmSync(`${file}.head`);
  return made;
}

const ofLink = (link: number) => `the records of link ${link}`;
const ROWS = 'the rows or problems of its files';
const ATTEMPTS = 'has not the attempts that it counts';

test.each([
  ['an amount', `UPDATE record SET amount = '99.99' WHERE seq = 1`, ofLink(2)],
  ['a type', `UPDATE record SET type = 'CREDIS' WHERE seq = 1`, ofLink(2)],
  ['an id', `UPDATE record SET id = 't-7', identity_key = 't-7' WHERE seq = 1`, ofLink(2)],
  ['a line', 'UPDATE record SET first_line = 3 WHERE seq = 1', ROWS],
  ['a byte position', 'UPDATE record SET byte_end = byte_end + 1 WHERE seq = 1', ROWS],
  ['the hash of a content', `UPDATE record SET payload_sha256 = x'00' WHERE seq = 1`, ofLink(2)],
  ['the number of rows', 'UPDATE reading SET rows = 5', ''],
  ['a seal of the rows', `UPDATE reading SET seal = '3 ' || hex(zeroblob(32))`, 'the reading 1 is not'],
  ['a row that is gone', 'DELETE FROM outcome WHERE seq = 2; DELETE FROM record WHERE seq = 2', ''],
  ['an invalid row that is gone', 'DELETE FROM record WHERE seq = 3', 'it has not the rows that were read'],
  ['an invalid row that became a row left out', `UPDATE record SET state = 'filtered' WHERE seq = 3`, ROWS],
  ['a problem that is gone', 'DELETE FROM problem', ROWS],
  ['an account', `UPDATE account SET external_account_number = '1002' WHERE id = 1`, ofLink(2)],
  ['an outcome', `UPDATE outcome SET outcome = 'verify' WHERE seq = 1`, ofLink(2)],
  ['an answered amount', `UPDATE outcome SET amount = '10.11' WHERE seq = 1`, ofLink(2)],
  ['the record of an outcome', 'UPDATE outcome SET seq = 9 WHERE seq = 1', ''],
  [
    'a request that is open again',
    `UPDATE batch SET state = 'planned' WHERE id = 1`,
    'the state of the request 1',
  ],
  ['the attempts of a request', 'UPDATE batch SET attempts = 2 WHERE id = 1', ATTEMPTS],
  ['the request of an attempt', 'UPDATE attempt SET batch_id = 2 WHERE batch_id = 1', ATTEMPTS],
  ['a status', 'UPDATE attempt SET status = 500 WHERE id = 1', 'link 2 is not the hash'],
  ['the time of an answer', `UPDATE attempt SET ended_at = '2026-01-01T00:00:00Z' WHERE id = 2`, 'link 3'],
  ['the hash of a request', 'UPDATE link SET request = randomblob(32) WHERE id = 2', 'link 2'],
  ['a link that is gone', 'DELETE FROM link WHERE id = 3', 'the ended attempt 2 has no link'],
  [
    'a record that has left its request',
    'DELETE FROM outcome WHERE seq = 1; UPDATE batch SET first_seq = 9, last_seq = 9 WHERE id = 1',
    'the record 1 has neither a request nor an outcome',
  ],
  [
    'a record that is there twice',
    `DROP INDEX record_by_identity;
     INSERT INTO record SELECT 99, state, reading_id, 99, source_id, first_line, last_line, byte_start, byte_end, account_id,
       identity_key, identity_variant, id, type, amount, payload, payload_sha256, content, parts, checksum, cause, cause_place, there
     FROM record WHERE seq = 1;
     UPDATE reading SET last_seq = 99;
     INSERT INTO outcome SELECT 99, outcome, amount, link_id, origin FROM outcome WHERE seq = 1`,
    '',
  ],
])('figures of a journal that somebody has changed are not shown: %s', async (_what, statement, reason) => {
  const { cli, run } = await tampered(statement);
  for (const command of [
    ['verify', 'transactions', 't.csv'],
    ['runs', 'show', run],
    ['runs', 'show', run, '--line', '2'],
  ]) {
    const { exitCode, stderr, stdout } = await cli(...command);
    expect([command[0], exitCode, stdout]).toEqual([command[0], 8, '']);
    expect(stderr).toContain('run_damaged');
    expect(stderr).toContain(reason);
  }
});

test('a changed checksum, which the chain does not seal, is found beside the row of the file', async () => {
  const { cli } = await tampered('UPDATE record SET checksum = checksum + 1 WHERE seq = 1');
  const { exitCode, stderr } = await cli('verify', 'transactions', 't.csv');
  expect([exitCode, stderr]).toEqual([8, expect.stringContaining('the checksum of the record 1')]);
});

test('figures are not shown of a copy from before the last request', async () => {
  const { cli, csv, cwd } = await migration(IMPORTED);
  csv('t.csv', HEADER, GOOD, OTHER, INVALID);
  const run = String((await cli('push', ...PUSH, '--json')).json()['run']);
  const file = onlyJournalOf(cwd);
  const copy = join(cwd, 'copy');
  copyFileSync(file, copy);
  expect((await cli('push', ...PUSH, '--again')).exitCode).toBe(6);
  for (const end of ['-wal', '-shm']) rmSync(file + end, { force: true });
  copyFileSync(copy, file);
  for (const command of [['verify'], ['runs', 'show', run]]) {
    const { exitCode, stderr, stdout } = await cli(...command);
    expect([exitCode, stdout, stderr]).toEqual([8, '', expect.stringContaining('is an older copy')]);
  }
});
