import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { groupCommit, type InNextCommit } from '../../../../src/cli/journal/database/group-commit.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

/** A database with a table of numbers, the statements that it runs, and a table whose rows a commit checks. */
function store(onCommit = (): void => undefined): {
  readonly db: Database.Database;
  readonly inNextCommit: InNextCommit;
  readonly statements: readonly string[];
  readonly insert: (value: number) => () => number;
  readonly numbers: () => unknown;
} {
  const statements: string[] = [];
  const db = new Database(join(temporaryFolder(), 'store.sqlite'), {
    verbose: (sql) => void statements.push(String(sql).split(' ')[0]!),
  });
  onTestFinished(() => void db.close());
  db.exec('PRAGMA foreign_keys = ON; CREATE TABLE number (value INTEGER PRIMARY KEY, filler BLOB)');
  db.exec('CREATE TABLE checked (value REFERENCES number DEFERRABLE INITIALLY DEFERRED)');
  const statement = db.prepare('INSERT INTO number (value) VALUES (?)');
  const inNextCommit = groupCommit(db, onCommit);
  statements.length = 0;
  return {
    db,
    inNextCommit,
    statements,
    insert: (value) => () => {
      statement.run(value);
      return value;
    },
    numbers: () => db.prepare('SELECT value FROM number').pluck().all(),
  };
}

const broken = (): never => {
  throw new Error('broken');
};

test('operations of one turn share a commit without a savepoint, and are told only when it is done', async () => {
  const told: (readonly string[])[] = [];
  const { inNextCommit, insert, statements, numbers } = store(() => void told.push([...statements]));
  expect(await Promise.all([inNextCommit(insert(1)), inNextCommit(insert(2))])).toEqual([1, 2]);
  expect(statements).toEqual(['BEGIN', 'INSERT', 'INSERT', 'COMMIT']);
  expect([told.length, told[0]]).toEqual([1, statements]);
  expect(numbers()).toEqual([1, 2]);
});

test('an operation that throws undoes and rejects every operation of the group', async () => {
  const { inNextCommit, insert, numbers } = store();
  const ends = await Promise.allSettled([insert(1), broken, insert(3)].map((each) => inNextCommit(each)));
  expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(numbers()).toEqual([]);
  await inNextCommit(insert(4));
  expect(numbers()).toEqual([4]);
});

test('a disk that is full fails with the code of a journal that cannot be written', async () => {
  const { db, inNextCommit, insert, numbers } = store();
  db.pragma(`max_page_count = ${db.pragma('page_count', { simple: true }) as number}`);
  const fill = db.prepare('INSERT INTO number VALUES (2, zeroblob(100000))');
  const ends = await Promise.allSettled([inNextCommit(insert(1)), inNextCommit(() => fill.run())]);
  const failed = { status: 'rejected', reason: { code: 'run_write_failed' } };
  expect(ends).toMatchObject([failed, failed]);
  expect(numbers()).toEqual([]);
});

test('a commit that fails undoes and rejects every operation of the group', async () => {
  const { db, inNextCommit, insert, numbers } = store();
  // The commit checks the reference, and no such number exists.
  const dangling = db.prepare('INSERT INTO checked VALUES (99)');
  const ends = await Promise.allSettled([inNextCommit(insert(1)), inNextCommit(() => dangling.run())]);
  expect(ends).toMatchObject([
    { status: 'rejected', reason: { code: 'run_damaged' } },
    { status: 'rejected', reason: { code: 'run_damaged' } },
  ]);
  expect(numbers()).toEqual([]);
  await inNextCommit(insert(2));
  expect(numbers()).toEqual([2]);
});
