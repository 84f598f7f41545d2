import { join } from 'node:path';
import BetterSqlite from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { openStore, type Store } from '../../../src/server/store/store.ts';
import { START } from '../../support/server-platform.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const KEY = { import_supplier: 'ACME', external_account_number: '1001' };

/** A store with one account, and what another program reads from its file. */
function openedStore() {
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
  const stored = () => other.prepare('SELECT identity_key FROM records ORDER BY seq').pluck().all();
  return { store, other, stored };
}

function add(store: Store, key: string): void {
  const accountId = store.accounts.find(KEY)!.id;
  store.records.add({ accountId, kind: 'transaction', key, variant: '', data: '{}' });
}

test('a commit that fails is the error of its write, stores nothing, and the next write works', () => {
  const { store, stored, other } = openedStore();
  // A row without its parent is found by the commit only.
  other.exec(`CREATE TABLE orphan (id REFERENCES accounts (id) DEFERRABLE INITIALLY DEFERRED);
    CREATE TRIGGER orphans AFTER INSERT ON records WHEN NEW.identity_key = 'bad' BEGIN INSERT INTO orphan VALUES (77); END`);
  expect(() => store.write(() => add(store, 'bad'))).toThrow('FOREIGN KEY');
  expect(stored()).toEqual([]);
  store.write(() => add(store, 'good'));
  expect(stored()).toEqual(['good']);
});

test('an error that ends the transaction is the error of its write, and the next write works', () => {
  const { store, stored, other } = openedStore();
  other.exec(`CREATE TRIGGER full BEFORE INSERT ON records WHEN NEW.identity_key = 'bad'
    BEGIN SELECT raise(ROLLBACK, 'full'); END`);
  expect(() => store.write(() => add(store, 'bad'))).toThrow('full');
  store.write(() => add(store, 'good'));
  expect(stored()).toEqual(['good']);
});

test('two servers of one database see what the other has stored, and which contents it has', () => {
  const file = join(temporaryFolder(), 'serve.sqlite');
  const [one, two] = [openStore(file), openStore(file)];
  onTestFinished(() => [one, two].forEach((store) => store.close()));
  one.write(() => {
    one.suppliers.put({ code: 'ACME', name: 'Acme', status: 'Ongoing', documentRoot: undefined });
    one.accounts.put([{ ...KEY, state: 'imported', openStatement: undefined }], START);
    one.databaseIdentity.give('first');
  });
  two.write(() => add(two, 'of two'));
  one.write(() => add(one, 'of one'));
  expect([one, two].map((store) => store.records.countsByKind().transaction)).toEqual([2, 2]);
  expect(two.databaseIdentity.get()).toBe('first');
  one.write(() => one.databaseIdentity.replace('second'));
  expect(two.databaseIdentity.get()).toBe('second');
});
