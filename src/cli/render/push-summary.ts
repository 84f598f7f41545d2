import type { LocatedProblem } from '../push/ports/located-problem.ts';
import type { ControlTotal, RunReport } from '../push/ports/report.ts';
import { problemLine } from './problem-line.ts';
import { columnsText } from './table.ts';
import { counted, durationText, escapeControl } from './text.ts';
import type { Ending } from './push-document.ts';

/** Problems shown on a terminal; `runs show` and --json have more. */
const SHOWN_PROBLEMS = 20;

/** Steps that are printed; there are seldom more, and then the first are the ones to look at. */
const SHOWN_HELP = 5;

const OUTCOME_WORDS = {
  created: 'created',
  existing: 'already there',
  verify: 'to verify',
  rejected: 'rejected',
  unknown: 'unknown',
  not_sent: 'not sent',
  invalid: 'invalid',
  filtered: 'left out',
};
type OutcomeWords = Readonly<typeof OUTCOME_WORDS>;

/** The result of a run for the person who has to act on it. */
export function pushSummary(report: RunReport, ending: Ending): string {
  const { requests, accounts } = report;
  return [
    `${report.resource}: ${rowsSentence(report)}\n`,
    totalsText(report, ['count', 'read', 'accepted']),
    requests.total === 0
      ? ''
      : `${counted(requests.total, 'request')}${requests.retried > 0 ? ` (${requests.retried} tried again)` : ''}, ` +
        `${accounts.done} of ${counted(accounts.total, 'account')} done, ${durationText(ending.durationMs)}\n`,
    nextLine(ending),
  ].join('');
}

/** The result of a check: nothing was to be sent, so nothing is called "not sent". */
export function checkSummary(report: RunReport, ending: Ending): string {
  const sentence = rowsSentence(report, { ...OUTCOME_WORDS, not_sent: 'valid' });
  return [`${report.resource}: ${sentence}\n`, totalsText(report, ['count', 'read']), nextLine(ending)].join(
    '',
  );
}

/**
 * The problems of a run as editors and CI read them: each error on a line of its own, and one line for all warnings
 * about the same column, because a column that is wrong is wrong in every row.
 */
export function problemsText(report: RunReport, shown = SHOWN_PROBLEMS): string {
  const errors = report.problems.filter(({ severity }) => severity === 'error').slice(0, shown);
  const hidden = report.errorsTotal - errors.length;
  return [
    ...report.warningGroups.map(
      ({ first, count }) =>
        `${problemLine(first)}${count > 1 ? ` (and ${counted(count - 1, 'more row')})` : ''}\n`,
    ),
    ...errors.map((problem) => `${problemLine(problem)}\n`),
    hidden > 0 ? `… and ${counted(hidden, 'more error')} (--json lists up to 1000)\n` : '',
    ...helpLines(errors),
  ].join('');
}

/** What to do about the errors, each step once, after the codes that ask for it. */
function helpLines(errors: readonly LocatedProblem[]): readonly string[] {
  const steps = new Map<string, Set<string>>();
  for (const { code, next } of errors)
    if (next !== null) steps.set(next, (steps.get(next) ?? new Set()).add(code));
  const lines = [...steps].map(
    ([next, codes]) => `help: ${escapeControl(`${[...codes].join(', ')}: ${next}`)}\n`,
  );
  const more = 'help: of the other codes, `dataimport explain <code>`\n';
  return lines.length > SHOWN_HELP ? [...lines.slice(0, SHOWN_HELP), more] : lines;
}

/** `1761 rows read: 1760 created, 1 rejected` */
export function rowsSentence(
  { rows }: Pick<RunReport, 'rows'>,
  wording: OutcomeWords = OUTCOME_WORDS,
): string {
  const ends = Object.entries(wording).flatMap(([name, words]) => {
    const count = rows[name as keyof typeof OUTCOME_WORDS];
    return count === 0 ? [] : [`${count} ${words}`];
  });
  return `${counted(rows.read, 'row')} read${ends.length === 0 ? '' : `: ${ends.join(', ')}`}`;
}

/** Counts and exact sums by type; nothing when there is neither a type nor an amount to tell. */
function totalsText(report: RunReport, figures: readonly ('count' | 'read' | 'accepted')[]): string {
  const totals = report.controlTotals;
  if (totals.every((total) => total.type === null && total.read === null)) return '';
  const rows = totals.map((total) => [
    labelOf(report, total),
    ...figures.map((figure) => String(total[figure] ?? '')),
  ]);
  const cells = [['type', ...figures], ...rows].map((row) => row.map(escapeControl));
  return columnsText(cells, ['left', ...figures.map(() => 'right' as const)]);
}

/** Statement amounts are whole minor units (deployments.md); a reader would take them for a hundred times as much. */
function labelOf({ resource }: RunReport, { type }: ControlTotal): string {
  return type ?? (resource === 'statements' ? 'all, in minor units' : 'all');
}

function nextLine({ next }: Ending): string {
  return next === null ? '' : `next: ${escapeControl(next)}\n`;
}
