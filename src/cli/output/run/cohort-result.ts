import type { Resource } from '../../../core/contract/resources.ts';
import { addedByName, total } from '../../../core/values/counts.ts';
import { problemReport, type ProblemReport } from '../../push/ports/listed-problems.ts';
import type { UnsentReason } from '../../push/ports/report.ts';
import { shownAs } from '../formats/result-formats.ts';
import { exitDocument } from '../json.ts';
import type { Paint } from '../text/paint.ts';
import { BESIDE, problemsText, withoutPrinted } from '../text/problem-list.ts';
import { runDocumentOf, type Ending, type ExpectedTime, type RunResult } from './run-document.ts';
import { expectedText, requestsText, rowsSentence, runSummary } from './run-summary.ts';
import { counted, escapeControl, escapedLines, labelledLines } from '../text/text.ts';

/** Rows of one resource that were not sent although the command came to its end. */
export interface UnsentRows {
  readonly resource: Resource;
  readonly reason: UnsentReason;
  readonly accounts: number;
  readonly rows: number;
  /** When the platform last said that the accounts are not imported; left out for other reasons. */
  readonly asked?: string;
}

/** A cohort, as `migrate` reports it. */
export interface CohortResult {
  readonly name: string;
  /** The run of each resource, in the order in which an account's records are sent. */
  readonly parts: readonly RunResult[];
  /** The problems between its files. */
  readonly checks: ProblemReport;
  /** Accounts with valid records, and how many of them have all of these on the platform; null when nothing was to be sent. */
  readonly accounts: { readonly total: number; readonly done: number } | null;
  readonly unsent: readonly UnsentRows[];
  readonly ending: Ending;
  readonly durationMs: number;
  readonly expected?: ExpectedTime | undefined;
}

export const shownCohort = shownAs<CohortResult>({
  document(result) {
    const { name, parts, accounts, unsent, ending, durationMs } = result;
    const requests = parts.map(({ report }) => report.requests);
    const all = allEnds(parts);
    const { problems, problemsTotal } = problemsOf(result);
    return {
      version: 1,
      cohort: name,
      exit: { ...exitDocument(ending.exit), resumable: ending.resumable },
      rows: all.report.rows,
      changed: all.report.changed,
      ...(all.arrivedNow !== undefined && { arrived_now: all.arrivedNow }),
      requests: {
        total: total(requests, (each) => each.total),
        retried: total(requests, ({ retried }) => retried),
      },
      accounts: accounts && { ...accounts },
      not_sent: unsent.map((rows) => ({ ...rows })),
      problems: problems.map((problem) => ({ ...problem })),
      problems_total: problemsTotal,
      resources: parts.map((part) => runDocumentOf(part)),
      ...(result.expected && { expected: result.expected }),
      duration_ms: Math.round(durationMs),
      next: ending.next,
    };
  },
  text: (result, { paint, isTTY }) => [
    ['stderr', messagesOf(result, paint('stderr'))],
    ['stdout', result.parts.map(partText).join('')],
    ['stdout', wholeText(result, isTTY)],
  ],
  messages: messagesOf,
});

function messagesOf(result: CohortResult, paint: Paint): string {
  const printed = result.parts.flatMap((part) => part.printed ?? []);
  return problemsText(withoutPrinted(problemsOf(result), printed), BESIDE, paint);
}

/** The problems of all resources, and those between the files: errors before warnings over all of them. */
function problemsOf({ parts, checks }: CohortResult): ProblemReport {
  const reports = [...parts.map(({ report }) => report), checks];
  const problems = reports.flatMap((report) => report.problems);
  return problemReport({
    problems,
    errorGroups: reports.flatMap(({ errorGroups }) => errorGroups),
    warningGroups: reports.flatMap(({ warningGroups }) => warningGroups),
  });
}

/** The next command is that of the cohort. */
const partText = (part: RunResult): string => runSummary({ ...part, ending: { ...part.ending, next: null } });

/** The accounts of a reason, as in "2 accounts whose import failed". */
const UNSENT_WORDS: Readonly<Record<UnsentReason, string>> = {
  account_not_imported: 'not imported when the platform was last asked',
  account_not_asked: 'that the platform said nothing about',
  account_import_failed: 'whose import failed',
  earlier_resource_failed: 'held back by a refused record of an earlier resource',
  earlier_record_unsettled: 'held back by an earlier record that is not settled',
};

/** Longest line on a terminal, in characters. */
const WIDTH = 80;

function wholeText(
  { name, parts, accounts, unsent, ending, durationMs, expected }: CohortResult,
  isTTY: boolean,
): string {
  const requests = {
    total: total(parts, ({ report }) => report.requests.total),
    retried: total(parts, ({ report }) => report.requests.retried),
  };
  const earlier = total(parts, ({ earlierRequests = 0 }) => earlierRequests);
  return [
    countLines(`cohort ${escapeControl(name)}: ${rowsSentence(allEnds(parts))}`, isTTY),
    accounts === null ? planLine(parts) + expectedText(expected) : '',
    escapedLines(
      unsent.map(
        ({ resource, reason, accounts: count, rows, asked }) =>
          `  not sent: ${counted(rows, 'row')} of ${resource}, ${counted(count, 'account')} ${UNSENT_WORDS[reason]}${asked ? `, ${asked}` : ''}`,
      ),
    ),
    accounts === null ? '' : requestsText(requests, { accounts, durationMs, earlier }),
    ending.next === null ? '' : `next: ${escapeControl(ending.next)}\n`,
  ].join('');
}

/** On a terminal broken between counts, so that no count is parted from its word. Elsewhere one line, which programs can read. */
function countLines(sentence: string, isTTY: boolean): string {
  if (!isTTY) return `${sentence}\n`;
  const kept = sentence.split(', ').map((part) => part.replaceAll(' ', '\u00a0'));
  return labelledLines('', kept.join(', '), 0, WIDTH).replaceAll('\u00a0', ' ');
}

/** The requests of all resources that would be sent. */
function planLine(parts: CohortResult['parts']): string {
  const plans = parts.flatMap(({ plan }) => plan ?? []);
  if (plans.length === 0) return '';
  const [requests, records] = [total(plans, (plan) => plan.requests), total(plans, (plan) => plan.records)];
  return records === 0
    ? 'nothing would be sent\n'
    : `would send ${counted(requests, 'request')} of ${counted(records, 'record')}\n`;
}

/** How the rows of all resources ended. They add up because those of each resource do. */
function allEnds(parts: readonly RunResult[]) {
  const now = parts.flatMap(({ arrivedNow }) => arrivedNow ?? []);
  return {
    report: {
      rows: addedByName(parts.map(({ report }) => report.rows)),
      changed: total(parts, ({ report }) => report.changed),
    },
    ...(now.length > 0 && { arrivedNow: total(now, (count) => count) }),
  };
}
