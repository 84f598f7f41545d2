import { durationText } from '../../../core/values/duration-text.ts';
import { DESCRIPTORS } from '../../../core/contract/resources.ts';
import { arrivedRows, type ControlTotal, type RunReport } from '../../push/ports/report.ts';
import type { Part, Result } from '../result.ts';
import { AS_RESULT, BESIDE, problemsText, withoutPrinted } from '../text/problem-list.ts';
import { counted } from '../text/text.ts';
import { LEFT_OUT_WORDS, behindParts, pictureParts } from './look-text.ts';
import {
  checkFields,
  runFields,
  type CheckResult,
  type RunOrigin,
  type RunResult,
  type SendingPlan,
} from './run-document.ts';

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
  text: () => [
    ...(result.origin ? [originFacts(result.origin, result.report)] : []),
    {
      stderr: {
        lines: (paint) => problemsText(withoutPrinted(result.report, result.printed), BESIDE, paint),
      },
    },
    ...runParts(result),
  ],
  annotated: result.isOfFiles ? result.report.problems : undefined,
});

const endOf = ({ report: { problems }, ending: { next, resumable } }: CheckResult) => ({
  problems,
  next,
  resumable,
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

/** The result of a run for the person who has to act on it. */
export function runParts(result: RunResult): readonly Part[] {
  const { report, plan, notes = [] } = result;
  const { requests, accounts } = report;
  return [
    `${report.resource}: ${rowsSentence(result)}`,
    ...leftOutLines(report),
    ...totalsTable(report, ['count', 'read', 'accepted']),
    ...(requests.total === 0 ? [] : [requestsLine(requests, accounts, result)]),
    ...(plan ? [planLine(plan)] : []),
    ...notes,
  ];
}

/** The requests that a push would send. Those of a cohort have no accounts, because its resources share them. */
export function planLine({
  requests,
  records,
  accounts,
  target = null,
}: Pick<SendingPlan, 'requests' | 'records'> & Partial<SendingPlan>): string {
  if (records === 0) return 'nothing would be sent';
  const of = accounts === undefined ? '' : ` for ${counted(accounts, 'account')}`;
  const goal = target === null ? '' : ` to ${target}`;
  return `would send ${counted(requests, 'request')} of ${counted(records, 'record')}${of}${goal}`;
}

/**
 * The requests of all commands, and how long this one took. An attempt that never left this
 * machine does not count as a request that was tried again.
 */
export function requestsLine(
  requests: Pick<RunReport['requests'], 'total' | 'retried'> & Partial<RunReport['requests']>,
  { done, total }: { done: number; total: number },
  { durationMs, earlierRequests: earlier = 0 }: Pick<RunResult, 'durationMs' | 'earlierRequests'>,
): string {
  const neverLeft = requests.byStatus?.['not_sent'] ?? 0;
  const own = requests.total - earlier;
  const parts = [
    earlier > 0 ? `${own === 0 ? 'none' : own} by this command` : '',
    requests.retried > 0 ? `${requests.retried} tried again` : '',
    neverLeft > 0 ? `${neverLeft} could not be sent` : '',
  ].filter((part) => part !== '');
  const about = parts.length === 0 ? '' : ` (${parts.join(', ')})`;
  const took = earlier > 0 ? '; this command took ' : ', ';
  const time = durationMs === undefined ? '' : took + durationText(durationMs);
  return `${counted(requests.total, 'request')}${about}, ${done} of ${counted(total, 'account')} done${time}`;
}

/** The result of a check. `isShort`: without the picture of what would be sent. */
function checkParts(result: CheckResult, isShort: boolean): readonly Part[] {
  const { report, notes = [], picture, behind } = result;
  // A check sends nothing, so rows that would wait to be sent are valid.
  const { waiting: valid, ...ends } = rowEnds(report);
  // A repeated id is known when its record was counted.
  const repeats = picture && picture.records > valid ? ', repeated ids included' : '';
  const title = report.errorsTotal > 0 ? `what is valid${repeats}` : 'what will be sent';
  return [
    `${report.resource}: ${readSentence(report.rows.read, { valid, ...ends })}`,
    ...(!isShort && picture && behind
      ? [...pictureParts(picture, title), ...behindParts(behind, picture.records > 0)]
      : [...leftOutLines(report), ...totalsTable(report, ['count', 'read'])]),
    ...notes,
  ];
}

/** How rows ended, and how many of the arrived ones this command brought there; undefined where it says nothing about that. */
type EndedRows = Pick<RunResult, 'arrivedNow'> & { readonly report: Pick<RunReport, 'rows' | 'changed'> };

/** `1761 rows read: 1760 arrived, 1 of them now, 1 refused`. Records that were there already are named: their answers may repeat only what was sent. */
export function rowsSentence({ report, arrivedNow }: EndedRows): string {
  const { arrived, ...others } = rowEnds(report);
  const isPart = arrivedNow !== undefined && arrivedNow !== arrived;
  const now = isPart ? `, ${arrivedNow === 0 ? 'none' : arrivedNow} of them now` : '';
  const before = report.rows.existing + report.rows.uncompared;
  const there = before === 0 ? '' : ` (${before} there already)`;
  return readSentence(report.rows.read, { [`arrived${there}${now}`]: arrived, ...others });
}

/** The seven ways in which a row ends. The documents say how a record arrived, too. */
export function rowEnds({ rows, changed }: EndedRows['report']) {
  return {
    arrived: arrivedRows(rows),
    unproven: rows.verify,
    refused: rows.rejected,
    waiting: rows.unknown + rows.not_sent,
    changed,
    invalid: rows.invalid - changed,
    'left out': rows.filtered,
  };
}

/** The number of rows, and of those with each end, by its words. */
export function readSentence(read: number, ends: Readonly<Record<string, number>>): string {
  const parts = Object.entries(ends).flatMap(([words, count]) => (count === 0 ? [] : [`${count} ${words}`]));
  return `${counted(read, 'row')} read${parts.length === 0 ? '' : `: ${parts.join(', ')}`}`;
}

/** How many rows were left out for which cause. */
const leftOutLines = ({ leftOut }: RunReport): readonly string[] =>
  leftOut.map(({ kind, place, count }) => `  left out: ${count} ${LEFT_OUT_WORDS[kind]} ${place}`.trimEnd());

/** Counts and exact sums by type. Empty for records without type and amount. */
function totalsTable(
  { resource, controlTotals }: RunReport,
  figures: readonly ('count' | 'read' | 'accepted')[],
): readonly Part[] {
  if (controlTotals.every(({ type, read }) => type === null && read === null)) return [];
  // Amounts of statements are whole minor units (deployments.md). Without the words a reader would take them for a hundred times as much.
  const all = DESCRIPTORS[resource].amount?.unit === 'minor' ? 'all, in minor units' : 'all';
  const rowOf = (total: ControlTotal) => [
    total.type ?? all,
    ...figures.map((figure) => String(total[figure] ?? '')),
  ];
  return [{ table: [['type', ...figures], ...controlTotals.map(rowOf)], right: [1, 2, 3] }];
}
