import type { Resource } from '../../../core/contract/resources.ts';
import { addedByName, total } from '../../../core/values/counts.ts';
import { problemReport, type ProblemReport } from '../../push/ports/listed-problems.ts';
import type { UnsentReason } from '../../push/ports/report.ts';
import { documentOf, type Result } from '../result.ts';
import { BESIDE, problemsText, withoutPrinted } from '../text/problem-list.ts';
import type { Ending, RunResult } from './run-document.ts';
import { planLine, requestsLine, rowsSentence, runParts, shownRun } from './run-summary.ts';
import { counted } from '../text/text.ts';

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
}

export const shownCohort = (result: CohortResult): Result => {
  const { name, parts, accounts, unsent, ending, durationMs } = result;
  const all = allEnds(parts);
  const requests = {
    total: total(parts, ({ report }) => report.requests.total),
    retried: total(parts, ({ report }) => report.requests.retried),
  };
  const earlierRequests = total(parts, ({ earlierRequests: earlier = 0 }) => earlier);
  const found = problemsOf(result);
  const stopped =
    ending.exit === 'REFUSED' ? all.report.rows.not_sent - total(unsent, ({ rows }) => rows) : 0;
  const printed = parts.flatMap((part) => part.printed ?? []);
  return {
    problems: found.problems,
    next: ending.next,
    resumable: ending.resumable,
    fields: {
      cohort: name,
      rows: all.report.rows,
      changed: all.report.changed,
      ...(all.arrivedNow !== undefined && { arrived_now: all.arrivedNow }),
      requests,
      accounts,
      not_sent: unsent,
      problems_total: found.problemsTotal,
      resources: parts.map((part) => documentOf(shownRun(part), part.ending.exit)),
      duration_ms: Math.round(durationMs),
    },
    text: () => [
      { stderr: { lines: (paint) => problemsText(withoutPrinted(found, printed), BESIDE, paint) } },
      ...parts.flatMap((part) => runParts(part)),
      `${cohortWords(name)}: ${rowsSentence(all)}`,
      ...(accounts === null ? planLines(parts) : []),
      ...unsent.map(
        ({ resource, reason, accounts: count, rows, asked }) =>
          `  not sent: ${counted(rows, 'row')} of ${resource}, ${counted(count, 'account')} ${UNSENT_WORDS[reason]}${asked ? `, ${asked}` : ''}`,
      ),
      ...(stopped > 0
        ? [
            `  not sent: ${counted(stopped, 'row')}, because a refusal stopped the command; --on-reject skip goes on after a refusal`,
          ]
        : []),
      ...(accounts === null ? [] : [requestsLine(requests, accounts, { durationMs, earlierRequests })]),
    ],
  };
};

/** A cohort by its name. Many files are called `cohort.yaml` and give no name. */
export const cohortWords = (name: string): string => (name === 'cohort' ? name : `cohort ${name}`);

/** The problems of all resources, and those between the files: errors before warnings over all of them. */
function problemsOf({ parts, checks }: CohortResult): ProblemReport {
  const reports = [...parts.map(({ report }) => report), checks];
  return problemReport({
    problems: reports.flatMap(({ problems }) => problems),
    errorGroups: reports.flatMap(({ errorGroups }) => errorGroups),
    warningGroups: reports.flatMap(({ warningGroups }) => warningGroups),
  });
}

/** The accounts of a reason, as in "2 accounts whose import failed". */
const UNSENT_WORDS: Readonly<Record<UnsentReason, string>> = {
  account_not_imported: 'not imported when the platform was last asked',
  account_not_asked: 'that the platform said nothing about',
  account_import_failed: 'whose import failed',
  earlier_resource_failed: 'held back by a refused record of an earlier resource',
  earlier_record_unsettled: 'held back by an earlier record that is not settled',
};

/** The requests of all resources that would be sent. */
function planLines(parts: CohortResult['parts']): readonly string[] {
  const plans = parts.flatMap(({ plan }) => plan ?? []);
  return plans.length === 0
    ? []
    : [planLine(addedByName(plans.map(({ requests, records }) => ({ requests, records }))))];
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
