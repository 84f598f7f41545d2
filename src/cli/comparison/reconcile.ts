import type { ErrorCode } from '../../core/error-codes/table.ts';
import type { Severity } from '../../core/problem.ts';
import { AccountTally, type Origin, type OtherTotal, type TypeTotal } from './account-tally.ts';
import type { ComparedRecord, SourceRecord, UnpairedStore } from './ports.ts';
import type { Pairing, RecordGroup } from './record-groups.ts';

/** Codes of differences between files and what a platform has. */
export const DIFFERENCE_CODES = [
  'record_missing',
  'record_doubled',
  'record_differs',
  'record_without_row',
] as const satisfies readonly ErrorCode[];
export type DifferenceCode = (typeof DIFFERENCE_CODES)[number];

/** One difference: a row on one side, a record on the other side, or both. */
export interface Difference {
  readonly code: DifferenceCode;
  readonly severity: Severity;
  readonly source: Pick<SourceRecord, 'source' | 'line'> | null;
  readonly found: ComparedRecord | null;
  /** Paths of the fields that differ, as far as they are known. */
  readonly fields: readonly string[];
}

/** How the records of a pair compare. */
export interface Verdict {
  /** Null for equal records. */
  readonly code: DifferenceCode | null;
  readonly fields: readonly string[];
}

/** The rows of files and the records of a ledger, and how they are compared. */
export interface Comparison {
  readonly groups: Iterable<RecordGroup>;
  readonly pairing: Pairing;
  readonly judge: (source: SourceRecord, found: ComparedRecord) => Verdict;
  readonly unpaired: UnpairedStore;
  /** Where a record that no row explains comes from. For `undefined` the record is a difference. */
  readonly originOf: (record: ComparedRecord) => Origin | undefined;
  /** Whether a row may have no record, because its journal says that it has not arrived. */
  readonly mayMiss: (row: SourceRecord) => boolean;
  /** Whether a record that differs from a row is known to be an earlier version of the row, so that the row itself has no record. */
  readonly isEarlier: (row: SourceRecord, found: ComparedRecord) => boolean;
}

/** What a comparison has found. The JSON documents have its keys. */
export interface Reconciliation {
  readonly types: readonly TypeTotal[];
  /** `equal`: accounts without a difference. */
  readonly accounts: { readonly total: number; readonly equal: number };
  /** The first `LISTED` differences. */
  readonly differences: readonly Difference[];
  readonly errors_total: number;
  readonly warnings_total: number;
  readonly by_code: Readonly<Record<string, number>>;
  /** Rows that the platform keeps as one record with an equal row. */
  readonly repeated_rows: number;
  /** The records that no row explains and whose origin is known. */
  readonly other_records: readonly OtherTotal[];
}

const LISTED = 1_000;

/** Compares two sorted sides record by record. Memory does not grow with the number of records. */
export function reconcile(comparison: Comparison): Reconciliation {
  const { groups, pairing, judge, unpaired, originOf, mayMiss, isEarlier } = comparison;
  const tally = new AccountTally();
  const differences: Difference[] = [];
  const byCode: Record<string, number> = {};
  const counts = { error: 0, warning: 0 };
  let repeats = 0;
  for (const group of groups)
    for (const pair of pairing(group))
      switch (pair.kind) {
        case 'pair':
        case 'repeat': {
          const { kind, source, found } = pair;
          const { code, fields } = judge(source, found);
          if (kind === 'repeat') repeats++;
          else if (code !== null && isEarlier(source, found) && mayMiss(source)) {
            addUnexplained(found);
            break;
          } else {
            tally.add('source', source);
            tally.add('found', found);
          }
          if (code !== null) differ({ code, fields, source, found });
          break;
        }
        case 'missing':
          if (mayMiss(pair.source)) break;
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
    const code = row && record ? 'record_differs' : row ? 'record_missing' : 'record_without_row';
    const isOfNoRow = !row && originOf(record)?.kind === 'account_without_rows';
    const fields = row && record ? ['external_account_number'] : [];
    add({ code, severity: isOfNoRow ? 'warning' : 'error', source: row, found: record, fields });
  }
  const { accounts: total, differing } = tally;
  return {
    types: tally.totals(),
    accounts: { total, equal: total - differing },
    differences,
    errors_total: counts.error,
    warnings_total: counts.warning,
    by_code: byCode,
    repeated_rows: repeats,
    other_records: tally.others(),
  };

  function differ(difference: Omit<Difference, 'severity'>): void {
    tally.noteDifference();
    add({ ...difference, severity: 'error' });
  }

  function add(difference: Difference): void {
    const { code, severity } = difference;
    counts[severity]++;
    byCode[code] = (byCode[code] ?? 0) + 1;
    if (differences.length < LISTED) differences.push(difference);
  }

  function addUnexplained(record: ComparedRecord): void {
    const origin = originOf(record);
    if (origin !== undefined && origin.kind !== 'account_without_rows') return tally.addOther(origin, record);
    if (origin === undefined) {
      tally.add('found', record);
      tally.noteDifference();
    }
    unpaired.addExtra(record);
  }
}
