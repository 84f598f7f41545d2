import { DESCRIPTORS, RESOURCES, type Resource } from '../../../core/contract/resources.ts';
import { Decimal, sum, withPlaces } from '../../../core/values/decimal.ts';
import type { StoredAccount } from '../../store/accounts.ts';
import type { AccountTotal } from '../../store/ledger.ts';
import type { Store } from '../../store/store.ts';
import { shownRecord } from './ledger-routes.ts';

/** Everything on an account: pinned notes first, transactions by date with the balance after each. */
export function timelineOf(account: StoredAccount, store: Store) {
  const shown = RESOURCES.map((resource) => {
    const { kind, list } = DESCRIPTORS[resource];
    const records = recordsOf(resource, account, store);
    // Without a list an account has one record at most.
    return list === null ? { [kind]: records[0] ?? null } : { [list]: records };
  });
  const balance = balanceOf(store.ledger.totalsOfAccounts([account.id]));
  return Object.assign({ balance }, ...shown) as Readonly<Record<string, unknown>>;
}

/** Some records of one resource in the same order, each with the balance after it where there is one. */
export function recordsOf(
  resource: Resource,
  account: StoredAccount,
  store: Store,
  { offset, limit } = { offset: 0, limit: -1 },
): readonly object[] {
  const { kind } = DESCRIPTORS[resource];
  const rows = store.ledger.ofAccount({ accountId: account.id, kind, offset, limit });
  return rows.map(({ balance, ...row }) => {
    const { seq, data, documents, warnings, conflicting_replays } = shownRecord(row, store);
    return {
      seq,
      ...data,
      ...(documents && { documents }),
      ...(warnings && { warnings }),
      ...(conflicting_replays !== undefined && { conflicting_replays }),
      ...(balance !== null && { balance: inCents(balance) }),
    };
  });
}

export function recordCountOf(resource: Resource, account: StoredAccount, store: Store): number {
  const { kind } = DESCRIPTORS[resource];
  return store.ledger
    .totalsOfAccounts([account.id])
    .filter((total) => total.kind === kind)
    .reduce((all, { count }) => all + count, 0);
}

/** The balance that the customer owes, from the sums of each type of transaction. */
export function balanceOf(totals: readonly Pick<AccountTotal, 'owed'>[]): string {
  const amounts = totals.flatMap(({ owed }) => (owed === null ? [] : [Decimal.of(owed)]));
  return withPlaces(sum([Decimal.of('0.00'), ...amounts]), 2);
}

const inCents = (amount: string): string => withPlaces(Decimal.of(amount), 2);
