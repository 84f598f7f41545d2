import { retryOfStatus } from '../../../core/contract/retry.ts';
import { durationText } from '../../../core/values/duration-text.ts';
import type { BatchResult } from '../answer/classify.ts';
import type { ErrorContext } from '../answer/platform-errors.ts';
import { hasNoValue } from '../answer/platform-words.ts';
import { NEW_TOKENS_REFUSED, type PlatformAnswer } from '../ports/platform.ts';
import type { EndReason } from '../ports/report.ts';
import type { Batch } from '../ports/run.ts';
import { reasonIn, seenAnswer } from '../ports/seen-answer.ts';
import type { Timing } from '../ports/timing.ts';
import { decideRetry, isTooLongToMean, retryAfterMs } from '../retry.ts';
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

/** How long a run tries to open a connection while this machine can open none, in milliseconds. Then a person has to help. */
const LONGEST_UNCONNECTED_MS = 10_000;

/** How often the same answer without a proof comes before the run ends, and how long the last attempt waits at least, in milliseconds. */
const MOST_UNPROVEN = 3;
const LAST_UNPROVEN_MS = 10_000;

/** A batch without an answer that settles it. */
interface Failure {
  readonly answer: PlatformAnswer;
  readonly batch: Batch;
  readonly reason: string;
  readonly startedMs: number;
  readonly attempts: number;
  /** Requests of the run that had ended well before. */
  readonly before: number;
  /** How many answers of the same form in a row proved nothing. */
  readonly unproven: number;
}

/** Counts answers of one form that ask for no wait and prove nothing, so that another attempt is likely to get the same. */
export function afterAnswer(
  { form, count }: { form: string; count: number },
  answer: PlatformAnswer,
  { kind, reason }: { kind: string; reason: string },
): { form: string; count: number } {
  if (!isUnproven(answer, kind)) return { form: '', count: 0 };
  const now = `${answer.status} ${answer.headers['content-type'] ?? ''} ${reason}`;
  return { form: now, count: now === form ? count + 1 : 1 };
}

/** Whether the platform, or something before it, answered without asking for a wait, and nothing follows for the records. */
function isUnproven(
  answer: PlatformAnswer,
  kind: string,
): answer is Extract<PlatformAnswer, { kind: 'answer' }> {
  return answer.kind === 'answer' && kind === 'ambiguous' && retryOfStatus(answer.status) === 'never';
}

/** How long the next attempt has to wait, in milliseconds, or the end of a batch that is not tried again. */
export function nextAttempt(
  failure: Failure,
  policy: RetryPolicy,
  { timing, limiter }: { readonly timing: Timing; readonly limiter: Limiter },
): { readonly waitMs: number } | Pick<GivenUp, 'end' | 'others'> {
  const { answer, reason, startedMs, attempts, unproven } = failure;
  // Only one request at a time is sent in an outage, so a batch has no more time than the outage.
  const elapsedMs = timing.monotonicMs() - Math.min(startedMs, limiter.downFromMs());
  const askedMs = retryAfterMs(answer.headers);
  const { retryForMs } = policy;
  const retry = { attempts, elapsedMs, retryForMs, retryAfterMs: askedMs, random: timing.random() };
  const decision = decideRetry(retry);
  const isOver = decision.kind === 'give_up' || limiter.unconnectedMs() >= LONGEST_UNCONNECTED_MS;
  if (isLocal(answer) && isOver)
    return {
      end: unfinished({
        code: 'machine_exhausted',
        facts: { reason: `no connection can be opened: ${reason}` },
      }),
      others: 0,
    };
  if (decision.kind === 'asked_too_long')
    return { end: unfinished(askedTooLong(askedMs, reason)), others: 0 };
  if (decision.kind === 'give_up' || unproven >= MOST_UNPROVEN) {
    const asks = askedMs > 0 ? `, which asks to wait ${Math.ceil(askedMs / 1000)} s` : '';
    // A platform that asks to wait asks it of every request, so the others do not go on either.
    const others = askedMs > 0 ? 0 : limiter.succeeded - failure.before;
    return { end: givenUp({ ...failure, reason: reason + asks }, policy, { elapsedMs, others }), others };
  }
  const leastMs = unproven === MOST_UNPROVEN - 1 ? Math.min(LAST_UNPROVEN_MS, retryForMs - elapsedMs) : 0;
  return { waitMs: Math.max(decision.waitMs, leastMs) };
}

/** Whether this machine could open no connection. */
const isLocal = (answer: PlatformAnswer): boolean => answer.kind !== 'answer' && answer.isLocal === true;

const unfinished = (reason: EndReason): EarlyEnd => ({ kind: 'unfinished', reason });

function askedTooLong(askedMs: number, reason: string): EndReason {
  const asks = isTooLongToMean(askedMs)
    ? 'longer than a day (`Retry-After`), which it cannot mean'
    : `${durationText(askedMs)}, longer than the 10 min that a run waits`;
  return { code: 'retry_time_used_up', facts: { what: `the platform asks to wait ${asks}`, reason } };
}

const SHOW_ROWS =
  'Show the operator these rows, because the platform is well and fails at them. Record what they find with `dataimport runs confirm`, or type the same command again.';

/** How a run ends whose batch has no more time. Three refused tokens end it, if there is time for them (ports/platform.ts). */
function givenUp(
  { answer, batch, reason, unproven }: Failure,
  { retryForMs, sources }: RetryPolicy,
  { elapsedMs, others }: { readonly elapsedMs: number; readonly others: number },
): EarlyEnd {
  const request = placeOf(batch, sources);
  const time = durationText(elapsedMs);
  const isFree = (words: string): boolean => hasNoValue(batch, words);
  if (answer.kind !== 'answer' && answer.refusedTokens !== undefined && retryForMs < THREE_TOKENS_MS)
    return {
      kind: 'unauthenticated',
      reason: { code: 'credentials_refused', facts: { reason: NEW_TOKENS_REFUSED } },
    };
  if (answer.kind === 'answer' && unproven > 0) {
    const what = `the platform, or something before it, answers in a way that proves nothing (${request}): ${reason}; it got ${seenAnswer(answer, isFree)}`;
    return { kind: 'refused', reason: { code: 'answer_unproven', facts: { what } } };
  }
  const words = answer.kind === 'answer' ? reasonIn(answer) : '';
  const said = words !== '' && isFree(words) ? `${reason}: ${words}` : reason;
  const alone = `one request was given up after ${time}, while ${others} others were answered well`;
  const what =
    others > 0 ? { what: alone, todo: SHOW_ROWS } : { what: `a request was given up after ${time}` };
  const facts = { ...what, reason: `${said} (${request})` };
  return unfinished({ code: 'retry_time_used_up', facts });
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

/** How long the next token waits after one, and after two new tokens in a row were refused, in milliseconds. */
const NEXT_TOKEN_MS = [1_000, 9_000];

/** A time in which three tokens can be tried, with these waits between them, in milliseconds. */
const THREE_TOKENS_MS = 15_000;

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
    probeInMs: isAnswer ? undefined : NEXT_TOKEN_MS[(answer.refusedTokens ?? 0) - 1],
    reason: result.reason,
  };
}
