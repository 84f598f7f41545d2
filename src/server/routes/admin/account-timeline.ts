import { DESCRIPTORS, RESOURCES, type RecordKind, type Resource } from '../../../core/contract/resources.ts';
import type { TransactionType } from '../../../core/contract/transaction.ts';
import { Decimal, sum, withPlaces } from '../../../core/values/decimal.ts';
import { negated } from '../../../core/values/decimal-shift.ts';
import { parseExactJson } from '../../../core/values/exact-json.ts';
import type { StoredAccount } from '../../store/accounts.ts';
import type { AccountTotal, LedgerRow, Movement } from '../../store/ledger.ts';
import type { Store } from '../../store/store.ts';
import { documentLocations, documentWarnings } from '../../platform/document-locations.ts';
import { withDecimalTexts } from './ledger-routes.ts';

/** Whether a transaction raises what the customer owes. The interface does not say it (docs/operating.md). */
const OWES: Readonly<Record<TransactionType, boolean>> = {
  CHARGE: true,
  SUPPLY_CHARGE: true,
  REPAYMENT: true,
  CREDIT: false,
  PAYMENT: false,
};

/** A stored record with its parsed data. */
interface Entry {
  readonly seq: number;
  readonly kind: RecordKind;
  readonly data: Readonly<Record<string, unknown>>;
  /** The stored locations of its documents; undefined when it has none. */
  readonly documents: readonly string[] | undefined;
  /** The codes of the warnings about its documents; undefined when it has none. */
  readonly warnings: readonly string[] | undefined;
  readonly conflicting_replays: number;
}

/** Everything on an account: pinned notes first, transactions by date with the balance after each. */
export function timelineOf(account: StoredAccount, store: Store) {
  const shown = RESOURCES.map((resource) => {
    const { kind, list } = DESCRIPTORS[resource];
    const records = recordsOf(resource, account, store);
    // Without a list an account has one record at most.
    return list === null ? { [kind]: records[0] ?? null } : { [list]: records };
  });
  const balance = balanceOfTotals(store.ledger.totalsOfAccounts([account.id]));
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
  const entries = rows.map((row) => entryOf(row, store));
  if (kind !== DESCRIPTORS.transactions.kind) return entries.map(flat);
  let owed = sum([Decimal.of('0.00'), ...store.ledger.movements(account.id, offset).map(owedBy)]);
  return entries.map((entry) => {
    const { type, amount } = entry.data;
    owed = sum([owed, owedBy({ type: String(type), amount: String(amount) })]);
    return { ...flat(entry), balance: withPlaces(owed, 2) };
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
export function balanceOfTotals(totals: readonly Pick<AccountTotal, 'type' | 'amount'>[]): string {
  const amounts = totals.flatMap(({ type, amount }) => {
    const raises = OWES[type as TransactionType] as boolean | undefined;
    if (raises === undefined || amount === null) return [];
    return [raises ? Decimal.of(amount) : negated(Decimal.of(amount))];
  });
  return withPlaces(sum([Decimal.of('0.00'), ...amounts]), 2);
}

function entryOf({ data: text, ...row }: LedgerRow, store: Store): Entry {
  const data = parseExactJson(text) as Entry['data'];
  const documents = documentLocations({ ...row, data }, store);
  const { seq, kind, conflicting_replays } = row;
  return { seq, kind, data, documents, warnings: documentWarnings({ ...row, data }), conflicting_replays };
}

/** The part of a transaction in what the customer owes. */
function owedBy({ type, amount }: Movement): Decimal {
  // The amount is stored as text, as the interface returns it (interface.md 2.4).
  const read = Decimal.of(amount);
  return OWES[type as TransactionType] ? read : negated(read);
}

function flat({ seq, kind, data, documents, warnings, conflicting_replays }: Entry) {
  return {
    seq,
    ...withDecimalTexts(data, kind),
    ...(documents && { documents }),
    ...(warnings && { warnings }),
    ...(conflicting_replays > 0 && { conflicting_replays }),
  };
}
