import { join } from 'node:path';
import BetterSqlite from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { openStore, type Store } from '../../../src/server/store/store.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

function openedStore(file = ':memory:'): Store {
  const store = openStore(file);
  onTestFinished(() => store.close());
  store.databaseIdentity.give('first');
  return store;
}

test('a new database takes the identity that it is given, and a database with an identity keeps its own', () => {
  const { databaseIdentity } = openedStore();
  expect(databaseIdentity.get()).toBe('first');
  databaseIdentity.give('second');
  expect(databaseIdentity.get()).toBe('first');
});

test('a replaced identity that is undone leaves the identity before it', () => {
  const store = openedStore();
  expect(store.databaseIdentity.get()).toBe('first');
  const replaced = () =>
    store.write(() => {
      store.databaseIdentity.replace('second');
      throw new Error('no');
    });
  expect(replaced).toThrow('no');
  expect(store.databaseIdentity.get()).toBe('first');
  store.write(() => store.databaseIdentity.replace('third'));
  expect(store.databaseIdentity.get()).toBe('third');
});

test('a state has no identity, and restoring it gives the database the new one', () => {
  const store = openedStore();
  const file = join(temporaryFolder(), 'state.sqlite');
  store.backup(file);
  const state = new BetterSqlite(file);
  expect(state.prepare('SELECT * FROM database_identity').all()).toEqual([]);
  state.close();
  store.restore(file, 'second');
  expect(store.databaseIdentity.get()).toBe('second');
});

test('a state that cannot be restored leaves the identity as it was', () => {
  const store = openedStore();
  const file = join(temporaryFolder(), 'state.sqlite');
  store.backup(file);
  const state = new BetterSqlite(file);
  state.exec('CREATE TABLE stray (id TEXT)');
  state.close();
  expect(() => store.restore(file, 'second')).toThrow('its tables are not those of this program');
  expect(store.databaseIdentity.get()).toBe('first');
});

test('a replaced identity whose commit fails leaves the identity before it', () => {
  const file = join(temporaryFolder(), 'serve.sqlite');
  const store = openedStore(file);
  const other = new BetterSqlite(file);
  // A row without its parent is found by the commit only.
  other.exec(`CREATE TABLE orphan (id REFERENCES accounts (id) DEFERRABLE INITIALLY DEFERRED);
    CREATE TRIGGER orphans AFTER UPDATE ON database_identity BEGIN INSERT INTO orphan VALUES (77); END`);
  other.close();
  expect(() => store.write(() => store.databaseIdentity.replace('second'))).toThrow('FOREIGN KEY');
  expect(store.databaseIdentity.get()).toBe('first');
});
