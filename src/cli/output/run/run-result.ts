import type { RunReport } from '../../push/ports/report.ts';
import { shownAs } from '../formats/result-formats.ts';
import type { Paint } from '../text/paint.ts';
import { AS_RESULT, BESIDE, problemsText, withoutPrinted } from '../text/problem-list.ts';
import {
  checkDocumentOf,
  runDocumentOf,
  type CheckResult,
  type RunOrigin,
  type RunResult,
} from './run-document.ts';
import { checkSummary, runSummary } from './run-summary.ts';
import { counted, escapedLines } from '../text/text.ts';

/** The problems of a check are its result, so they go to standard output. */
export const shownCheck = shownAs<CheckResult>({
  document: checkDocumentOf,
  text: (result, { paint, quiet }) =>
    problemsText(result.report, AS_RESULT, paint('stdout')) + checkSummary(result, quiet),
  annotated: ({ report }, { annotatedReport }) => annotatedReport(report),
});

/** The problems of a run go to standard error, its result to standard output. */
export const shownRun = shownAs<RunResult>({
  document: runDocumentOf,
  text: (result, { paint }) => [
    ['stdout', result.origin ? originText(result.origin, result.report) : ''],
    ['stderr', problemsOf(result, paint('stderr'))],
    ['stdout', runSummary(result)],
  ],
  messages: (result, paint) => problemsOf(result, paint),
  annotated: ({ report, isOfFiles }, { annotatedReport }) =>
    isOfFiles ? annotatedReport(report) : undefined,
});

const problemsOf = ({ report, printed }: RunResult, paint: Paint): string =>
  problemsText(withoutPrinted(report, printed), BESIDE, paint);

function originText(
  { id, createdAt, toolVersion, target, sources, runFile }: RunOrigin,
  { chain }: RunReport,
): string {
  return escapedLines([
    `run       ${id}`,
    `begun     ${createdAt}, by version ${toolVersion}`,
    `chain     ${chain.head}, ${counted(chain.links, 'link')}`,
    `target    ${target}`,
    ...sources.map(({ name, bytes, sha256 }) => `source    ${name}, ${bytes} bytes, SHA-256 ${sha256}`),
    `journal   ${runFile}`,
  ]);
}
