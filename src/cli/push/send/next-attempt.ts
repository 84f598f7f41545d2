import { retryOfStatus } from '../../../core/contract/retry.ts';
import type { ErrorCode } from '../../../core/error-codes/table.ts';
import type { Facts } from '../../../core/problem.ts';
import { durationText } from '../../../core/values/duration-text.ts';
import type { BatchResult } from '../answer/classify.ts';
import type { ErrorContext } from '../answer/platform-errors.ts';
import { hasNoValue } from '../answer/platform-words.ts';
import type { PlatformAnswer } from '../ports/platform.ts';
import type { EndReason } from '../ports/report.ts';
import type { Batch } from '../ports/run.ts';
import { reasonIn, seenAnswer } from '../ports/seen-answer.ts';
import type { Timing } from '../ports/timing.ts';
import { nextWaitMs, retryAfterMs, TOKEN_MS, UNCONNECTED_MS, UNPROVEN } from '../waits.ts';
import type { Limiter, Permit, PermitUse } from './limiter.ts';

/** An early end of a run. `reason`: its cause, when the problems of the rows do not say it. */
export interface EarlyEnd {
  readonly kind: 'refused' | 'unauthenticated' | 'unfinished' | 'interrupted' | 'time_over' | 'unrecorded';
  readonly reason?: EndReason;
}

/** The end of a batch that is not tried again. */
export interface GivenUp {
  readonly kind: 'ended';
  readonly end: EarlyEnd;
  /** How many other requests ended well meanwhile. With some, other accounts may go on. */
  readonly others: number;
  /** Held still, so that nothing begins before it is decided that the run goes on. */
  readonly permit: Permit;
}

/** What decides about another attempt, beside the answers. */
export interface RetryPolicy extends Pick<ErrorContext, 'sources'> {
  /** How long a batch may keep failing, in milliseconds (`--retry-for`). */
  readonly retryForMs: number;
}

/** A batch without an answer that settles it. */
interface Failure {
  readonly answer: PlatformAnswer;
  readonly batch: Batch;
  readonly reason: string;
  readonly startedMs: number;
  readonly attempts: number;
  /** Requests of the run that had ended well before. */
  readonly before: number;
  /** How many answers in a row asked for no wait and proved nothing, so that another attempt is likely to get the same. */
  readonly unproven: number;
}

/** Whether the platform, or something before it, answered without asking for a wait, and nothing follows for the records. */
export const isUnproven = (answer: PlatformAnswer, kind: BatchResult['kind']): boolean =>
  answer.kind === 'answer' && kind === 'ambiguous' && retryOfStatus(answer.status) === 'never';

/** How long the next attempt has to wait, in milliseconds, or the end of a batch that is not tried again. */
export function nextAttempt(
  failure: Failure,
  policy: RetryPolicy,
  { timing, limiter }: { readonly timing: Timing; readonly limiter: Limiter },
): { readonly waitMs: number } | Pick<GivenUp, 'end' | 'others'> {
  const { answer, startedMs, attempts, unproven } = failure;
  // Only one request at a time is sent in an outage, so a batch has no more time than the outage.
  const elapsedMs = timing.monotonicMs() - Math.min(startedMs, limiter.downFromMs());
  const askedMs = retryAfterMs(answer.headers);
  const leftMs = policy.retryForMs - elapsedMs;
  const waitMs = nextWaitMs(attempts, timing.random(), { leftMs, askedMs });
  const isUnconnected = isLocal(answer) && limiter.unconnectedMs() >= UNCONNECTED_MS;
  if (waitMs !== undefined && unproven < UNPROVEN.most && !isUnconnected) {
    const leastMs = unproven === UNPROVEN.most - 1 ? Math.min(UNPROVEN.lastMs, leftMs) : 0;
    return { waitMs: Math.max(waitMs, leastMs) };
  }
  // A platform that asks to wait asks it of every request, and a machine without connections has none for the others.
  const others = askedMs > 0 || isLocal(answer) ? 0 : limiter.succeeded - failure.before;
  const asks = askedMs > 0 ? `, which asks to wait ${durationText(askedMs)}` : '';
  return { end: givenUp(failure, policy.sources, { asks, elapsedMs, others }), others };
}

/** Whether this machine could open no connection. */
const isLocal = (answer: PlatformAnswer): boolean => answer.kind !== 'answer' && answer.isLocal === true;

const SHOW_ROWS =
  'Show the operator these rows, because the platform is well and fails at them. Record what they find with `dataimport runs confirm`, or type the same command again.';

/** How a run ends whose batch is not tried again. */
function givenUp(
  { answer, batch, reason, unproven }: Failure,
  sources: ErrorContext['sources'],
  { asks, elapsedMs, others }: { asks: string; elapsedMs: number; others: number },
): EarlyEnd {
  const end = (code: ErrorCode, facts: Facts): EarlyEnd => ({ kind: 'unfinished', reason: { code, facts } });
  if (isLocal(answer)) return end('machine_exhausted', { reason: `no connection can be opened: ${reason}` });
  const request = placeOf(batch, sources);
  const isFree = (words: string): boolean => hasNoValue(batch, words);
  if (answer.kind === 'answer' && unproven > 0) {
    const what = `the platform, or something before it, answers in a way that proves nothing (${request}): ${reason}; it got ${seenAnswer(answer, isFree)}`;
    return { ...end('answer_unproven', { what }), kind: 'refused' };
  }
  const words = answer.kind === 'answer' ? reasonIn(answer) : '';
  const said = reason + asks + (words !== '' && isFree(words) ? `: ${words}` : '');
  const what = `${others > 0 ? 'one' : 'a'} request was given up after ${durationText(elapsedMs)}`;
  const alone = { what: `${what}, while ${others} others were answered well`, todo: SHOW_ROWS };
  return end('retry_time_used_up', { ...(others > 0 ? alone : { what }), reason: `${said} (${request})` });
}

/** The account of a batch and its lines. */
function placeOf({ account, records }: Batch, sources: ErrorContext['sources']): string {
  const places = [...Map.groupBy(records, ({ source }) => source)].map(([source, ofSource]) => {
    const [first, last] = [ofSource[0]!.line, ofSource.at(-1)!.line];
    const lines = first === last ? `line ${first}` : `lines ${first} to ${last}`;
    return `${sources[source - 1]!.name} ${lines}`;
  });
  return `account ${account.external_account_number}, ${places.join(', ')}`;
}

/** Statuses of an overloaded platform. A lone 500 does not prove overload. */
const OVERLOADED: ReadonlySet<number> = new Set([408, 429, 503, 504]);

/** The use of a permit, as its answer proves it, whatever the results of the records. */
export function permitUseOf(answer: PlatformAnswer, result: BatchResult, tookMs: number): PermitUse {
  if (result.kind !== 'ambiguous' && result.kind !== 'not_applied') return { kind: 'succeeded', tookMs };
  const isAnswer = answer.kind === 'answer';
  const overloaded = isAnswer ? OVERLOADED.has(answer.status) : answer.timedOut === true;
  const failed = isUnproven(answer, result.kind) ? 'unproven' : overloaded ? 'overload' : 'failure';
  return {
    kind: 'failed',
    cause: isLocal(answer) ? 'no_connection' : failed,
    askedMs: retryAfterMs(answer.headers),
    probeInMs: isAnswer ? undefined : TOKEN_MS[(answer.refusedTokens ?? 0) - 1],
    reason: result.reason,
  };
}
