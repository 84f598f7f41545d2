import { sentenceOf } from '../../core/error-codes/sentence.ts';
import type { CheckedFiles } from '../check/checked-files.ts';
import { LISTED, type Difference } from '../comparison/reconcile.ts';
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

const NOT_SAID = 'the platform did not say that it has the record when it was asked again';

/** What an answer means when the platform is asked for a record again: it proves only those that were there. */
const OF_ASKING: Readonly<Partial<Record<RowOutcome, string>>> = {
  created: 'asking again has added the record',
  verify: NOT_SAID,
  rejected: NOT_SAID,
  unknown: NOT_SAID,
  not_sent: NOT_SAID,
};

/** The rows of which the platform did not answer that it has them, when it was asked for each of them again. */
export function comparedByAsking({ sources, run }: Pick<CheckedFiles, 'sources' | 'run'>): ComparedSide {
  const ends = Object.keys(OF_ASKING) as readonly (keyof typeof OF_ASKING)[];
  const found = run.proving.rowsEndedAs(ends, LISTED);
  const differences = found.map(({ end, ...source }) =>
    listedDifference(
      { code: 'record_missing', severity: 'error', source, found: null, fields: [] },
      sources.files,
      `${OF_ASKING[end]} (${end.replace('_', ' ')})`,
    ),
  );
  const errors = found[0]?.count ?? 0;
  return {
    with: 'asking',
    name: 'the platform, asked again',
    types: [],
    accounts: null,
    differences,
    errors_total: errors,
    warnings_total: 0,
    by_code: errors > 0 ? { record_missing: errors } : {},
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
