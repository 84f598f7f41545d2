import { join } from 'node:path';
import BetterSqlite from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { openStore, type Store } from '../../../src/server/store/store.ts';
import { START } from '../../support/server-platform.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const KEY = { import_supplier: 'ACME', external_account_number: '1001' };

/** A store with one account, and what another program reads from its file. */
async function openedStore() {
  const file = join(temporaryFolder(), 'serve.sqlite');
  const store = openStore(file);
  const other = new BetterSqlite(file);
  onTestFinished(() => {
    other.close();
    store.close();
  });
  store.write(() => {
    store.suppliers.put({ code: 'ACME', name: 'Acme', status: 'Ongoing', documentRoot: undefined });
    store.accounts.put([{ ...KEY, state: 'imported', openStatement: undefined }], START);
  });
  await store.committed();
  const onDisk = () => other.prepare('SELECT identity_key FROM records ORDER BY seq').pluck().all();
  return { store, other, onDisk };
}

function add(store: Store, key: string): void {
  const accountId = store.accounts.find(KEY)!.id;
  store.records.add({ accountId, kind: 'transaction', key, variant: '', data: '{}' });
}

test('writes of one turn of the event loop are on disk together, when the commit is reported', async () => {
  const { store, onDisk } = await openedStore();
  store.write(() => add(store, 'one'));
  store.write(() => add(store, 'two'));
  expect(onDisk()).toEqual([]);
  await store.committed();
  expect(onDisk()).toEqual(['one', 'two']);
});

test('a write that fails undoes itself, and not the writes that share its commit', async () => {
  const { store, onDisk } = await openedStore();
  store.write(() => add(store, 'before'));
  expect(() =>
    store.write(() => {
      add(store, 'undone');
      throw new Error('no');
    }),
  ).toThrow('no');
  store.write(() => add(store, 'after'));
  await store.committed();
  expect(onDisk()).toEqual(['before', 'after']);
});

test('a write inside a write is undone with it', async () => {
  const { store, onDisk } = await openedStore();
  expect(() =>
    store.write(() => {
      store.write(() => add(store, 'inner'));
      throw new Error('no');
    }),
  ).toThrow('no');
  await store.committed();
  expect(onDisk()).toEqual([]);
});

test('a commit that fails is the error of every write that shares it, and the next write works', async () => {
  const { store, onDisk, other } = await openedStore();
  // A row without its parent is found by the commit only.
  other.exec(`CREATE TABLE orphan (id REFERENCES accounts (id) DEFERRABLE INITIALLY DEFERRED);
    CREATE TRIGGER orphans AFTER INSERT ON records WHEN NEW.identity_key = 'bad' BEGIN INSERT INTO orphan VALUES (77); END`);
  store.write(() => add(store, 'good'));
  store.write(() => add(store, 'bad'));
  await expect(store.committed()).rejects.toThrow('FOREIGN KEY');
  expect(onDisk()).toEqual([]);
  store.write(() => add(store, 'good'));
  await store.committed();
  expect(onDisk()).toEqual(['good']);
});

test('an error that ends the transaction is the error of every write that shares its commit', async () => {
  const { store, onDisk, other } = await openedStore();
  other.exec(`CREATE TRIGGER full BEFORE INSERT ON records WHEN NEW.identity_key = 'bad'
    BEGIN SELECT raise(ROLLBACK, 'full'); END`);
  store.write(() => add(store, 'good'));
  const committed = store.committed();
  expect(() => store.write(() => add(store, 'bad'))).toThrow('full');
  await expect(committed).rejects.toThrow('full');
  expect(onDisk()).toEqual([]);
  store.write(() => add(store, 'good'));
  await store.committed();
  expect(onDisk()).toEqual(['good']);
});

test('a backup contains every write before it', async () => {
  const { store } = await openedStore();
  store.write(() => add(store, 'one'));
  const state = join(temporaryFolder(), 'state.sqlite');
  store.backup(state);
  store.write(() => store.records.drop());
  store.restore(state, 'another');
  expect(store.records.counts().byKind.transaction).toBe(1);
});

test('closing stores the writes before it', async () => {
  const { store, onDisk } = await openedStore();
  store.write(() => add(store, 'one'));
  store.close();
  expect(onDisk()).toEqual(['one']);
});
