import type { LocatedProblem, ProblemGroup, RunReport } from '../push/ports/report.ts';
import { groupsText, subjectOf } from './problem-groups.ts';
import { problemLine } from './problem-line.ts';
import { counted, escapeControl } from './text.ts';

/** How problems are shown. */
export interface ProblemsView {
  /** Errors that get a line of their own. */
  readonly lines: number;
  /** How many errors there have to be before a table of causes stands in front of them. */
  readonly tableFrom: number;
  /** Where to look for those that get no line. */
  readonly rest: string;
}

/** Beside the result of a run: `runs show` and --json have more. */
const BESIDE: ProblemsView = { lines: 20, tableFrom: 21, rest: '--json lists up to 1000' };

/** As the result of a check: as many as a report lists. */
export const AS_RESULT: ProblemsView = {
  lines: Infinity,
  tableFrom: 0,
  rest: '--rejects FILE writes the row of each of them, with the reasons',
};

/** Steps that are printed; there are seldom more, and then the first are the ones to look at. */
const SHOWN_HELP = 5;

/** Columns that a step names. */
const NAMED_COLUMNS = 3;

/**
 * The problems of a run: where there are many, a table of causes; then, as editors and CI read them, one line for all
 * warnings about the same column, because a column that is wrong is wrong in every row, and each error on its own.
 */
export function problemsText(report: RunReport, view: ProblemsView = BESIDE): string {
  const errors = report.problems.filter(({ severity }) => severity === 'error').slice(0, view.lines);
  const hidden = report.errorsTotal - errors.length;
  const help = helpLines(errors);
  return [
    report.errorsTotal >= view.tableFrom ? groupsText(report) : '',
    ...report.warningGroups.map(warningLine),
    ...errors.map((problem) => `${problemLine(problem)}\n`),
    hidden > 0 ? `… and ${counted(hidden, 'more error')} (${view.rest})\n` : '',
    ...help,
  ].join('');
}

function warningLine({ first, count }: ProblemGroup): string {
  return `${problemLine(first)}${count > 1 ? ` (and ${counted(count - 1, 'more row')})` : ''}\n`;
}

/** What to do about the errors, each step once, after the codes that ask for it and the columns that they are about. */
function helpLines(errors: readonly LocatedProblem[]): readonly string[] {
  const steps = new Map<string, { readonly codes: Set<string>; readonly columns: Set<string> }>();
  for (const problem of errors) {
    if (problem.next === null) continue;
    const step = steps.get(problem.next) ?? { codes: new Set(), columns: new Set() };
    steps.set(problem.next, step);
    step.codes.add(problem.code);
    if (problem.header !== null) step.columns.add(subjectOf(problem));
  }
  const lines = [...steps].map(
    ([next, { codes, columns }]) =>
      `help: ${escapeControl(`${[...codes].join(', ')}${columnsText([...columns])}: ${next}`)}\n`,
  );
  const more = 'help: of the other codes, `dataimport explain <code>`\n';
  return lines.length > SHOWN_HELP ? [...lines.slice(0, SHOWN_HELP), more] : lines;
}

function columnsText(columns: readonly string[]): string {
  if (columns.length === 0) return '';
  const more = columns.length > NAMED_COLUMNS ? ' …' : '';
  return ` (${columns.slice(0, NAMED_COLUMNS).join(', ')}${more})`;
}
