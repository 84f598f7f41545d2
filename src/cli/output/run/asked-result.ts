import type { JsonDocument } from '../json.ts';
import { shownAs } from '../formats/result-formats.ts';
import { BESIDE, problemsText } from '../text/problem-list.ts';
import { counted, escapedLines } from '../text/text.ts';
import { runDocumentOf, type RunResult } from './run-document.ts';
import { nextLine, readSentence, requestsText } from './run-summary.ts';

/** The result of `push --ask-platform`. */
export const shownAsked = shownAs<RunResult>({
  document: askedDocumentOf,
  text: (result, { paint }) => [
    ['stderr', problemsText(result.report, BESIDE, paint('stderr'))],
    ['stdout', askedSummary(result)],
  ],
  messages: ({ report }, paint) => problemsText(report, BESIDE, paint),
});

function askedSummary({ report, durationMs, ending, notes = [] }: RunResult): string {
  const { requests, accounts } = report;
  return [
    `${report.resource}, asked only: ${askedSentence(report)}\n`,
    requests.total === 0 ? '' : requestsText(requests, { accounts, durationMs }),
    escapedLines([...storedLines(report), ...notes]),
    nextLine(ending),
  ].join('');
}

/** No word of it is one of a push. */
function askedSentence({ rows }: RunResult['report']): string {
  return readSentence(rows.read, {
    'asked, and it would take them': rows.created,
    'asked, and it has them already': rows.existing + rows.uncompared,
    'asked, and its answer differs': rows.verify,
    'asked, and it would refuse them': rows.rejected,
    'without an answer': rows.unknown + rows.not_sent,
    invalid: rows.invalid,
    'left out': rows.filtered,
  });
}

/** An answer to a request with `dry_run` has the form of an answer to a push, so it does not show whether its rows were stored. */
function storedLines({ rows: { created, existing } }: RunResult['report']): readonly string[] {
  return [
    'every request had dry_run, with which the platform stores nothing by its contract: no row counts as arrived',
    ...(created === 0
      ? []
      : [
          'the answers are those of a push and do not show whether the platform heeds dry_run: type the command again, and if it then has these rows already or refuses them, it has stored them',
        ]),
    ...(existing === 0
      ? []
      : [
          `if no push has sent the ${counted(existing, 'row')} that it has already, it has stored them for an earlier --ask-platform`,
        ]),
  ];
}

/** The document of `push --ask-platform --json`. It has neither `rows` nor `run`, so that nobody reads it as that of a push. */
function askedDocumentOf(result: RunResult): JsonDocument {
  const { resource, exit, requests, groups, problems, problems_total, duration_ms, next } =
    runDocumentOf(result);
  const { read, created, existing, verify, rejected, unknown, not_sent, invalid, filtered } =
    result.report.rows;
  return {
    version: 1,
    asked_only: true,
    resource,
    exit,
    asked: {
      read,
      would_take: created,
      has_already: existing,
      differs: verify,
      would_refuse: rejected,
      unanswered: unknown + not_sent,
      invalid,
      filtered,
    },
    requests,
    groups,
    problems,
    problems_total,
    duration_ms,
    next,
  };
}
