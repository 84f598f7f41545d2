import { durationText } from '../../../core/values/duration-text.ts';
import { DESCRIPTORS } from '../../../core/contract/resources.ts';
import { arrivedRows, type ControlTotal, type RunReport } from '../../push/ports/report.ts';
import { columnsText } from '../text/table.ts';
import { counted, escapeControl, escapedLines } from '../text/text.ts';
import { LEFT_OUT_WORDS, behindText, pictureText } from './look-text.ts';
import {
  isProven,
  type CheckResult,
  type Ending,
  type ExpectedTime,
  type RunResult,
  type SendingPlan,
} from './run-document.ts';

/** The result of a run for the person who has to act on it. */
export function runSummary(result: RunResult): string {
  const { report, ending, durationMs, earlierRequests, plan, expected, notes, run, origin } = result;
  const { requests, accounts, chain } = report;
  return [
    `${report.resource}: ${rowsSentence(result)}\n`,
    leftOutText(report),
    totalsText(report, ['count', 'read', 'accepted']),
    requests.total === 0 ? '' : requestsText(requests, { accounts, durationMs, earlier: earlierRequests }),
    // `runs show` has it above, with what the run was made from.
    run === null || origin || chain.links === 0
      ? ''
      : `chain: ${chain.head}, ${counted(chain.links, 'link')}${isProven(result) ? '' : ', those of earlier commands not computed anew'}\n`,
    plan === undefined ? '' : planText(plan),
    expectedText(expected),
    escapedLines(notes ?? []),
    nextLine(ending),
  ].join('');
}

/** What a push would send. */
function planText(plan: SendingPlan): string {
  const { requests, accounts, records, target } = plan;
  if (records === 0) return 'nothing would be sent\n';
  const goal = target === null ? '' : ` to ${escapeControl(target)}`;
  return `would send ${counted(requests, 'request')} of ${counted(records, 'record')} for ${counted(accounts, 'account')}${goal}\n`;
}

export function expectedText(expected: ExpectedTime | undefined): string {
  return expected
    ? `sending takes at least ${durationText(expected.rate_limit_ms)}, by the rate limit\n`
    : '';
}

/**
 * The requests of all commands, and how long this one took. `earlier`: requests of earlier commands. An attempt that never left this
 * machine does not count as a request that was tried again.
 */
export function requestsText(
  requests: Pick<RunReport['requests'], 'total' | 'retried'> & Partial<RunReport['requests']>,
  {
    accounts: { done, total },
    durationMs,
    earlier = 0,
  }: {
    accounts: { done: number; total: number };
    /** Undefined where it is not shown. */
    durationMs: number | undefined;
    earlier?: number | undefined;
  },
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
  return `${counted(requests.total, 'request')}${about}, ${done} of ${counted(total, 'account')} done${time}\n`;
}

/**
 * The result of a check. A check sends nothing, so rows that would wait to be sent are called "valid". `isShort`: without the picture of
 * what would be sent.
 */
export function checkSummary(result: CheckResult, isShort: boolean): string {
  const { report, ending, notes, picture, behind } = result;
  const { waiting: valid, ...ends } = rowEnds(report);
  // A repeated id is known when its record was counted.
  const repeats = picture && picture.records > valid ? ', repeated ids included' : '';
  const title = report.errorsTotal > 0 ? `what is valid${repeats}` : 'what will be sent';
  return [
    `${report.resource}: ${readSentence(report.rows.read, { valid, ...ends })}\n`,
    ...(!isShort && picture && behind
      ? [pictureText(picture, title), behindText(behind, picture.records > 0)]
      : [leftOutText(report), totalsText(report, ['count', 'read'])]),
    escapedLines(notes ?? []),
    nextLine(ending),
  ].join('');
}

/** How rows ended, and how many of the arrived ones this command brought there; undefined where it says nothing about that. */
type EndedRows = Pick<RunResult, 'arrivedNow'> & { readonly report: Pick<RunReport, 'rows' | 'changed'> };

/** `1761 rows read: 1760 arrived, 1 of them now, 1 refused` */
export function rowsSentence({ report, arrivedNow }: EndedRows): string {
  const { arrived, ...others } = rowEnds(report);
  const isPart = arrivedNow !== undefined && arrivedNow !== arrived;
  const now = isPart ? `, ${arrivedNow === 0 ? 'none' : arrivedNow} of them now` : '';
  return readSentence(report.rows.read, { [`arrived${now}`]: arrived, ...others });
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
function leftOutText({ leftOut }: RunReport): string {
  return leftOut
    .map(({ kind, place, count }) => {
      const where = place === '' ? '' : ` ${escapeControl(place)}`;
      return `  left out: ${count} ${LEFT_OUT_WORDS[kind]}${where}\n`;
    })
    .join('');
}

/** Counts and exact sums by type. Empty for records without type and amount. */
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

/** Amounts of statements are whole minor units (deployments.md). Without the words a reader would take them for a hundred times as much. */
function labelOf({ resource }: RunReport, { type }: ControlTotal): string {
  return type ?? (DESCRIPTORS[resource].amount?.unit === 'minor' ? 'all, in minor units' : 'all');
}

/** The last line: what to type next. */
export const nextLine = ({ next }: Ending): string => (next === null ? '' : `next: ${escapeControl(next)}\n`);
