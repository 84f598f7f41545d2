import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { Decimal } from '../../../src/core/values/decimal.ts';
import { openDatabase } from '../../../src/server/store/database.ts';
import { shownRecordsIn } from '../../../src/server/store/shown-records.ts';
import { openStore, type Store } from '../../../src/server/store/store.ts';
import { START } from '../../support/server-platform.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** A store with two accounts, numbered 1 and 2. */
function storeWithAccounts(): Store {
  const store = openStore(':memory:');
  onTestFinished(() => store.close());
  store.suppliers.put({ code: 'ACME', name: 'Acme', status: 'Ongoing', documentRoot: undefined });
  const account = { import_supplier: 'ACME', state: 'imported', openStatement: undefined } as const;
  store.accounts.put(
    ['1001', '1002'].map((external_account_number) => ({ ...account, external_account_number })),
    START,
  );
  return store;
}

function add(store: Store, key: string, day: string, accountId = 1): void {
  const data = JSON.stringify({ type: 'CHARGE', amount: '1.00', transaction_date: `2026-01-${day}`, key });
  const amount = Decimal.of('1.00');
  store.records.add({ accountId, kind: 'transaction', key, variant: '', type: 'CHARGE', amount, data });
}

/** The transactions of an account, in the order in which they are shown. */
const shownIn = (store: Store, accountId = 1) =>
  store.ledger
    .ofAccount({ accountId, kind: 'transaction', offset: 0, limit: -1 })
    .map(({ data }) => (JSON.parse(data) as { key: string }).key);

test('a list is sorted once, until something is stored or another account is listed', () => {
  const database = openDatabase(':memory:');
  onTestFinished(() => void database.close());
  database.exec(`INSERT INTO suppliers VALUES ('ACME', 'Acme', 'Ongoing', NULL);
    INSERT INTO accounts VALUES (1, 'ACME', '1001', 'staged', NULL, NULL, NULL), (2, 'ACME', '1002', 'staged', NULL, NULL, NULL);
    INSERT INTO records (account_id, kind, identity_key, variant, data) VALUES
      (1, 'transaction', 'a', '', '{"transaction_date":"2026-01-02","type":"CHARGE","amount":"1.00"}'),
      (1, 'transaction', 'b', '', '{"transaction_date":"2026-01-01","type":"CREDIT","amount":"2.50"}'),
      (1, 'note', 'n', '', '{"body":"x"}')`);
  const shown = shownRecordsIn(database);
  const list = shown(1, 'transaction');
  expect(list).toEqual([
    { seq: 2, type: 'CREDIT', amount: '2.50' },
    { seq: 1, type: 'CHARGE', amount: '1.00' },
  ]);
  expect(shown(1, 'note')).toEqual([{ seq: 3, type: '', amount: '' }]);
  expect(shown(1, 'transaction')).toBe(list);
  expect(shown(2, 'transaction')).toEqual([]);
  const again = shown(1, 'transaction');
  expect(again).not.toBe(list);
  database.exec('UPDATE records SET conflicting_replays = 1 WHERE seq = 1');
  expect(shown(1, 'transaction')).not.toBe(again);
});

test('an undone write, a reset and a restored state show the records that are there, though as many as before', () => {
  const store = storeWithAccounts();
  const state = join(temporaryFolder(), 'state.sqlite');
  store.write(() => add(store, 'a', '03'));
  store.backup(state);
  expect(() =>
    store.write(() => {
      add(store, 'undone', '02');
      expect(shownIn(store)).toEqual(['undone', 'a']);
      throw new Error('no');
    }),
  ).toThrow('no');
  expect(shownIn(store)).toEqual(['a']);
  store.write(() => add(store, 'b', '04'));
  expect(shownIn(store)).toEqual(['a', 'b']);

  store.write(() => store.records.drop());
  expect(shownIn(store)).toEqual([]);
  store.write(() => add(store, 'c', '01'));
  expect(shownIn(store)).toEqual(['c']);
  store.restore(state, 'another');
  expect(shownIn(store)).toEqual(['a']);
  store.write(() => add(store, 'd', '01', 2));
  expect([shownIn(store, 2), shownIn(store)]).toEqual([['d'], ['a']]);
});
