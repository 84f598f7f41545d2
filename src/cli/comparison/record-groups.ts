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
