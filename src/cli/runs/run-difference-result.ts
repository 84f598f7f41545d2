import type { Resource } from '../../core/contract/resources.ts';
import type { RecordOutcome } from '../push/ports/report.ts';
import { VERSION_KINDS, type VersionComparison, type VersionKind } from '../comparison/versions.ts';
import { shownAs } from '../output/formats/result-formats.ts';
import { exitDocument } from '../output/json.ts';
import { escapeControl } from '../output/text/text.ts';

/** The position of a record in the files of its run, and its outcome. */
export type VersionPosition = Readonly<{ file: string; line: number; outcome: RecordOutcome }>;

/** The records of two runs beside each other (`runs diff`). */
export interface RunDifferenceResult {
  readonly resource: Resource;
  /** Ids of the runs. */
  readonly earlier: string;
  readonly later: string;
  readonly records: VersionComparison['records'];
  /** The first 1,000 differences. */
  readonly differences: readonly {
    readonly kind: VersionKind;
    readonly earlier: VersionPosition | null;
    readonly later: VersionPosition | null;
    readonly fields: readonly string[];
  }[];
}

export const shownRunDifference = shownAs<RunDifferenceResult>({
  document: ({ resource, earlier, later, records, differences }, exit) => ({
    version: 1,
    exit: exitDocument(exit),
    resource,
    earlier,
    later,
    records,
    differences,
    differences_total: totalOf(records),
  }),
  text: ({ resource, earlier, later, records, differences }) => {
    const total = totalOf(records);
    const kinds = (['unchanged', ...VERSION_KINDS] as const).filter((kind) => records[kind] > 0);
    const counts = kinds.map((kind) => `${records[kind]} ${kind}`).join(', ');
    return [
      ...differences.map(lineOf),
      total > differences.length ? `… and ${total - differences.length} more\n` : '',
      `${resource}: ${records.earlier} records in the run ${earlier}, ${records.later} in the run ${later}: ${counts}\n`,
    ].join('');
  },
});

function totalOf(records: VersionComparison['records']): number {
  return VERSION_KINDS.reduce((total, kind) => total + records[kind], 0);
}

function lineOf({ kind, earlier, later, fields }: RunDifferenceResult['differences'][number]): string {
  const place = (later ?? earlier)!;
  const what = fields.length === 0 ? '' : ` ${fields.join(', ')}`;
  const was = earlier === null ? '' : `, ${earlier.outcome.replace('_', ' ')}`;
  const before = earlier !== null && later !== null ? ` (was ${earlier.file}:${earlier.line}${was})` : was;
  return `${escapeControl(`${place.file}:${place.line} ${kind}${what}${before}`)}\n`;
}
