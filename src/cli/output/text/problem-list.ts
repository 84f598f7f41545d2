import { total } from '../../../core/values/counts.ts';
import { listedProblems } from '../../push/ports/listed-problems.ts';
import type { ProblemGroup, RunReport, LocatedProblem } from '../../push/ports/report.ts';
import { PLAIN, type Paint } from './paint.ts';
import { problemLine } from './problem-line.ts';
import { columnsText } from './table.ts';
import { counted, escapeControl } from './text.ts';

export interface ProblemsView {
  /** Errors that get a line of their own. More do when they have more codes. */
  readonly lines: number;
  /** Number of errors from which a table of causes comes first. */
  readonly tableFrom: number;
  /** Where to find the errors that get no line. */
  readonly rest: string;
}

/** Beside the result of a run. `runs show` and --json list more. */
export const BESIDE: ProblemsView = { lines: 20, tableFrom: 21, rest: '--json lists up to 1000' };

/** As the result of a check: every problem that the report lists. */
export const AS_RESULT: ProblemsView = {
  lines: Infinity,
  tableFrom: 0,
  rest: '--rejects FILE copies their rows',
};

/** Next steps that are printed. More are rare, and then the first ones come first for the user as well. */
const SHOWN_STEPS = 5;

/** Groups in the table of causes. A file with more kinds of problems is most likely the wrong file. */
const SHOWN_GROUPS = 50;

/**
 * The problems of a run: a table of causes where there are many, then one line for each error, then one line for all warnings
 * about a column (a column that is wrong is wrong in every row), then the next steps.
 */
export function problemsText(
  report: Pick<RunReport, 'problems' | 'errorsTotal' | 'errorGroups' | 'warningGroups'>,
  view: ProblemsView = BESIDE,
  paint: Paint = PLAIN,
): string {
  const { problems, errorGroups } = report;
  const isError = ({ severity }: LocatedProblem): boolean => severity === 'error';
  const others = furtherEqual(problems.filter(isError));
  const errors = listedProblems({ problems: [...others.keys()], errorGroups, warningGroups: [] }, view.lines);
  const hidden = report.errorsTotal - total(errors, (each) => 1 + (others.get(each)?.length ?? 0));
  return [
    report.errorsTotal >= view.tableFrom ? causesTable(report, paint) : '',
    ...errors.map((each) => `${problemLine(each, paint)}${moreRows(others.get(each) ?? [])}\n`),
    hidden > 0 ? `… and ${counted(hidden, 'more error')} (${view.rest})\n` : '',
    warningsText(report.warningGroups, paint),
    ...nextSteps([...errors, ...report.warningGroups.map(({ first }) => first)]),
  ].join('');
}

/** The errors to show, each with its equals that are not shown. Many equal errors of a column are one, so that others are seen. */
function furtherEqual(errors: readonly LocatedProblem[]): ReadonlyMap<LocatedProblem, LocatedProblem[]> {
  const keyOf = ({ code, file, header, detail }: LocatedProblem): string =>
    [code, file, header, detail].join('\n');
  const groups = Map.groupBy(errors, keyOf);
  return new Map(
    errors.flatMap((problem) => {
      const [first, ...others] = groups.get(keyOf(problem))!;
      if (others.length < MANY) return [[problem, []]];
      return problem === first ? [[problem, others]] : [];
    }),
  );
}

/** So many further errors of a column are no mistakes in single cells. */
const MANY = 10;
const SHOWN_LINES = 5;

function moreRows(others: readonly LocatedProblem[]): string {
  const lines = others.slice(0, SHOWN_LINES).map(({ line }) => line);
  return lines.length === 0 ? '' : ` (and ${counted(others.length, 'more row')}: ${lines.join(', ')} …)`;
}

/** One line for each group of warnings. */
export const warningsText = (groups: readonly ProblemGroup[], paint: Paint): string =>
  groups
    .map(
      ({ first, count }) =>
        `${problemLine(first, paint)}${count > 1 ? ` (and ${counted(count - 1, 'more row')})` : ''}\n`,
    )
    .join('');

/** A report without the warnings that were printed before its rows were sent. */
export function withoutPrinted<Report extends Pick<RunReport, 'warningGroups'>>(
  report: Report,
  printed: readonly ProblemGroup[] = [],
): Report {
  const keyOf = ({ first: { code, file, line, header }, count }: ProblemGroup): string =>
    JSON.stringify([code, file, line, header, count]);
  const keys = new Set(printed.map(keyOf));
  return { ...report, warningGroups: report.warningGroups.filter((group) => !keys.has(keyOf(group))) };
}

/** Each next step once, after the codes that ask for it. Where a code has several steps, its columns tell them apart. */
function nextSteps(problems: readonly LocatedProblem[]): readonly string[] {
  const steps = Map.groupBy(problems, ({ next }) => next);
  const hasOne = (asked: string): boolean =>
    new Set(problems.flatMap(({ code, next }) => (code === asked ? [next] : []))).size === 1;
  const nameOf = (problem: LocatedProblem): string =>
    hasOne(problem.code) ? problem.code : `${problem.code} ${columnOrField(problem)}`.trim();
  const lines = [...steps].flatMap(([next, asking]) => {
    const names = [...new Set(asking.map(nameOf))].join(', ');
    return next === null ? [] : [`help: ${escapeControl(`${names}: ${next}`)}\n`];
  });
  const more = 'help: for the other codes type `dataimport explain <code>`\n';
  return lines.length > SHOWN_STEPS ? [...lines.slice(0, SHOWN_STEPS), more] : lines;
}

/** The problems of a run by cause: how often, and on which lines first. Empty when a table would repeat a single line. */
export function causesTable(
  report: Pick<RunReport, 'errorGroups' | 'warningGroups'>,
  paint: Paint = PLAIN,
): string {
  const groups = [...report.errorGroups, ...report.warningGroups];
  if (groups.length === 0 || (groups.length === 1 && groups[0]!.count === 1)) return '';
  const files = new Set(groups.map(({ first }) => first.file));
  const rows = groups.slice(0, SHOWN_GROUPS).map((group) => causeCells(group, files.size > 1, paint));
  const head = ['severity', 'code', 'header', 'count', files.size > 1 ? 'first in' : 'first lines'];
  const hidden = groups.length - rows.length;
  return [
    columnsText([head, ...rows], ['left', 'left', 'left', 'right', 'left']),
    hidden > 0 ? `  … and ${counted(hidden, 'more kind')} of problems\n` : '',
  ].join('');
}

function causeCells(
  { first, count, lines }: ProblemGroup,
  withFile: boolean,
  paint: Paint,
): readonly string[] {
  const where = linesText({ count, lines });
  const [code = '', column = '', place = ''] = [
    first.code,
    columnOrField(first),
    withFile ? `${first.file}: ${where}` : where,
  ].map(escapeControl);
  return [paint[first.severity](first.severity), code, column, String(count), paint.place(place)];
}

/** `2, 17, 18 …` */
export function linesText({ count, lines }: Pick<ProblemGroup, 'count' | 'lines'>): string {
  return `${lines.join(', ')}${count > lines.length && lines.length > 0 ? ' …' : ''}`;
}

/** The column that a problem is about, or the field where no column is known. */
const columnOrField = ({ header, attr }: LocatedProblem): string => header ?? attr ?? '';
