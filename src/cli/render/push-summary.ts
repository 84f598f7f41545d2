import type { LocatedProblem } from '../push/located-problem.ts';
import type { ControlTotal, RunReport } from '../push/report.ts';
import { problemLine } from './problem-line.ts';
import { columnsText } from './table.ts';
import { counted, durationText, escapeControl } from './text.ts';
import type { Ending } from './push-document.ts';

/** Problems shown on a terminal; `runs show` and --json have more. */
const SHOWN_PROBLEMS = 20;

const OUTCOME_WORDS = {
  created: 'created',
  existing: 'already there',
  verify: 'to verify',
  rejected: 'rejected',
  unknown: 'unknown',
  not_sent: 'not sent',
  invalid: 'invalid',
  filtered: 'left out',
} as const;

/** The result of a run for the person who has to act on it. */
export function pushSummary(report: RunReport, ending: Ending): string {
  const { requests, accounts } = report;
  return [
    `${report.resource}: ${rowsSentence(report)}\n`,
    totalsText(report.controlTotals),
    requests.total === 0
      ? ''
      : `${counted(requests.total, 'request')}${requests.retried > 0 ? ` (${requests.retried} tried again)` : ''}, ` +
        `${accounts.done} of ${counted(accounts.total, 'account')} done, ${durationText(ending.durationMs)}\n`,
    nextLine(ending),
  ].join('');
}

/** The problems of a run, one line each, as editors and CI read them. */
export function problemsText(problems: readonly LocatedProblem[], total: number, shown = SHOWN_PROBLEMS): string {
  const lines = problems.slice(0, shown).map((problem) => `${problemLine(problem)}\n`);
  const hidden = total - lines.length;
  return lines.join('') + (hidden > 0 ? `… and ${counted(hidden, 'more problem')} (--json lists up to 1000)\n` : '');
}

/** `1761 rows read: 1760 created, 1 rejected` */
export function rowsSentence({ rows }: Pick<RunReport, 'rows'>): string {
  const ends = Object.entries(OUTCOME_WORDS).flatMap(([name, words]) => {
    const count = rows[name as keyof typeof OUTCOME_WORDS];
    return count === 0 ? [] : [`${count} ${words}`];
  });
  return `${counted(rows.read, 'row')} read${ends.length === 0 ? '' : `: ${ends.join(', ')}`}`;
}

/** Counts and exact sums by type; nothing when there is neither a type nor an amount to tell. */
function totalsText(totals: readonly ControlTotal[]): string {
  if (totals.every((total) => total.type === null && total.read === null)) return '';
  const head = ['type', 'count', 'read', 'accepted'];
  const rows = totals.map((total) => [total.type ?? 'all', String(total.count), total.read ?? '', total.accepted ?? '']);
  return columnsText([head, ...rows.map((row) => row.map(escapeControl))], ['left', 'right', 'right', 'right']);
}

function nextLine({ next }: Ending): string {
  return next === null ? '' : `next: ${escapeControl(next)}\n`;
}
