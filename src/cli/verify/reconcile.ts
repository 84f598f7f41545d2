import type { ErrorCode } from '../../core/error-codes/table.ts';
import type { Severity } from '../../core/problem.ts';
import { Decimal, DecimalSum } from '../../core/values/decimal.ts';
import type { ComparedRecord, ComparedRow, UnpairedStore } from './ledger-store.ts';

export const DIFFERENCE_CODES = [
  'record_missing',
  'record_doubled',
  'record_differs',
  'record_without_row',
] as const satisfies readonly ErrorCode[];
type DifferenceCode = (typeof DIFFERENCE_CODES)[number];

/** One difference: a row without its record, a record without its row, or a pair. */
export interface Difference {
  readonly code: DifferenceCode;
  readonly severity: Severity;
  readonly row: ComparedRow | null;
  readonly record: ComparedRecord | null;
  /** Paths of the fields that differ, as far as they are known. */
  readonly fields: readonly string[];
}

/** Where a record comes from that no row explains. `run`: a run of ours has sent it. `platform`: the platform has added it. */
export const ORIGINS = ['run', 'platform'] as const;
export type Origin = Readonly<{ kind: (typeof ORIGINS)[number]; run: string | null }>;

/** How rows and records are compared. */
export interface Comparison {
  /** All rows and records, in the order of account and key. */
  readonly sorted: Iterable<ComparedRow | (ComparedRecord & { readonly source: null })>;
  /** Whether the platform keeps one record of several equal ones. */
  readonly keepsOne: boolean;
  /** The fields in which a pair differs, as far as they are known. */
  readonly differing: (row: ComparedRow, record: ComparedRecord) => readonly string[];
  readonly unpaired: UnpairedStore;
  /** Where a record that no row explains comes from. Without an origin it is a difference, a warning where its account has no row. */
  readonly originOf: (record: ComparedRecord) => Origin | 'account_without_rows' | undefined;
  /** Whether a row may have no record, because its journal says that it has not arrived. */
  readonly mayMiss: (row: ComparedRow) => boolean;
  /** Whether a journal has sent an earlier version of the row, so that the row itself has no record. */
  readonly isChanged: (row: ComparedRow) => boolean;
}

/** Differences that are listed. All are counted. */
const LISTED = 1_000;

/** Compares rows and records. Memory does not grow with their number. The JSON documents have the keys of the result. */
export function reconcile(comparison: Comparison) {
  const { sorted, keepsOne, differing, unpaired, originOf, mayMiss, isChanged } = comparison;
  const types = new Map<string | null, Record<'source' | 'found', Amounts>>();
  const origins = new Map<string, Origin & { type: string | null; amounts: Amounts }>();
  const differences: Difference[] = [];
  const byCode: Record<string, number> = {};
  const counts = { error: 0, warning: 0 };
  let repeats = 0;

  for (const group of groupsOf(sorted)) {
    const rows = group.filter((each) => each.source !== null);
    const records = group.filter((each) => each.source === null);
    const claimed = new Set<ComparedRecord>();
    // A row without a variant equals every record of its key (interface.md 4.2, rule 3), so it takes what the others leave.
    for (const row of [...rows.filter(hasVariant), ...rows.filter((each) => !hasVariant(each))]) {
      const equal = records.filter(({ variant }) => !hasVariant(row) || variant === row.variant);
      const record = equal.find((each) => !claimed.has(each)) ?? (keepsOne ? equal[0] : undefined);
      if (record) {
        compare(row, record, claimed.has(record));
        claimed.add(record);
      } else if (!mayMiss(row)) {
        add('source', row);
        unpaired.add('row', row);
      }
    }
    const variants = new Set<string>();
    for (const record of records) {
      const isDoubled = variants.has(record.variant);
      variants.add(record.variant);
      const [row] = rows;
      if (claimed.has(record)) continue;
      if (isDoubled && row) {
        add('found', record);
        differ({ code: 'record_doubled', severity: 'error', row, record, fields: [] });
      } else addUnexplained(record);
    }
  }
  for (const { row, record } of unpaired.pairs()) {
    const code = row && record ? 'record_differs' : row ? 'record_missing' : 'record_without_row';
    const isOfNoRow = record && !row && originOf(record) === 'account_without_rows';
    const fields = row && record ? ['external_account_number'] : [];
    differ({ code, severity: isOfNoRow ? 'warning' : 'error', row, record, fields });
  }
  return {
    types: [...types]
      .map(([type, { source, found }]) => ({ type, source: source.total, found: found.total }))
      .toSorted((a, b) => ((a.type ?? '') < (b.type ?? '') ? -1 : 1)),
    differences,
    errors_total: counts.error,
    warnings_total: counts.warning,
    by_code: byCode,
    /** Rows that the platform keeps as one record with an equal row. */
    repeated_rows: repeats,
    /** The records that no row explains and whose origin is known. */
    other_records: [...origins.values()].map(({ amounts, ...origin }) => ({ ...origin, ...amounts.total })),
  };

  function compare(row: ComparedRow, record: ComparedRecord, isRepeat: boolean): void {
    const fields = differing(row, record);
    if (isRepeat) repeats++;
    else if (fields.length > 0 && isChanged(row) && isOfRun(originOf(record))) return addUnexplained(record);
    else {
      add('source', row);
      add('found', record);
    }
    if (fields.length > 0) differ({ code: 'record_differs', severity: 'error', row, record, fields });
  }

  function add(side: 'source' | 'found', record: ComparedRecord): void {
    const { type } = record;
    let sides = types.get(type);
    if (!sides) types.set(type, (sides = { source: new Amounts(), found: new Amounts() }));
    sides[side].add(record);
  }

  function differ(difference: Difference): void {
    const { code, severity } = difference;
    counts[severity]++;
    byCode[code] = (byCode[code] ?? 0) + 1;
    if (differences.length < LISTED) differences.push(difference);
  }

  function addUnexplained(record: ComparedRecord): void {
    const origin = originOf(record);
    if (origin !== 'account_without_rows') add('found', record);
    if (typeof origin !== 'object') return unpaired.add('record', record);
    const { type } = record;
    const key = JSON.stringify([origin, type]);
    let other = origins.get(key);
    if (!other) origins.set(key, (other = { ...origin, type, amounts: new Amounts() }));
    other.amounts.add(record);
  }
}

const isOfRun = (origin: ReturnType<Comparison['originOf']>): boolean =>
  typeof origin === 'object' && origin.kind === 'run';

const hasVariant = ({ variant }: ComparedRow): boolean => variant !== '';

/** Groups records of one account and key, which come one after the other. Only one group is in memory. */
function* groupsOf<R extends ComparedRecord>(sorted: Iterable<R>): Generator<readonly R[]> {
  const nameOf = (record: R) =>
    JSON.stringify([record.import_supplier, record.external_account_number, record.key]);
  let group: R[] = [];
  let name = '';
  for (const record of sorted) {
    const next = nameOf(record);
    if (next !== name && group.length > 0) {
      yield group;
      group = [];
    }
    name = next;
    group.push(record);
  }
  if (group.length > 0) yield group;
}

/** Count and exact sum of some records. */
class Amounts {
  private count = 0;
  private readonly sum = new DecimalSum();

  add({ amount }: ComparedRecord): void {
    this.count++;
    if (amount !== null) this.sum.add(Decimal.of(amount));
  }

  get total() {
    return { count: this.count, sum: this.sum.total?.text ?? null };
  }
}
