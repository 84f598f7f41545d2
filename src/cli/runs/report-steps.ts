import { areaOf, isErrorCode } from '../../core/error-codes/table.ts';
import type { Actor, ReportStep } from '../output/report/migration-report.ts';
import { counted } from '../output/text.ts';
import type { LocatedProblem, RowCounts } from '../push/ports/report.ts';
import { cohortNameOf, migrateAgain } from './next-commands.ts';
import { withRetries, type MeasuredFile, type MeasuredRun } from './measured-runs.ts';

/** The rows of a run without the rows that a retry took over. */
export function leftByRun({ report, measures }: Pick<MeasuredRun, 'report' | 'measures'>): RowCounts {
  const rows = { ...report.rows };
  takePassedOn(measures, rows);
  return rows;
}

/** Subtracts the rows that a retry took over. */
export function takePassedOn(
  { passedOn }: MeasuredRun['measures'],
  rows: { -readonly [End in keyof RowCounts]: RowCounts[End] },
): void {
  for (const [end, count] of Object.entries(passedOn) as [keyof RowCounts, number][]) {
    rows[end] -= count;
    rows.read -= count;
  }
}

/** Areas of codes that are about the content of a file. */
const OF_THE_FILE: ReadonlySet<string> = new Set([
  'values of fields',
  'files and rows',
  'values that look wrong',
]);

/** Areas of codes that the platform's own rules and accounts are about. */
const OF_THE_PLATFORM: ReadonlySet<string> = new Set([
  'rules of the platform',
  'the contract of the operator',
]);

/** Who has to act on a problem. A code that only the platform knows is for its operator. */
export function actorOf({ code, http_status: status }: LocatedProblem): Actor {
  if (!isErrorCode(code)) return 'platform';
  const area = areaOf(code);
  if (OF_THE_FILE.has(area)) return 'supplier';
  // A refusal by a known rule says what the importer has to look at, such as whether the account is imported.
  if (OF_THE_PLATFORM.has(area)) return status === null ? 'supplier' : 'importer';
  return 'importer';
}

/** The steps that are left after the runs of a file, the most urgent first. */
export function stepsOf({ runs, rows: whole }: MeasuredFile): readonly ReportStep[] {
  const steps = runs.flatMap(withRetries).flatMap(stepsOfRun);
  // Every shard reads every row, so each has the same invalid rows.
  const [first] = runs as readonly [MeasuredRun];
  return whole.invalid === 0 || first.condition === 'never_staged'
    ? steps
    : [...steps, ...stepsOfInvalid(first, whole.invalid)];
}

/** One step for each cohort that is unfinished, because its runs are not continued alone. */
export function stepsOfCohorts(files: readonly MeasuredFile[]): readonly ReportStep[] {
  const open = files.flatMap(({ runs }) => runs).filter(isOfOpenCohort);
  return [...Map.groupBy(open, ({ header }) => header.options.cohort!)].map(([cohort, runs]) => {
    const left = runs
      .map(leftByRun)
      .reduce((all, rows) => all + rows.not_sent + rows.unknown + rows.rejected, 0);
    return {
      who: 'importer',
      what:
        `Continue the cohort ${cohort} with its cohort file: ${counted(left, 'record')} ${left === 1 ? 'is' : 'are'} left. ` +
        'Their accounts were not imported when the command ended, or it ended before their turn. ' +
        'It asks again which accounts are imported, and keeps the order of the resources.',
      command: migrateAgain(cohort),
      run: runs[0]!.header.id,
      rows: left,
    };
  });
}

/** Whether a run is continued with its cohort. A retry is a run of its own. */
function isOfOpenCohort({ header, condition }: MeasuredRun): boolean {
  return condition === 'open' && cohortNameOf(header) !== undefined;
}

function stepsOfRun(run: MeasuredRun): readonly ReportStep[] {
  const { header, condition, ending, measures, showCommand } = run;
  if (isOfOpenCohort(run)) return [];
  const rows = leftByRun(run);
  const step = (
    who: Actor,
    what: string,
    { command, rows: count }: { command: string | null; rows: number },
  ) => [{ who, what, command, run: header.id, rows: count }];
  const open = rows.not_sent + rows.unknown;
  if (condition === 'never_staged') {
    const { invalid } = rows;
    const what =
      invalid === 0
        ? 'Send the rows: nothing was sent.'
        : `Correct ${counted(invalid, 'invalid row')} and push the file again: nothing was sent.`;
    return step(invalid === 0 ? 'importer' : 'supplier', what, { command: null, rows: invalid + open });
  }
  if (condition === 'forgotten' && open > 0)
    return step(
      'importer',
      `Push the file again: the ${counted(open, 'record')} of this run were erased before they were sent.`,
      {
        command: null,
        rows: open,
      },
    );
  if (condition === 'open') {
    const left = open + rows.rejected;
    const isRefused = ending.exit === 'REFUSED' || ending.exit === 'AUTH';
    const cause = isRefused ? 'Correct the cause that the problems below name, then continue' : 'Continue';
    return step(
      'importer',
      `${cause} the run: ${counted(left, 'record')} ${left === 1 ? 'is' : 'are'} left.`,
      {
        command: ending.next,
        rows: left,
      },
    );
  }
  const refusals = measures.problemGroups.filter(
    ({ severity, first }) => severity === 'error' && first.http_status !== null,
  );
  return [
    ...(rows.rejected === 0
      ? []
      : step(
          refusals[0] ? actorOf(refusals[0].first) : 'platform',
          `Remove the cause of ${counted(rows.rejected, 'refused record')}; the problems below name it. Then send ${rows.rejected === 1 ? 'it' : 'them'} again.`,
          { command: ending.next, rows: rows.rejected },
        )),
    ...(rows.verify === 0
      ? []
      : step(
          'platform',
          `Compare ${counted(rows.verify, 'record')} with the accounts on the platform: the platform has ${rows.verify === 1 ? 'it' : 'them'}, and nothing proves that this run added the same content.`,
          { command: showCommand, rows: rows.verify },
        )),
  ];
}

/** The importer can copy the rows, and the supplier alone can correct them. */
function stepsOfInvalid({ header, copyCommand }: MeasuredRun, invalid: number): readonly ReportStep[] {
  const was = invalid === 1 ? 'was' : 'were';
  const [them, file] = invalid === 1 ? ['it', 'the row'] : ['them', 'the rows'];
  return [
    {
      who: 'importer',
      what: `Copy ${counted(invalid, 'invalid row')}, which ${was} not sent, to a file with the reasons, and give it to the supplier. Push the corrected file.`,
      command: copyCommand,
      run: header.id,
      rows: invalid,
    },
    {
      who: 'supplier',
      what: `Correct ${file} and send ${them} back; the problems below name the lines.`,
      command: null,
      run: header.id,
      rows: invalid,
    },
  ];
}
