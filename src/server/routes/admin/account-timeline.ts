import { DESCRIPTORS, RESOURCES, type Resource } from '../../../core/contract/resources.ts';
import type { TransactionType } from '../../../core/contract/transaction.ts';
import { Decimal, sum, withPlaces } from '../../../core/values/decimal.ts';
import { negated } from '../../../core/values/decimal-shift.ts';
import { parseExactJson } from '../../../core/values/exact-json.ts';
import type { StoredAccount } from '../../store/accounts.ts';
import type { AccountTotal, LedgerRow } from '../../store/ledger.ts';
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
  readonly data: Readonly<Record<string, unknown>>;
  /** The stored locations of its documents; undefined when it has none. */
  readonly documents: readonly string[] | undefined;
  /** The codes of the warnings about its documents; undefined when it has none. */
  readonly warnings: readonly string[] | undefined;
}

/** Everything on an account: pinned notes first, transactions by date with the balance after each. */
export function timelineOf(account: StoredAccount, store: Store) {
  const entries = Map.groupBy(store.ledger.ofAccount(account.id), ({ kind }) => kind);
  const of = (resource: Resource): readonly Entry[] =>
    (entries.get(DESCRIPTORS[resource].kind) ?? []).map((row) => entryOf(row, store));
  const shown = RESOURCES.map((resource) => {
    const { kind, list } = DESCRIPTORS[resource];
    const records = arranged(resource, of(resource));
    // Without a list an account has one record at most.
    return list === null ? { [kind]: records[0] ?? null } : { [list]: records };
  });
  const balance = withBalance(of('transactions')).at(-1)?.balance ?? '0.00';
  return Object.assign({ balance }, ...shown) as Readonly<Record<string, unknown>>;
}

/** The records of one resource in the same order, each with the balance after it where there is one. */
export function recordsOf(resource: Resource, account: StoredAccount, store: Store): readonly object[] {
  const entries = store.ledger
    .ofAccount(account.id)
    .filter(({ kind }) => kind === DESCRIPTORS[resource].kind)
    .map((row) => entryOf(row, store));
  return arranged(resource, entries);
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

function arranged(resource: Resource, entries: readonly Entry[]): readonly object[] {
  return ARRANGED[resource]?.(entries) ?? entries.map(flat);
}

/** The order of storage suits the other resources. */
const ARRANGED: Readonly<Partial<Record<Resource, (entries: readonly Entry[]) => readonly object[]>>> = {
  notes: (entries) => entries.toSorted(pinnedThenTime).map(flat),
  transactions: (entries) =>
    withBalance(entries).map(({ balance, ...entry }) => ({ ...flat(entry), balance })),
};

function entryOf({ data: text, ...row }: LedgerRow, store: Store): Entry {
  const data = parseExactJson(text) as Entry['data'];
  const documents = documentLocations({ ...row, data }, store);
  return { seq: row.seq, data, documents, warnings: documentWarnings({ ...row, data }) };
}

function withBalance(entries: readonly Entry[]) {
  let owed = Decimal.of('0.00');
  return entries
    .toSorted((a, b) => compareTexts(a.data['transaction_date'], b.data['transaction_date']) || a.seq - b.seq)
    .map((entry) => {
      // The amount is stored as text, as the interface returns it (interface.md 2.4).
      const amount = Decimal.of(String(entry.data['amount']));
      const raises = OWES[entry.data['type'] as TransactionType];
      owed = sum([owed, raises ? amount : negated(amount)]);
      return { ...entry, balance: withPlaces(owed, 2) };
    });
}

function pinnedThenTime(a: Entry, b: Entry): number {
  return pinRank(a) - pinRank(b) || compareTexts(a.data['created_at'], b.data['created_at']) || a.seq - b.seq;
}

function pinRank({ data }: Entry): 0 | 1 {
  return data['is_pinned'] === true ? 0 : 1;
}

function compareTexts(a: unknown, b: unknown): number {
  return String(a) < String(b) ? -1 : String(a) > String(b) ? 1 : 0;
}

function flat({ seq, data, documents, warnings }: Entry) {
  return {
    seq,
    ...(withDecimalTexts(data) as Readonly<Record<string, unknown>>),
    ...(documents && { documents }),
    ...(warnings && { warnings }),
  };
}
