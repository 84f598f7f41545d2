import type { Resource } from '../../core/contract/resources.ts';
import type { Forecast, TimeInterval } from '../forecast/forecast.ts';
import type { ResultFormats } from './formats.ts';
import { exitDocument } from './json.ts';
import { columnsText } from './table.ts';
import { counted, durationText, escapeControl } from './text.ts';

/** The files of one resource. */
export interface PlanPart {
  readonly resource: Resource;
  readonly totals: Readonly<Record<'requests' | 'accounts' | 'records' | 'bytes', number>>;
  /** How long sending it would take alone; undefined when the plan has no other resource. */
  readonly forecast: Forecast | undefined;
}

/** How long sending files will take (`plan`). Times are in milliseconds. */
export interface PlanResult {
  readonly kind: 'plan';
  /** Name of the cohort; undefined for the files of one resource. */
  readonly cohort: string | undefined;
  /** The rehearsal, as it was typed. */
  readonly from: readonly string[];
  readonly seed: number;
  /** When the night begins, in minutes after midnight. */
  readonly startMinute: number | undefined;
  /** In the order in which an account's records are sent; at least one. */
  readonly parts: readonly PlanPart[];
  /** Accounts of all parts; an account of several counts once. */
  readonly accounts: number;
  /** Requests at once of the night. */
  readonly chosen: number;
  readonly rate: { readonly requests: number; readonly perMs: number } | undefined;
  /** For several numbers of requests at once, ascending; the chosen one is among them. */
  readonly forecasts: readonly Forecast[];
  /** Time before the first request. */
  readonly readingMs: TimeInterval;
  /** The account with the most requests, alone. */
  readonly longestAccountMs: number;
  /** 0 without a rate limit. */
  readonly rateLimitMs: number;
  readonly basis: {
    readonly requests: number;
    readonly medianMs: number;
    readonly mostAtOnce: number;
    readonly retried: number;
  };
}

export const planFormats: ResultFormats<PlanResult> = {
  document(result, exit) {
    const { cohort, parts, from, seed, chosen, rate, basis } = result;
    const whole = wholeInterval(result, chosenForecast(result));
    return {
      version: 1,
      exit: exitDocument(exit),
      ...(cohort === undefined ? { resource: parts[0]!.resource } : { cohort }),
      from: from.join(', '),
      seed,
      ...allTotals(result),
      concurrency: chosen,
      rate_limit: rate ? { requests: rate.requests, per_ms: rate.perMs } : null,
      duration_ms: rounded(whole),
      ends: ends(result) ?? null,
      at_concurrency: result.forecasts.map((forecast) => ({
        concurrency: forecast.concurrency,
        duration_ms: rounded(wholeInterval(result, forecast)),
        beyond_rehearsal: forecast.isBeyondRehearsal,
      })),
      ...(cohort !== undefined && {
        resources: parts.map(({ resource, totals, forecast }) => ({
          resource,
          ...totals,
          alone_ms: forecast ? rounded(forecast) : null,
        })),
      }),
      longest_account_ms: Math.round(result.longestAccountMs),
      rate_limit_ms: Math.round(result.rateLimitMs),
      basis: {
        requests: basis.requests,
        median_ms: basis.medianMs,
        most_at_once: basis.mostAtOnce,
        retried: basis.retried,
      },
    };
  },
  text(result) {
    const { cohort, parts, from, basis, longestAccountMs, rateLimitMs, chosen } = result;
    const rows = result.forecasts.map((forecast) => [
      String(forecast.concurrency),
      intervalText(wholeInterval(result, forecast)),
      [
        forecast.concurrency === chosen ? 'chosen' : '',
        forecast.isBeyondRehearsal ? `more than the ${basis.mostAtOnce} of the rehearsal` : '',
      ]
        .filter((part) => part !== '')
        .join(', '),
    ]);
    const retried = basis.retried === 0 ? '' : `, ${basis.retried} of them tried again`;
    const end = ends(result);
    return [
      ...(cohort === undefined ? [] : parts.map(partText)),
      `${escapeControl(cohort ?? parts[0]!.resource)}: ${totalsText(allTotals(result))}\n`,
      `rehearsal ${escapeControl(from.join(', '))}: ${counted(basis.requests, 'request')}${retried}, ` +
        `half of them within ${durationText(basis.medianMs)}, at most ${basis.mostAtOnce} at once\n`,
      columnsText([['at once', 'takes', ''], ...rows], ['right', 'left', 'left']),
      longestAccountMs > 0
        ? `The account with the most requests needs about ${durationText(longestAccountMs)} by itself.\n`
        : '',
      rateLimitMs > 0 ? `The rate limit needs at least ${durationText(rateLimitMs)}.\n` : '',
      `It takes ${intervalText(wholeInterval(result, chosenForecast(result)))}.\n`,
      end ? `It ends between ${end.earliest} and ${end.latest}.\n` : '',
    ].join('');
  },
};

function allTotals({ parts, accounts }: PlanResult): PlanPart['totals'] {
  const sum = (key: 'requests' | 'records' | 'bytes'): number =>
    parts.reduce((all, { totals }) => all + totals[key], 0);
  return { requests: sum('requests'), accounts, records: sum('records'), bytes: sum('bytes') };
}

function totalsText({ requests, records, accounts, bytes }: PlanPart['totals']): string {
  const what = `${counted(requests, 'request')} of ${counted(records, 'record')} for ${counted(accounts, 'account')}`;
  return `${what}, ${counted(bytes, 'byte')}`;
}

function partText({ resource, totals, forecast }: PlanPart): string {
  return `${resource}: ${totalsText(totals)}${forecast ? `, ${intervalText(forecast)} alone` : ''}\n`;
}

function chosenForecast({ forecasts, chosen }: PlanResult): Forecast {
  return forecasts.find(({ concurrency }) => concurrency === chosen)!;
}

/** Reading and sending, and at least what the rate limit needs. */
function wholeInterval(
  { readingMs, rateLimitMs }: PlanResult,
  { lowMs, highMs }: TimeInterval,
): TimeInterval {
  const low = Math.max(readingMs.lowMs + lowMs, rateLimitMs);
  return { lowMs: low, highMs: Math.max(readingMs.highMs + highMs, low) };
}

function rounded({ lowMs, highMs }: TimeInterval): { readonly low: number; readonly high: number } {
  return { low: Math.floor(lowMs), high: Math.ceil(highMs) };
}

/**
 * The span in one unit for both ends where the lower has one: `35 to 42 minutes`, `2 h 10 min to 3 h 5 min`, `25 seconds to 3 minutes`.
 * Wider rather than narrower.
 */
export function intervalText({ lowMs, highMs }: TimeInterval): string {
  const [unitMs, unit] = highMs < 120_000 ? [1_000, 'second'] : [60_000, 'minute'];
  const [low, high] = [Math.floor(lowMs / unitMs), Math.ceil(highMs / unitMs)];
  if (high >= 120 && unit === 'minute') return `${hoursText(low)} to ${hoursText(high)}`;
  const seconds = Math.floor(lowMs / 1_000);
  if (low === 0 && seconds > 0) return `${counted(seconds, 'second')} to ${counted(high, unit)}`;
  return low === 0 ? `up to ${counted(high, unit)}` : `${low} to ${counted(high, unit)}`;
}

function hoursText(minutes: number): string {
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

function ends(result: PlanResult): { readonly earliest: string; readonly latest: string } | undefined {
  const { startMinute } = result;
  if (startMinute === undefined) return undefined;
  const { lowMs, highMs } = wholeInterval(result, chosenForecast(result));
  return {
    earliest: clockText(startMinute + Math.floor(lowMs / 60_000)),
    latest: clockText(startMinute + Math.ceil(highMs / 60_000)),
  };
}

/** `05:20`; `05:20 (+1 day)` after midnight. */
function clockText(minute: number): string {
  const days = Math.floor(minute / MINUTES_OF_DAY);
  const time = [Math.floor((minute % MINUTES_OF_DAY) / 60), minute % 60]
    .map((part) => String(part).padStart(2, '0'))
    .join(':');
  return days === 0 ? time : `${time} (+${counted(days, 'day')})`;
}

const MINUTES_OF_DAY = 24 * 60;
