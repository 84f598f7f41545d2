import type { RunReport } from '../../push/ports/report.ts';
import type { Annotated } from '../formats/github.ts';
import type { Part, Result } from '../result.ts';
import { AS_RESULT, BESIDE, problemsText, withoutPrinted } from '../text/problem-list.ts';
import { counted } from '../text/text.ts';
import { checkFields, runFields, type CheckResult, type RunOrigin, type RunResult } from './run-document.ts';
import {
  checkParts,
  checkSentence,
  readSentence,
  requestsLine,
  rowsSentence,
  runParts,
} from './run-summary.ts';

/** The problems of a check are its result, so they go to standard output. */
export const shownCheck = (result: CheckResult): Result => ({
  ...endOf(result),
  fields: checkFields(result),
  text: ({ quiet }) => [
    { lines: (paint) => problemsText(result.report, AS_RESULT, paint) },
    ...checkParts(result, quiet),
  ],
  annotated: annotatedReport(result.report, checkSentence(result)),
});

/** The problems of a run go to standard error, its result to standard output. */
export const shownRun = (result: RunResult): Result => ({
  ...endOf(result),
  fields: runFields(result),
  text: ({ verbose }) => [
    ...(result.origin ? [originFacts(result.origin, result.report)] : []),
    problemsBeside(result),
    ...runParts(result, verbose),
  ],
  annotated: result.isOfFiles ? annotatedReport(result.report, rowsSentence(result)) : undefined,
});

const endOf = ({ report: { problems }, ending: { next, resumable } }: CheckResult) => ({
  problems,
  next,
  resumable,
});

const problemsBeside = ({ report, printed }: RunResult): Part => ({
  stderr: { lines: (paint) => problemsText(withoutPrinted(report, printed), BESIDE, paint) },
});

const annotatedReport = (report: RunReport, sentence: string): Annotated => ({
  title: `${report.resource}: ${sentence}`,
  problems: report.problems,
  total: report.problemsTotal,
  groups: [...report.errorGroups, ...report.warningGroups],
});

const originFacts = (
  { id, createdAt, toolVersion, target, sources, runFile }: RunOrigin,
  { chain }: RunReport,
): Part => ({
  facts: [
    ['run', id],
    ['begun', `${createdAt}, by version ${toolVersion}`],
    ['chain', `${chain.head}, ${counted(chain.links, 'link')}`],
    ['target', target],
    ...sources.map(
      ({ name, bytes, sha256 }) => ['source', `${name}, ${bytes} bytes, SHA-256 ${sha256}`] as const,
    ),
    ['journal', runFile],
  ],
});

/** The result of `push --ask-platform`. Its document has neither `rows` nor `run`, so that nobody reads it as that of a push. */
export const shownAsked = (result: RunResult): Result => {
  const { report, durationMs, notes = [] } = result;
  const { read, created, existing, uncompared, verify, rejected, unknown, not_sent, invalid, filtered } =
    report.rows;
  const { resource, requests, groups, problems_total, duration_ms } = runFields(result);
  const asked = {
    read,
    would_take: created,
    has_already: existing + uncompared,
    differs: verify,
    would_refuse: rejected,
    unanswered: unknown + not_sent,
    invalid,
    filtered,
  };
  const ends = {
    'asked, and it would take them': asked.would_take,
    'asked, and it has them already': asked.has_already,
    'asked, and its answer differs': verify,
    'asked, and it would refuse them': rejected,
    'without an answer': asked.unanswered,
    invalid,
    'left out': filtered,
  };
  return {
    ...endOf(result),
    fields: { asked_only: true, resource, asked, requests, groups, problems_total, duration_ms },
    text: () => [
      problemsBeside(result),
      // No word of it is one of a push.
      `${resource}, asked only: ${readSentence(read, ends)}`,
      ...(requests.total === 0
        ? []
        : [requestsLine(report.requests, { accounts: report.accounts, durationMs })]),
      'every request had dry_run, with which the platform stores nothing by its contract: no row counts as arrived',
      ...(created === 0 ? [] : [HEEDED]),
      ...(existing === 0 ? [] : [storedBefore(existing)]),
      ...notes,
    ],
  };
};

/** An answer to a request with `dry_run` has the form of an answer to a push, so it does not show whether its rows were stored. */
const HEEDED =
  'the answers are those of a push and do not show whether the platform heeds dry_run: type the command again, and if it then has these rows already or refuses them, it has stored them';

const storedBefore = (existing: number): string =>
  `if no push has sent the ${counted(existing, 'row')} that it has already, it has stored them for an earlier --ask-platform`;
