import type { Database } from 'better-sqlite3';
import type { AccountKey } from '../../core/contract/account.ts';
import { DESCRIPTORS, RESOURCES, type RecordKind, type Resource } from '../../core/contract/resources.ts';

/** Some of the accounts that differ between two states, in the order of the later one; accounts that it lacks come last. */
export interface StateComparison {
  /** How many accounts differ. */
  readonly differing: number;
  readonly accounts: readonly AccountDifference[];
}

export interface AccountDifference extends AccountKey {
  /** The state of its import. Null when the state does not have the account. */
  readonly before: string | null;
  readonly after: string | null;
  /** The kinds and types whose count or sum differs. */
  readonly changes: readonly {
    readonly kind: RecordKind;
    readonly type: string | null;
    readonly before: Total;
    readonly after: Total;
  }[];
  readonly added: number;
  readonly removed: number;
  /** Records whose content differs. */
  readonly changed: number;
  /** The first of these records; the removed ones come last. */
  readonly records: readonly RecordDifference[];
}

/** A count and its exact sum, which is null for records without amounts. */
type Total = { readonly count: number; readonly amount: string | null };

export interface RecordDifference {
  readonly change: 'added' | 'removed' | 'changed';
  readonly kind: RecordKind;
  /** Null for records without types. */
  readonly type: string | null;
  /** Its beginning, if it is very long. Null for records without ids. */
  readonly id: string | null;
  /** As it is stored; null for records without amounts. */
  readonly amount: string | null;
  /** The beginning of a note; null for other records. */
  readonly text: string | null;
}

interface AccountOfState extends AccountKey {
  readonly id: number;
  readonly state: string;
  readonly totals: readonly StateTotal[];
  /** Its records that the other state does not have. */
  readonly alone: number;
  /** Its records that the other state has with other content. */
  readonly changed: number;
}

interface StateTotal extends Total {
  readonly kind: RecordKind;
  /** Null for records without types. */
  readonly type: string | null;
}

/** Most records of one account in a comparison. */
const MOST_RECORDS = 10;
/** Most characters of an id or a note, because both may have any length. */
const MOST_OF_TEXT = 200;

/**
 * Compares two states of a connection: the database that is attached as `earlier`, and the one that is attached as `later` or is the
 * connection's own. Records are the same when they have the same identity on the same account.
 */
export function comparisonOf(
  database: Database,
  later: 'main' | 'later',
  { offset, limit }: { offset: number; limit: number },
): StateComparison {
  const was = stateIn(database, { schema: 'earlier', other: later, change: 'removed' });
  const is = stateIn(database, { schema: later, other: 'earlier', change: 'added' });
  const pairs = [...new Set([...is.accounts.keys(), ...was.accounts.keys()])]
    .map((key) => ({ one: was.accounts.get(key), other: is.accounts.get(key) }))
    .filter(({ one, other }) => differ(one, other));
  const accounts = pairs.slice(offset, offset + limit).map(({ one, other }) => {
    const { import_supplier, external_account_number } = (other ?? one)!;
    const changes = changesOf(one?.totals ?? [], other?.totals ?? []);
    const present = other === undefined ? [] : is.records(other);
    const removed = one === undefined ? [] : was.records(one);
    return {
      import_supplier,
      external_account_number,
      before: one?.state ?? null,
      after: other?.state ?? null,
      changes,
      added: other?.alone ?? 0,
      removed: one?.alone ?? 0,
      changed: other?.changed ?? 0,
      records: [...present, ...removed].slice(0, MOST_RECORDS),
    };
  });
  return { differing: pairs.length, accounts };
}

function differ(one: AccountOfState | undefined, other: AccountOfState | undefined): boolean {
  if (one === undefined || other === undefined || one.state !== other.state) return true;
  return one.alone > 0 || other.alone > 0 || other.changed > 0;
}

/**
 * Reads the state with the name `schema`, and which of its records the state `other` does not have. Both have a record with other
 * content: then the later one, whose records are `added`, tells it.
 */
function stateIn(
  database: Database,
  { schema, other, change }: { schema: string; other: string; change: 'added' | 'removed' },
) {
  const differs = change === 'added' ? 'same.seq IS NULL OR same.data <> record.data' : 'same.seq IS NULL';
  const joined = `
    FROM ${schema}.accounts AS account
    LEFT JOIN ${other}.accounts AS other_account
      ON other_account.import_supplier = account.import_supplier
      AND other_account.external_account_number = account.external_account_number
    CROSS JOIN ${schema}.records AS record ON record.account_id = account.id
    LEFT JOIN ${other}.records AS same
      ON same.account_id = other_account.id AND same.kind = record.kind
      AND same.identity_key = record.identity_key AND same.variant = record.variant
    WHERE (${differs})`;
  const records = database.prepare<[number], RecordDifference>(`
    SELECT iif(same.seq IS NULL, '${change}', 'changed') AS change, record.kind AS kind, ${TYPE} AS type,
      substr(${ID}, 1, ${MOST_OF_TEXT}) AS id, ${AMOUNT} AS amount,
      substr(record.data ->> '$.body', 1, ${MOST_OF_TEXT}) AS text
    ${joined} AND account.id = ? ORDER BY record.seq LIMIT ${MOST_RECORDS}`);
  const differing = rowsById(
    database
      .prepare<[], { id: number; alone: number; changed: number }>(
        `SELECT account.id AS id, count(*) FILTER (WHERE same.seq IS NULL) AS alone,
           count(*) FILTER (WHERE same.seq IS NOT NULL) AS changed ${joined} GROUP BY account.id`,
      )
      .all(),
  );
  const totals = rowsById(
    database
      .prepare<[], StateTotal & { id: number }>(
        `SELECT account_id AS id, kind, nullif(type, '') AS type, records AS count, amount
         FROM ${schema}.record_totals ORDER BY 1, 2, 3`,
      )
      .all(),
  );
  const accounts = database
    .prepare<[], AccountKey & { id: number; state: string }>(
      `SELECT id, import_supplier, external_account_number, state FROM ${schema}.accounts ORDER BY id`,
    )
    .all()
    .map((account): [string, AccountOfState] => {
      const { import_supplier, external_account_number, id } = account;
      const { alone = 0, changed = 0 } = differing.get(id)?.[0] ?? {};
      const own = { ...account, totals: totals.get(id) ?? [], alone, changed };
      return [JSON.stringify([import_supplier, external_account_number]), own];
    });
  return {
    accounts: new Map(accounts),
    /** The first of those records of an account. */
    records: ({ id }: AccountOfState): readonly RecordDifference[] => records.all(id),
  };
}

function rowsById<T extends { id: number }>(rows: readonly T[]): ReadonlyMap<number, readonly T[]> {
  return Map.groupBy(rows, ({ id }) => id);
}

/** A field of a record in SQL. Each kind may have another field, or none. `read`: the operator of SQL that reads it. */
function valueOf(field: (resource: Resource) => string | null | undefined, read = '->>'): string {
  const cases = RESOURCES.flatMap((resource) => {
    const name = field(resource);
    return name ? [`WHEN '${DESCRIPTORS[resource].kind}' THEN record.data ${read} '$.${name}'`] : [];
  });
  return `CASE record.kind ${cases.join(' ')} END`;
}

const TYPE = valueOf((resource) => DESCRIPTORS[resource].typeField);
const ID = valueOf((resource) => DESCRIPTORS[resource].idField);
// `->` gives the digits as they are stored, and `->>` would make a float of a number.
const AMOUNT = `trim(${valueOf((resource) => DESCRIPTORS[resource].amount?.field, '->')}, '"')`;

const NOTHING = { count: 0, amount: null };

/** Sums are compared as texts, because all of them have the same notation. */
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
