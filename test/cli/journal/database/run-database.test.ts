import { existsSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  createRunDatabase,
  createScratchDatabase,
  openRunDatabase,
} from '../../../../src/cli/journal/database/run-database.ts';
import { Journal } from '../../../../src/cli/journal/journal.ts';
import { csvFrom, emptyJournal, journalIn, stagedRun } from '../../../support/push-staged-run.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const refusedWith = (code: string, facts: Readonly<Record<string, unknown>> = {}): Error =>
  expect.objectContaining({
    name: 'AppError',
    code,
    facts: expect.objectContaining(facts) as unknown,
  }) as Error;

describe('a commit is on disk when it returns', () => {
  test('because of WAL, full synchronisation, an exclusive lock and secure deletion', () => {
    const folder = emptyJournal();
    const db = openRunDatabase(journalIn(folder));
    onTestFinished(() => void db.close());
    const pragma = (name: string): unknown => db.pragma(name, { simple: true });
    expect({
      journal: pragma('journal_mode'),
      synchronous: pragma('synchronous'),
      locking: pragma('main.locking_mode'),
      secure: pragma('secure_delete'),
      foreignKeys: pragma('foreign_keys'),
    }).toEqual({ journal: 'wal', synchronous: 2, locking: 'exclusive', secure: 1, foreignKeys: 1 });
  });
});

describe('a file that is no journal of this program is refused and not changed', () => {
  const foreign = (path: string, sql: string): void => {
    const db = new Database(path);
    db.exec(sql);
    db.close();
  };

  test.each<[string, (path: string) => void, RegExp]>([
    ['random bytes', (path) => writeFileSync(path, Buffer.alloc(9_000, 'random')), /not a database/],
    ['an empty file', (path) => writeFileSync(path, ''), /not a journal/],
    ['text', (path) => writeFileSync(path, 'id,amount\n'), /not a database|not a journal/],
    [
      'a database of another program',
      (path) => {
        writeFileSync(path, '');
        foreign(path, 'CREATE TABLE t (x); INSERT INTO t VALUES (1)');
      },
      /not a journal/,
    ],
  ])('%s', (_, make, reason) => {
    const folder = emptyJournal();
    const path = journalIn(folder);
    make(path);
    const before = readFileSync(path);
    const facts = { file: path, reason: expect.stringMatching(reason) as unknown };
    expect(() => Journal.open(journalIn(folder))).toThrow(refusedWith('run_damaged', facts));
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  test.each<[string, (path: string) => void]>([
    ['truncated', (path) => truncateSync(path, 10_000)],
    [
      'with a page overwritten',
      (path) => {
        const bytes = readFileSync(path);
        bytes.fill(0xff, 4096, 8192);
        writeFileSync(path, bytes);
      },
    ],
    ['without its row about the run', (path) => foreign(path, 'DELETE FROM journal')],
    ['without one of its tables', (path) => foreign(path, 'DROP TABLE journal')],
  ])('a damaged journal: %s', (_, damage) => {
    const folder = emptyJournal();
    damage(journalIn(folder));
    expect(() => Journal.open(journalIn(folder))).toThrow(
      refusedWith('run_damaged', { file: journalIn(folder) }),
    );
  });

  test('a missing file', () => {
    const file = journalIn(temporaryFolder());
    expect(() => Journal.open(file)).toThrow(refusedWith('run_not_found'));
  });
});

describe('a journal with another object than those of the schema', () => {
  /** A staged run into which somebody has written. */
  async function changed(sql: string): Promise<string> {
    const { run, folder } = await stagedRun('notes', csvFrom('notes', 'A:1 A:2'));
    run.close();
    const db = new Database(journalIn(folder));
    db.exec(sql);
    db.close();
    return folder;
  }

  test.each([
    ['an index of another form', 'DROP INDEX open_batch; CREATE INDEX open_batch ON batch (account_id)'],
    ['a table by another name', 'ALTER TABLE event RENAME TO gone'],
    ['a virtual table', 'CREATE VIRTUAL TABLE found USING fts5(text)'],
  ])('is refused and stays as it is: %s', async (_, sql) => {
    const folder = await changed(sql);
    const before = readFileSync(journalIn(folder));
    const facts = { reason: 'its tables are not those of a journal' };
    expect(() => Journal.open(journalIn(folder))).toThrow(refusedWith('run_damaged', facts));
    expect(readFileSync(journalIn(folder)).equals(before)).toBe(true);
  });
});

describe('a new journal', () => {
  test('does not take the place of another file, and is complete or does not exist', () => {
    const path = join(temporaryFolder(), 'run.sqlite');
    const broken = new Error('broken');
    const fail = (): never => {
      throw broken;
    };
    expect(() => createRunDatabase(path, fail)).toThrow(refusedWith('run_not_writable'));
    expect(existsSync(path)).toBe(false);
    createRunDatabase(path).close();
    const before = readFileSync(path);
    expect(() => createRunDatabase(path)).toThrow(refusedWith('run_not_writable'));
    expect(readFileSync(path).equals(before)).toBe(true);
  });
});

describe('a database that is thrown away', () => {
  const opened = () => {
    const db = createScratchDatabase(
      (created) => void created.exec("INSERT INTO account VALUES (1, 'SUP', 'A', 0)"),
    );
    onTestFinished(() => void db.close());
    return db;
  };

  test.each([
    [['0.1', '0.20', null, '-1'], '-0.70'],
    [['9007199254740993', '1'], '9007199254740994'],
    [[null], null],
    [[], null],
  ])('sums %j exactly', (amounts, sum) => {
    const summed = opened().prepare('SELECT decimal_sum(value) FROM json_each(?)').pluck();
    expect(summed.get(JSON.stringify(amounts))).toBe(sum);
  });
});
