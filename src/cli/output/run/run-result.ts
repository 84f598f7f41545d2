import type { RunReport } from '../../push/ports/report.ts';
import type { Part, Result } from '../result.ts';
import { AS_RESULT, BESIDE, problemsText, withoutPrinted } from '../text/problem-list.ts';
import { counted } from '../text/text.ts';
import { checkFields, runFields, type CheckResult, type RunOrigin, type RunResult } from './run-document.ts';
import { checkParts, runParts } from './run-summary.ts';

/** The problems of a check are its result, so they go to standard output. */
export const shownCheck = (result: CheckResult): Result => ({
  ...endOf(result),
  fields: checkFields(result),
  text: ({ quiet }) => [
    { lines: (paint) => problemsText(result.report, AS_RESULT, paint) },
    ...checkParts(result, quiet),
  ],
  annotated: result.report.problems,
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
  annotated: result.isOfFiles ? result.report.problems : undefined,
});

const endOf = ({ report: { problems }, ending: { next, resumable } }: CheckResult) => ({
  problems,
  next,
  resumable,
});

const problemsBeside = ({ report, printed }: RunResult): Part => ({
  stderr: { lines: (paint) => problemsText(withoutPrinted(report, printed), BESIDE, paint) },
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
