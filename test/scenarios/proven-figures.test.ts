import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Journal } from '../../src/cli/journal/journal.ts';
import { journalOf } from '../support/journals.ts';
import { migration, type Migration } from '../support/migration.ts';
import { GOOD, HEADER, IMPORTED } from '../support/refused-account.ts';

const OTHER = 'ACME,1003,t-2,2026-02-02,PAYMENT,20.20';
const INVALID = 'ACME,1003,t-3,2026-02-30,PAYMENT,1.00';

/** Changes a journal behind the back of the program. */
function tamper(site: Migration, run: string, statement: string): void {
  const db = new Database(journalOf(site.cwd, run));
  db.pragma('foreign_keys = OFF');
  db.exec(statement);
  db.close();
}

/** A run with two records that arrived and an invalid row. */
async function sent(): Promise<{ readonly site: Migration; readonly run: string }> {
  const site = await migration(IMPORTED);
  site.csv('t.csv', HEADER, GOOD, OTHER, INVALID);
  const { json } = await site.cli('push', 'transactions', 't.csv', '--skip-invalid', '--json');
  return { site, run: String(json()['run']) };
}

describe('figures of a run', () => {
  test.each([
    [
      'a record that is gone',
      'DELETE FROM outcome WHERE seq = 2; DELETE FROM record WHERE seq = 2',
      'the records of link 3',
    ],
    [
      'an invalid row that is gone',
      'DELETE FROM record WHERE seq = 3',
      'it has not the rows that were read from the files',
    ],
    [
      'an invalid row that became a row left out',
      `UPDATE record SET state = 'filtered' WHERE seq = 3`,
      'the rows or problems of its files',
    ],
    ['a problem that is gone', 'DELETE FROM problem', 'the rows or problems of its files'],
    ['another amount', `UPDATE record SET amount = '99.99' WHERE seq = 1`, 'the records of link 2'],
    ['an answered amount', `UPDATE outcome SET amount = '99.99' WHERE seq = 1`, 'the records of link 2'],
    ['another outcome', `UPDATE outcome SET outcome = 'existing' WHERE seq = 1`, 'the records of link 2'],
    [
      'a request that is open again',
      `UPDATE batch SET state = 'planned' WHERE id = 1`,
      'the state of the request 1 contradicts the outcomes of its records',
    ],
    ['an attempt more', 'UPDATE batch SET attempts = 2 WHERE id = 1', 'has not the attempts that it counts'],
    [
      'a record that has left its request',
      'DELETE FROM outcome WHERE seq = 1; UPDATE batch SET first_seq = 9, last_seq = 9 WHERE id = 1',
      'the record 1 has neither a request nor an outcome',
    ],
    ['another status', 'UPDATE attempt SET status = 500 WHERE id = 1', 'link 2 is not the hash'],
    [
      'another seal of the rows',
      `UPDATE reading SET seal = '3 ' || hex(zeroblob(32))`,
      'the reading 1 is not',
    ],
  ])('are not shown over %s', async (_what, statement, reason) => {
    const { site, run } = await sent();
    tamper(site, run, statement);
    const commands = [
      ['report', run, '--json'],
      ['runs', 'show', run],
      ['runs', 'show', run, '--line', '2'],
    ];
    for (const command of commands) {
      const { exitCode, stderr, stdout } = await site.cli(...command);
      expect([exitCode, stderr + stdout]).toEqual([8, expect.stringContaining(reason)]);
      expect(stderr + stdout).toContain('run_damaged');
    }
  });

  test('would say without the proof that a removed row was left out', async () => {
    const { site, run } = await sent();
    tamper(site, run, `UPDATE record SET state = 'filtered' WHERE seq = 3`);
    const journal = Journal.open(journalOf(site.cwd, run));
    onTestFinished(() => journal.close());
    expect(journal.reading(1).report().rows).toMatchObject({ read: 3, created: 2, filtered: 1 });
  });

  test('are not shown of a copy from before the last request', async () => {
    const { site, run } = await sent();
    const file = journalOf(site.cwd, run);
    const copy = join(site.cwd, 'copy');
    copyFileSync(file, copy);
    expect((await site.cli('push', 'transactions', 't.csv', '--again', '--skip-invalid')).exitCode).toBe(6);
    for (const end of ['-wal', '-shm']) rmSync(file + end, { force: true });
    copyFileSync(copy, file);
    const { exitCode, stderr } = await site.cli('report', run, '--json');
    expect([exitCode, stderr]).toEqual([8, expect.stringContaining('is an older copy')]);
  });
});
