import { sentenceOf } from '../../core/error-codes/sentence.ts';
import type { CheckedFiles } from '../check/checked-files.ts';
import { LISTED, type Difference, type DifferenceCode } from '../comparison/reconcile.ts';
import type { RowOutcome } from '../push/ports/report.ts';
import type { RunSourceFile } from '../sources/sources.ts';
import type { ComparedSide, ListedDifference } from './verification-schema.ts';

/** Differences are found in the order of accounts. A person reads them along the file. */
export function inFileOrder(differences: readonly ListedDifference[]): readonly ListedDifference[] {
  const files = [...new Set(differences.map(({ file }) => file))];
  return differences.toSorted(
    (a, b) => files.indexOf(a.file) - files.indexOf(b.file) || (a.line ?? 0) - (b.line ?? 0),
  );
}

/** What an answer means when the platform is asked for a record again: it proves only those that were there. */
const OF_ASKING: Readonly<Partial<Record<RowOutcome, DifferenceCode>>> = {
  created: 'record_added_by_asking',
  verify: 'record_not_arrived',
  rejected: 'record_not_arrived',
  unknown: 'record_not_arrived',
  not_sent: 'record_not_arrived',
};

/** The rows of which the platform did not answer that it has them, when it was asked for each of them again. */
export function comparedByAsking({ sources, run }: Pick<CheckedFiles, 'sources' | 'run'>): ComparedSide {
  const ends = Object.keys(OF_ASKING) as readonly (keyof typeof OF_ASKING)[];
  const found = run.proving.rowsEndedAs(ends, LISTED);
  const differences = found.map(({ end, ...source }) =>
    listedDifference(
      { code: OF_ASKING[end]!, severity: 'error', source, found: null, fields: [] },
      sources.files,
      end.replace('_', ' '),
    ),
  );
  const { created } = run.report().rows;
  const errors = found[0]?.count ?? 0;
  return {
    with: 'asking',
    name: 'the platform, asked again',
    types: [],
    accounts: null,
    differences,
    errors_total: errors,
    warnings_total: 0,
    by_code: {
      ...(created > 0 && { record_added_by_asking: created }),
      ...(errors > created && { record_not_arrived: errors - created }),
    },
    repeated_rows: 0,
    rows_proven: 0,
    dates_moved: 0,
    other_records: [],
  };
}

export function listedDifference(
  { code, severity, source, fields }: Difference,
  files: readonly RunSourceFile[],
  what = fields.join(', '),
): ListedDifference {
  return {
    code,
    severity,
    file: source === null ? null : files[source.source - 1]!.file.name,
    line: source?.line ?? null,
    detail: what === '' ? sentenceOf(code) : `${sentenceOf(code)}: ${what}`,
    fields,
    ledger_line: null,
  };
}
