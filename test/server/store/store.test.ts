import { mkdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import BetterSqlite from 'better-sqlite3';
import { onTestFinished, expect, test } from 'vitest';
import { openDatabase } from '../../../src/server/store/database.ts';
import { SCHEMA_VERSION } from '../../../src/server/store/schema.ts';
import { openStore, type Store } from '../../../src/server/store/store.ts';
import { START } from '../../support/server-platform.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const newFile = () => join(temporaryFolder(), 'folder', 'serve.sqlite');
const KEY = { import_supplier: 'ACME', external_account_number: '1001' };

function storeAt(file: string): Store {
  const store = openStore(file);
  onTestFinished(() => store.close());
  return store;
}

function withAccount(store: Store): number {
  store.suppliers.put({ code: 'ACME', name: 'Acme', status: 'Ongoing', documentRoot: undefined });
  store.accounts.put([{ ...KEY, state: 'imported', openStatement: undefined }], START);
  return store.accounts.find(KEY)!.id;
}

const place = (accountId: number) => ({ accountId, kind: 'transaction', key: 'tx-1', variant: '' }) as const;

test('a commit outlives the process: write-ahead log, a disk that is not waited for, foreign keys', () => {
  const database = openDatabase(newFile());
  onTestFinished(() => void database.close());
  const pragma = (name: string) => database.pragma(name, { simple: true });
  expect([pragma('journal_mode'), pragma('synchronous'), pragma('foreign_keys')]).toEqual(['wal', 1, 1]);
});

test('a new database is readable by its owner only', () => {
  const file = newFile();
  storeAt(file);
  for (const path of [file, `${file}-wal`]) expect(statSync(path).mode & 0o777, path).toBe(0o600);
});

test('two processes that both found no record add it once, because the index decides', () => {
  const file = newFile();
  const [one, two] = [storeAt(file), storeAt(file)];
  const accountId = withAccount(one);
  expect([one.records.at(place(accountId)), two.records.at(place(accountId))]).toEqual([
    undefined,
    undefined,
  ]);
  expect([one, two].map((store) => store.records.add({ ...place(accountId), data: '{}' }))).toEqual([
    true,
    false,
  ]);
});

test('an error in a transaction undoes everything', () => {
  const store = storeAt(newFile());
  const accountId = withAccount(store);
  expect(() =>
    store.write(() => {
      store.records.add({ ...place(accountId), data: '{}' });
      throw new Error('no');
    }),
  ).toThrow('no');
  expect(store.records.countsByKind().transaction).toBe(0);
});

test('a record of a missing account is refused', () => {
  const store = storeAt(newFile());
  expect(() => store.records.add({ ...place(77), data: '{}' })).toThrow(/FOREIGN KEY/);
});

test.each([
  {
    what: 'no database',
    prepare: (file: string) => writeFileSync(file, 'x'.repeat(5_000)),
    reason: 'not a database',
  },
  { what: 'a folder', prepare: (file: string) => mkdirSync(file), reason: 'it is a folder' },
  {
    what: 'a database of another program',
    prepare: (file: string) => void new BetterSqlite(file).exec('CREATE TABLE t (x)').close(),
    reason: 'another program',
  },
])('$what is refused and left unchanged', ({ prepare, reason }) => {
  const file = join(temporaryFolder(), 'some.sqlite');
  prepare(file);
  expect(() => openStore(file)).toThrow(
    expect.objectContaining({
      code: 'database_unusable',
      facts: { file, reason: expect.stringContaining(reason) },
    }),
  );
});

test('a database of another version is refused and left unchanged', () => {
  const file = newFile();
  openStore(file).close();
  new BetterSqlite(file).exec(`PRAGMA user_version = ${SCHEMA_VERSION - 1}`).close();
  const before = readFileSync(file);
  const reason = 'it was written by another version of this program';
  expect(() => openStore(file)).toThrow(
    expect.objectContaining({ code: 'database_unusable', facts: { file, reason } }),
  );
  expect(readFileSync(file)).toEqual(before);
});

test('a file without a table of ours is found at the start', () => {
  const file = newFile();
  openStore(file).close();
  new BetterSqlite(file).exec('DROP TABLE import_steps').close();
  expect(() => openStore(file)).toThrow('no such table: import_steps');
});

test('a closed database is one whole file, and closing it again does nothing', () => {
  const file = newFile();
  const store = storeAt(file);
  withAccount(store);
  store.close();
  store.close();
  expect(statSync(file).size).toBeGreaterThan(0);
  expect(statSync(`${file}-wal`, { throwIfNoEntry: false })).toBeUndefined();
  expect(storeAt(file).accounts.find(KEY)).toBeDefined();
});

test('a database whose log cannot be read at the end is closed all the same, and says that once', () => {
  const file = newFile();
  const store = storeAt(file);
  withAccount(store);
  truncateSync(`${file}-wal`);
  expect(() => store.close()).toThrow(
    expect.objectContaining({
      code: 'database_unusable',
      facts: expect.objectContaining({ file }) as unknown,
    }),
  );
  expect(() => store.close()).not.toThrow();
});
