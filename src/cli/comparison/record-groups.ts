import type { AccountKey } from '../../core/contract/account.ts';
import type { ComparedRecord, SourceRecord } from './ports.ts';

/** Compares two texts by their bytes in UTF-8, as SQLite does. The units of JavaScript would order some emoji otherwise. */
function compareTexts(a: string, b: string): number {
  return a === b ? 0 : Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/** The order in which journals give their accounts. */
export function compareAccounts(a: AccountKey, b: AccountKey): number {
  return (
    compareTexts(a.import_supplier, b.import_supplier) ||
    compareTexts(a.external_account_number, b.external_account_number)
  );
}

/** Compares the account and key of two records. Zero for records that may be the same. */
function compareKeys(a: ComparedRecord, b: ComparedRecord): number {
  return compareAccounts(a, b) || compareTexts(a.key, b.key);
}

/** The records of both sides with one account and key. */
export interface RecordGroup {
  readonly source: readonly SourceRecord[];
  readonly found: readonly ComparedRecord[];
}

/** Groups the records of two sorted sides. Only one group is in memory. */
export function* groupsOf(
  source: Iterable<SourceRecord>,
  found: Iterable<ComparedRecord>,
): Generator<RecordGroup> {
  const left = new Reader(source);
  const right = new Reader(found);
  for (;;) {
    const [a, b] = [left.head, right.head];
    if (a === undefined && b === undefined) return;
    const order = a === undefined ? 1 : b === undefined ? -1 : compareKeys(a, b);
    const first = order <= 0 ? a! : b!;
    yield { source: left.takeGroup(first), found: right.takeGroup(first) };
  }
}

/** Reads a sorted sequence one group at a time. */
class Reader<R extends ComparedRecord> {
  head: R | undefined;
  private readonly rows: Iterator<R>;

  constructor(rows: Iterable<R>) {
    this.rows = rows[Symbol.iterator]();
    this.advance();
  }

  takeGroup(of: ComparedRecord): readonly R[] {
    const group: R[] = [];
    while (this.head !== undefined && compareKeys(this.head, of) === 0) {
      group.push(this.head);
      this.advance();
    }
    return group;
  }

  private advance(): void {
    const next = this.rows.next();
    this.head = next.done ? undefined : next.value;
  }
}

/**
 * How the records of a group belong together. `repeat`: a row without a record of its own, because the platform keeps one
 * of several equal records. `extra` with `of`: a record that is there more often than in the source.
 */
export type Pair =
  | { readonly kind: 'pair' | 'repeat'; readonly source: SourceRecord; readonly found: ComparedRecord }
  | { readonly kind: 'missing'; readonly source: SourceRecord }
  | { readonly kind: 'extra'; readonly found: ComparedRecord; readonly of: SourceRecord | undefined };

export type Pairing = (group: RecordGroup) => Iterable<Pair>;

/** Pairs records that a platform keeps under their key, whatever their content. The first stored record is the one that counts. */
export function* byKey({ source, found }: RecordGroup): Generator<Pair> {
  for (const [index, record] of source.entries()) {
    const stored = found[index];
    if (stored) yield { kind: 'pair', source: record, found: stored };
    else yield { kind: 'missing', source: record };
  }
  for (const record of found.slice(source.length)) yield { kind: 'extra', found: record, of: source[0] };
}

/**
 * Pairs records of which a platform keeps one where several are equal. A record without a variant equals every record of its
 * key (interface.md 4.2, rule 3).
 */
export function* byVariant({ source, found }: RecordGroup): Generator<Pair> {
  const claimed = new Set<ComparedRecord>();
  // A record without a variant fits every stored record, so it takes what the others leave.
  for (const record of [...source.filter(hasVariant), ...source.filter((each) => !hasVariant(each))]) {
    const equal = found.filter(({ variant }) => !hasVariant(record) || variant === record.variant);
    const stored = equal.find((each) => !claimed.has(each)) ?? equal[0];
    if (!stored) yield { kind: 'missing', source: record };
    else {
      yield { kind: claimed.has(stored) ? 'repeat' : 'pair', source: record, found: stored };
      claimed.add(stored);
    }
  }
  const variants = new Set<string>();
  for (const record of found) {
    const isDoubled = variants.has(record.variant);
    variants.add(record.variant);
    if (!claimed.has(record)) yield { kind: 'extra', found: record, of: isDoubled ? source[0] : undefined };
  }
}

const hasVariant = ({ variant }: SourceRecord): boolean => variant !== '';
