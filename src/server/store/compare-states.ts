import type { Database } from 'better-sqlite3';
import type { AccountKey } from '../../core/contract/account.ts';
import type { RecordKind } from '../../core/contract/resources.ts';

/** One account in a state. */
export interface AccountOfState extends AccountKey {
  /** The state of its import. */
  readonly state: string;
  readonly totals: readonly StateTotal[];
}

interface StateTotal {
  readonly kind: RecordKind;
  /** Null for records without types. */
  readonly type: string | null;
  readonly count: number;
  readonly amount: string | null;
}

/** How an account differs between two states. */
export interface AccountDifference extends AccountKey {
  /** Null when the state does not have the account. */
  readonly before: string | null;
  readonly after: string | null;
  /** The kinds and types whose count or sum differs. */
  readonly changes: readonly {
    readonly kind: RecordKind;
    readonly type: string | null;
    readonly before: Pick<StateTotal, 'count' | 'amount'>;
    readonly after: Pick<StateTotal, 'count' | 'amount'>;
  }[];
}

/** Every account of a database with its totals. */
export function accountsOfState(database: Database): ReadonlyMap<string, AccountOfState> {
  const accounts = database
    .prepare<[], AccountKey & { id: number; state: string }>(
      'SELECT id, import_supplier, external_account_number, state FROM accounts',
    )
    .all();
  const totals = Map.groupBy(
    database
      .prepare<[], StateTotal & { account_id: number }>(
        `SELECT account_id, kind, nullif(type, '') AS type, records AS count, amount FROM record_totals ORDER BY 1, 2, 3`,
      )
      .all(),
    ({ account_id }) => account_id,
  );
  return new Map(
    accounts.map(({ id, ...account }) => {
      const own = (totals.get(id) ?? []).map(({ kind, type, count, amount }) => ({
        kind,
        type,
        count,
        amount,
      }));
      return [
        JSON.stringify([account.import_supplier, account.external_account_number]),
        { ...account, totals: own },
      ];
    }),
  );
}

/** The accounts that differ, in the order of the later state. Sums are compared as texts of equal notation. */
export function differencesOf(
  before: ReadonlyMap<string, AccountOfState>,
  after: ReadonlyMap<string, AccountOfState>,
): readonly AccountDifference[] {
  const keys = new Set([...after.keys(), ...before.keys()]);
  return [...keys].flatMap((key) => {
    const [was, is] = [before.get(key), after.get(key)];
    const changes = changesOf(was?.totals ?? [], is?.totals ?? []);
    if (changes.length === 0 && was?.state === is?.state) return [];
    const { import_supplier, external_account_number } = (is ?? was)!;
    return [
      {
        import_supplier,
        external_account_number,
        before: was?.state ?? null,
        after: is?.state ?? null,
        changes,
      },
    ];
  });
}

const NOTHING = { count: 0, amount: null };

function changesOf(
  before: readonly StateTotal[],
  after: readonly StateTotal[],
): AccountDifference['changes'] {
  const nameOf = ({ kind, type }: StateTotal) => `${kind} ${type ?? ''}`;
  const [was, is] = [before, after].map((totals) => new Map(totals.map((total) => [nameOf(total), total])));
  return [...new Set([...was!.keys(), ...is!.keys()])].toSorted().flatMap((name) => {
    const [one, other] = [was!.get(name), is!.get(name)];
    const { kind, type } = (other ?? one)!;
    const [earlier, later] = [one ?? NOTHING, other ?? NOTHING];
    if (earlier.count === later.count && earlier.amount === later.amount) return [];
    return [
      {
        kind,
        type,
        before: { count: earlier.count, amount: earlier.amount },
        after: { count: later.count, amount: later.amount },
      },
    ];
  });
}
