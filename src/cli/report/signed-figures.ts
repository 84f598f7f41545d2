import { AppError } from '../../core/app-error.ts';
import { migrationReportOf } from './composed-report.ts';
import { answerOf } from './report-answer.ts';
import type { MigrationReport, ReportPart } from './page/migration-report.ts';
import type { SignedReport } from './signature.ts';

/** The figures of a part that depend on the run files alone, and not on the time of the report. */
const FIGURES = [
  'rows',
  'totals_equal',
  'control_totals',
  'account_groups',
  'unfinished_accounts_total',
  'invalid_amounts',
  'left_out',
  'groups_total',
  'problems_total',
] as const satisfies readonly (keyof ReportPart)[];

/** Figures that an error names at most. */
const NAMED = 5;

/**
 * Computes the figures of a signed report again from the run files whose chains it signs. `compared`: the runs that are here.
 * @throws AppError `signature_refused` with the figures that differ
 */
export function assertFigures(
  { file, report }: SignedReport,
  compared: ReadonlySet<string>,
  making: Parameters<typeof migrationReportOf>[1],
): void {
  const isHere = (part: ReportPart): boolean => part.runs.every(({ run }) => compared.has(run));
  const differing = report.parts.filter(isHere).flatMap((part) => {
    const [again] = migrationReportOf(
      part.runs.map(({ run }) => run),
      making,
    ).parts;
    const ofRuns = part.runs.flatMap(({ run, rows }) =>
      differences(rows, again!.runs.find((each) => each.run === run)?.rows, `rows of ${run}`),
    );
    return [
      ...FIGURES.flatMap((name) => differences(part[name], again![name], `${part.resource}: ${name}`)),
      ...ofRuns,
    ];
  });
  const found = [...differing, ...differencesOfWhole(report)];
  if (found.length === 0) return;
  const more = found.length > NAMED ? `, and ${found.length - NAMED} more` : '';
  const reason = `the run files give other figures: ${found.slice(0, NAMED).join(', ')}${more}`;
  throw new AppError('signature_refused', { file, reason });
}

/** The figures of the whole that are not those of its parts. */
function differencesOfWhole({
  rows,
  answer,
  parts,
  unsent_resources: unsent,
}: MigrationReport): readonly string[] {
  const sums = Object.fromEntries(
    Object.keys(rows).map((name) => [
      name,
      parts.reduce((all, part) => all + part.rows[name as keyof typeof rows], 0),
    ]),
  );
  const { to_do: _, ...signed } = answer;
  return [
    ...differences(rows, sums, 'rows'),
    ...differences(signed, answerOf(rows, parts, unsent), 'answer'),
  ];
}

/** Where two values of a document differ: its path, the value that is signed, and the value that was computed. */
function differences(signed: unknown, again: unknown, path: string): readonly string[] {
  if (typeof signed !== 'object' || signed === null || typeof again !== 'object' || again === null)
    return signed === again
      ? []
      : [`${path} is ${JSON.stringify(signed)} there and ${JSON.stringify(again)} here`];
  const [one, other] = [signed, again] as [Record<string, unknown>, Record<string, unknown>];
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].flatMap((name) => differences(one[name], other[name], `${path}.${name}`));
}
