import { join } from 'node:path';
import BetterSqlite from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { openStore, type Store } from '../../../src/server/store/store.ts';
import { Decimal, sum } from '../../../src/core/values/decimal.ts';
import { chanceFrom } from '../../harness/chance.ts';
import { START } from '../../support/server-platform.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const NUMBERS = ['1001', '1002', '1003'];
const ALL = { kind: null, import_supplier: null, external_account_number: null };

function openedStore(file: string) {
  const store = openStore(file);
  const other = new BetterSqlite(file);
  onTestFinished(() => {
    other.close();
    store.close();
  });
  return { store, other };
}

/** Counts and sums of the records themselves. */
function countedIn(other: BetterSqlite.Database) {
  const rows = other
    .prepare<[], { account: string; kind: string; data: string; conflicts: number }>(
      `SELECT external_account_number AS account, kind, data, conflicting_replays AS conflicts
       FROM records JOIN accounts ON accounts.id = account_id`,
    )
    .all()
    .map(({ data, ...row }) => ({ ...row, ...(JSON.parse(data) as { type?: string; amount?: string }) }));
  const groups = Map.groupBy(rows, ({ account, kind, type = '' }) => `${account} ${kind} ${type}`);
  const totals = [...groups].map(([name, group]) => {
    const amounts = group.flatMap(({ amount }) => (amount === undefined ? [] : [Decimal.of(amount)]));
    return [name, group.length, amounts.length === 0 ? null : sum(amounts).text] as const;
  });
  const conflicts = rows.reduce((times, row) => times + row.conflicts, 0);
  return { totals: new Set(totals.map((total) => total.join(' '))), records: rows.length, conflicts };
}

/** The same by the counters of the store. */
function totalsOf(store: Store) {
  const totals = store.ledger
    .totals(ALL)
    .map(({ external_account_number: account, kind, type, count, amount }) =>
      [`${account} ${kind} ${type ?? ''}`, count, amount].join(' '),
    );
  const { byKind, conflictingReplays } = store.records.counts();
  const records = Object.values(byKind).reduce((all, each) => all + each, 0);
  return { totals: new Set(totals), records, conflicts: conflictingReplays };
}

test.each([1, 2, 3, 4])(
  'counters equal a count of the records after random changes, undone writes, resets and restored states (%i)',
  (seed) => {
    const chance = chanceFrom(seed);
    const { store, other } = openedStore(join(temporaryFolder(), 'serve.sqlite'));
    store.write(() => {
      store.suppliers.put({ code: 'ACME', name: 'Acme', status: 'Ongoing', documentRoot: undefined });
      const account = { import_supplier: 'ACME', state: 'imported', openStatement: undefined } as const;
      store.accounts.put(
        NUMBERS.map((external_account_number) => ({ ...account, external_account_number })),
        START,
      );
    });
    const save = () => store.snapshots.save('state', 0);
    save();
    const addOne = () => {
      const accountId = 1 + chance.below(NUMBERS.length);
      const kind = chance.pick(['transaction', 'statement', 'note'] as const);
      const type = kind === 'transaction' ? chance.pick(['CHARGE', 'PAYMENT']) : undefined;
      const amount = kind === 'note' ? undefined : `${chance.below(9_999_999_999)}.${10 + chance.below(90)}`;
      const key = { accountId, kind, key: `k-${chance.below(40)}`, variant: '' };
      const counted = { type, amount: amount === undefined ? undefined : Decimal.of(amount) };
      if (store.records.add({ ...key, ...counted, data: JSON.stringify({ type, amount }) })) return;
      store.records.countConflict(store.records.at(key)!.seq);
    };
    const undone = (work: () => void) =>
      expect(() =>
        store.write(() => {
          work();
          throw new Error('no');
        }),
      ).toThrow('no');
    const STEPS = [
      ...Array.from({ length: 8 }, () => () => store.write(addOne)),
      () => undone(addOne),
      () =>
        store.write(() => {
          addOne();
          undone(addOne);
          store.write(addOne);
          addOne();
        }),
      () => undone(() => store.write(addOne)),
      () => store.write(() => store.records.drop()),
      save,
      () => store.write(() => store.snapshots.restore('state')),
    ];
    for (let step = 0; step < 200; step++) {
      chance.pick(STEPS)();
      if (step % 10 !== 0) continue;
      expect(totalsOf(store), `step ${step}`).toEqual(countedIn(other));
    }
  },
);
