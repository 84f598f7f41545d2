import type { ErrorCode } from '../../core/error-codes/table.ts';
import type { Severity } from '../../core/problem.ts';
import type { AccountKey } from '../../core/contract/account.ts';
import { AccountTally, type Origin, type OtherTotal, type TypeTotal } from './account-tally.ts';
import type { Pairing } from './pairing.ts';
import type { FoundRecord, SourceRecord, UnpairedStore } from './ports.ts';
import type { RecordGroup } from './record-groups.ts';

/** Codes of differences between the source and the other side. */
export type DifferenceCode = Extract<
  ErrorCode,
  | 'record_missing'
  | 'record_doubled'
  | 'record_differs'
  | 'record_on_other_account'
  | 'record_not_arrived'
  | 'record_added_by_asking'
  | 'record_without_row'
  | 'row_not_valid'
>;

/** One difference: a row on one side, a record on the other side, or both. */
export interface Difference<F extends FoundRecord> {
  readonly code: DifferenceCode;
  readonly severity: Severity;
  readonly source: Pick<SourceRecord, 'source' | 'line'> | null;
  readonly found: F | null;
  /** Paths of the fields that differ, as far as they are known. */
  readonly fields: readonly string[];
}

/** How the records of a pair compare. */
export interface Verdict {
  /** Null for equal records. */
  readonly code: DifferenceCode | null;
  readonly fields: readonly string[];
}

/** The two sides, and how they are compared. */
export interface Comparison<F extends FoundRecord> {
  readonly groups: Iterable<RecordGroup<F>>;
  readonly pairing: Pairing<F>;
  readonly judge: (source: SourceRecord, found: F) => Verdict;
  readonly unpaired: UnpairedStore<F>;
  /** Where a record that no row explains comes from. Without it, and for `undefined`, the record is a difference. */
  readonly originOf?: (record: F) => Origin | undefined;
  /** Whether a row may have no record, because no run has reported it as arrived. */
  readonly mayMiss?: (row: SourceRecord) => boolean;
  /** Whether a record that differs from a row is known to be an earlier version of the row, so that the row itself has no record. */
  readonly isEarlier?: (row: SourceRecord, found: F) => boolean;
}

export interface Reconciliation<F extends FoundRecord> {
  readonly types: readonly TypeTotal[];
  /** `equal`: accounts without a difference. */
  readonly accounts: { readonly total: number; readonly equal: number };
  /** The first `LISTED` accounts that differ. */
  readonly differingAccounts: readonly AccountKey[];
  /** The first `LISTED` differences. */
  readonly differences: readonly Difference<F>[];
  readonly errors: number;
  readonly warnings: number;
  readonly byCode: Readonly<Partial<Record<DifferenceCode, number>>>;
  /** Rows that the platform keeps as one record with an equal row. */
  readonly repeats: number;
  /** The records that no row explains and whose origin is known. */
  readonly others: readonly OtherTotal[];
}

/** Differences and accounts that are listed at most. */
export const LISTED = 1_000;

/** Compares two sorted sides record by record. Memory does not grow with the number of records. */
export function reconcile<F extends FoundRecord>(comparison: Comparison<F>): Reconciliation<F> {
  const { groups, pairing, judge, unpaired, originOf, mayMiss, isEarlier } = comparison;
  const tally = new AccountTally(LISTED);
  const list = new DifferenceList<F>();
  let repeats = 0;
  for (const group of groups)
    for (const pair of pairing(group))
      switch (pair.kind) {
        case 'pair': {
          const { code, fields } = judge(pair.source, pair.found);
          if (code !== null && isEarlier?.(pair.source, pair.found) && mayMiss?.(pair.source)) {
            addUnexplained(pair.found);
            break;
          }
          tally.add('source', pair.source);
          if (code !== 'record_not_arrived') tally.add('found', pair.found);
          if (code !== null) differ({ code, fields, source: pair.source, found: pair.found });
          break;
        }
        case 'repeat': {
          repeats++;
          const { code, fields } = judge(pair.source, pair.found);
          if (code !== null) differ({ code, fields, source: pair.source, found: pair.found });
          break;
        }
        case 'missing':
          if (mayMiss?.(pair.source)) break;
          tally.add('source', pair.source);
          tally.noteDifference();
          unpaired.addMissing(pair.source);
          break;
        case 'extra':
          if (pair.of !== undefined) {
            tally.add('found', pair.found);
            differ({ code: 'record_doubled', source: pair.of, found: pair.found, fields: [] });
          } else addUnexplained(pair.found);
          break;
        default:
          pair satisfies never;
      }
  for (const { source: row, found: record } of unpaired.pairs()) {
    const code =
      row && record ? 'record_on_other_account' : row ? 'record_missing' : ('record_without_row' as const);
    const isOfNoRow = !row && originOf?.(record)?.kind === 'account_without_rows';
    list.add({ code, source: row, found: record, fields: [] }, isOfNoRow ? 'warning' : 'error');
  }
  const { accounts: total, differing } = tally;
  return {
    types: tally.totals(),
    accounts: { total, equal: total - differing },
    differingAccounts: tally.listed,
    repeats,
    others: tally.others(),
    ...list.finish(),
  };

  function differ(difference: Omit<Difference<F>, 'severity'>): void {
    tally.noteDifference();
    list.add(difference, 'error');
  }

  function addUnexplained(record: F): void {
    const origin = originOf?.(record);
    if (origin !== undefined && origin.kind !== 'account_without_rows') return tally.addOther(origin, record);
    if (origin === undefined) {
      tally.add('found', record);
      tally.noteDifference();
    }
    unpaired.addExtra(record);
  }
}

class DifferenceList<F extends FoundRecord> {
  private readonly listed: Difference<F>[] = [];
  private readonly byCode: Partial<Record<DifferenceCode, number>> = {};
  private readonly counts = { error: 0, warning: 0 };

  add(difference: Omit<Difference<F>, 'severity'>, severity: 'error' | 'warning'): void {
    this.counts[severity]++;
    this.byCode[difference.code] = (this.byCode[difference.code] ?? 0) + 1;
    if (this.listed.length < LISTED) this.listed.push({ ...difference, severity });
  }

  finish(): Pick<Reconciliation<F>, 'differences' | 'errors' | 'warnings' | 'byCode'> {
    const { counts, byCode } = this;
    return { differences: this.listed, errors: counts.error, warnings: counts.warning, byCode };
  }
}
