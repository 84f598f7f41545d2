import { hash } from 'node:crypto';
import { AppError, NotSentError } from '../../../core/app-error.ts';
import { DESCRIPTORS } from '../../../core/contract/resources.ts';
import { retryOfStatus } from '../../../core/contract/retry.ts';
import type { AccountQueue } from './account-queue.ts';
import { classify, type BatchResult } from '../answer/classify.ts';
import type { EventSink } from '../events.ts';
import type { Limiter, Permit, PermitUse } from './limiter.ts';
import type { SettlingResult } from '../answer/settlement.ts';
import { locatePlatformError, platformError, type ErrorContext } from '../answer/platform-errors.ts';
import { hasNoValue } from '../answer/platform-words.ts';
import type { Platform, PlatformAnswer } from '../ports/platform.ts';
import type { AnsweredProblem } from '../ports/report.ts';
import type { Batch, DrainRun, RequestOptions } from '../ports/run.ts';
import type { Timing } from '../ports/timing.ts';
import { requestOf } from '../request.ts';
import { reasonIn, seenAnswer } from '../ports/seen-answer.ts';
import { decideRetry, retryAfterMs } from '../retry.ts';

export interface DeliveryPolicy extends ErrorContext {
  readonly options: RequestOptions;
  /** How long a batch may keep failing, in milliseconds (`--retry-for`). */
  readonly retryForMs: number;
  /** Name of the platform's account number in answers. */
  readonly accountNumberField: string;
  /** The database that the run goes to. An answer that names another one ends the run. Null when it is not known. */
  readonly database: string | null;
  /** Whether a record that the platform refuses because it has it counts as there. */
  readonly acceptsExisting: boolean;
}

/** Everything outside of the engine that draining needs. */
export interface DrainPorts {
  readonly run: DrainRun;
  /** The accounts that may be sent. Default: every account of the run with an open batch. */
  readonly accounts?: AccountQueue;
  readonly platform: Platform;
  readonly timing: Timing;
  readonly emit: EventSink;
  /** Aborts when no new request may begin; requests in flight end normally. */
  readonly stopping: AbortSignal;
  /** Aborts when requests in flight have to end, too. */
  readonly abort: AbortSignal;
}

/** The ports of draining, and what all deliveries of a run share. */
export type DeliveryPorts = DrainPorts & Readonly<{ limiter: Limiter }>;

export type Claimed = Readonly<{ batch: Batch; permit: Permit }>;

/** A batch with an answer that settles it. Its permit is not released yet. */
export interface Answered extends Claimed {
  readonly kind: 'answered';
  readonly result: SettlingResult;
  readonly status: number;
  /** From sending to the end of the answer, in milliseconds. */
  readonly tookMs: number;
}

/**
 * How a delivery ended. `split`: the batch was cut into smaller ones. `unrepeatable`: the batch may have been applied, and the platform
 * would keep its records twice. `stopped`: no further attempt was allowed. The other ends stop the run. `gave_up`: the batch kept failing
 * until its time was over. `unproven`: its answers ask for no wait and prove nothing. `asked_to_wait`: for too long. `unconnected`: this machine
 * can open no connection. `unauthenticated`: the platform refuses its own new tokens, and there is no time for three.
 */
export type Delivery =
  | Answered
  | { readonly kind: 'split' }
  | (Claimed & { readonly kind: 'unrepeatable' })
  | { readonly kind: 'stopped' }
  | {
      readonly kind: 'gave_up';
      readonly reason: string;
      readonly afterMs: number;
      /** Account and lines of the batch. */
      readonly request: string;
      /** How many other requests ended well meanwhile. */
      readonly others: number;
      /** Held still, so that nothing begins before it is decided that the run goes on; left out when there is none. */
      readonly permit?: Permit;
      /** See `PlatformAnswer`. */
      readonly isInformational?: true;
    }
  | Readonly<{ kind: 'unproven'; reason: string; request: string; others: number; permit?: Permit }>
  | Readonly<{ kind: 'asked_to_wait'; reason: string; askedMs: number }>
  | Readonly<{ kind: 'unconnected'; reason: string }>
  | Readonly<{ kind: 'unauthenticated'; error: AppError }>;

/** How long a run tries to open a connection while this machine can open none, in milliseconds. Then a person has to help. */
const LONGEST_UNCONNECTED_MS = 10_000;

/** How often the same answer without a proof comes before the run ends, and how long the last attempt waits at least, in milliseconds. */
const MOST_UNPROVEN = 3;
const LAST_UNPROVEN_MS = 10_000;

/** Sends a claimed batch until an answer settles it. The only retry loop there is. */
export async function deliver(
  claimed: Claimed,
  policy: DeliveryPolicy,
  ports: DeliveryPorts,
): Promise<Delivery> {
  const { run, timing, emit, limiter, stopping } = ports;
  const startedMs = timing.monotonicMs();
  let { batch, permit } = claimed;
  const before = limiter.succeeded;
  let isMixUpReported = false;
  let unproven = { form: '', count: 0 };
  for (let attempts = 1; ; attempts++) {
    if (stopping.aborted) {
      // The run began to stop after the claim, and no byte of the batch has left.
      await run.fail(batch, { kind: 'not_applied', status: null, reason: 'not begun' });
      return { kind: 'stopped' };
    }
    if (batch.mayRepeat && policy.options.contract?.keepsSecond)
      return { kind: 'unrepeatable', batch, permit };
    const { answer, batch: sent, tookMs } = await send(batch, policy, ports);
    batch = sent;
    const result = classified(answer, batch, policy);
    if (!('reason' in result))
      return { kind: 'answered', batch, permit, result, status: answer.status!, tookMs };

    const { reason } = result;
    const failed = { status: answer.status ?? null, reason };
    if (result.kind === 'too_large') {
      await run.splitInHalves(batch, { kind: 'not_applied', ...failed });
      limiter.release(permit, { kind: 'succeeded', tookMs });
      return { kind: 'split' };
    }
    const isMixUp = result.kind === 'ambiguous' && result.isOfAnother === true;
    const mixUp = isMixUp && !isMixUpReported ? [mixUpOf(policy, batch, failed.status)] : [];
    isMixUpReported ||= isMixUp;
    if (result.kind === 'ambiguous') await run.fail(batch, { kind: 'ambiguous', ...failed, problems: mixUp });
    else await run.fail(batch, { kind: 'not_applied', ...failed });
    if (stopping.aborted) return { kind: 'stopped' };

    unproven = afterAnswer(unproven, answer, result);
    const failure = { answer, batch, reason, startedMs, attempts, before, unproven: unproven.count };
    const next = nextAttempt(failure, policy, ports);
    if ('kind' in next)
      return next.kind === 'gave_up' || next.kind === 'unproven' ? { ...next, permit } : next;
    // Released only now, when it is decided that the run goes on, because waiting requests may then begin.
    limiter.release(permit, permitUseOf(answer, result, tookMs));
    const account = batch.account.external_account_number;
    const waitMs = Math.max(next.waitMs, limiter.pauseMs());
    emit({ kind: 'retry', account, attempt: batch.attempt + 1, waitMs, reason });
    await timing.sleep(next.waitMs, stopping);
    const acquired = await limiter.acquire();
    if (!acquired || stopping.aborted) return { kind: 'stopped' };
    permit = acquired;
    const isInDoubt = result.kind === 'ambiguous';
    if (isInDoubt && DESCRIPTORS[policy.resource].lostAnswer.oneByOne && batch.records.length > 1) {
      // The next claim cuts the batch into single records.
      limiter.release(permit, { kind: 'unused' });
      return { kind: 'split' };
    }
    batch = await run.claimAgain(batch);
  }
}

function classified(answer: PlatformAnswer, batch: Batch, policy: DeliveryPolicy): BatchResult {
  const { options, accountNumberField, database, acceptsExisting } = policy;
  const addedByUs = mayBeAddedByUs(batch, policy);
  const mayMoveDates = options.forceAddToCurrentStatement;
  const trims = options.contract?.trims === true;
  const onlyAsks = options.askPlatform === true;
  const context = { addedByUs, mayMoveDates, trims, accountNumberField, database, acceptsExisting, onlyAsks };
  return classify(policy.resource, batch, answer, context);
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
  /** How many answers of the same form in a row proved nothing. */
  readonly unproven: number;
}

/** Counts answers of one form that ask for no wait and prove nothing, so that another attempt is likely to get the same. */
function afterAnswer(
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

/** How long the next attempt has to wait, in milliseconds, or how the delivery ends without one. */
function nextAttempt(
  failure: Failure,
  policy: DeliveryPolicy,
  { timing, limiter }: DeliveryPorts,
): Delivery | { waitMs: number } {
  const { answer, reason, startedMs, attempts, unproven } = failure;
  // Only one request at a time is sent in an outage, so a batch has no more time than the outage.
  const elapsedMs = timing.monotonicMs() - Math.min(startedMs, limiter.downFromMs());
  const askedMs = retryAfterMs(answer.headers);
  const { retryForMs } = policy;
  const retry = { attempts, elapsedMs, retryForMs, retryAfterMs: askedMs, random: timing.random() };
  const decision = decideRetry(retry);
  const isOver = decision.kind === 'give_up' || limiter.unconnectedMs() >= LONGEST_UNCONNECTED_MS;
  if (isLocal(answer) && isOver) return { kind: 'unconnected', reason };
  if (decision.kind === 'asked_too_long') return { kind: 'asked_to_wait', reason, askedMs };
  if (decision.kind === 'give_up' || unproven >= MOST_UNPROVEN) {
    const asks = askedMs > 0 ? `, which asks to wait ${Math.ceil(askedMs / 1000)} s` : '';
    const others = limiter.succeeded - failure.before;
    return givenUp({ ...failure, reason: reason + asks }, policy, { afterMs: elapsedMs, others });
  }
  const leastMs = unproven === MOST_UNPROVEN - 1 ? Math.min(LAST_UNPROVEN_MS, retryForMs - elapsedMs) : 0;
  return { waitMs: Math.max(decision.waitMs, leastMs) };
}

/** Whether this machine could open no connection. */
const isLocal = (answer: PlatformAnswer): boolean => answer.kind !== 'answer' && answer.isLocal === true;

/** How a batch ends that is not tried again. Three refused tokens end the run, if there is time for them (ports/platform.ts). */
function givenUp(
  { answer, batch, reason, unproven }: Failure,
  { retryForMs, sources }: DeliveryPolicy,
  figures: { readonly afterMs: number; readonly others: number },
): Delivery {
  const request = placeOf(batch, sources);
  if (answer.kind !== 'answer') {
    const { refusedTokens, isInformational } = answer;
    if (refusedTokens !== undefined && retryForMs < THREE_TOKENS_MS)
      return { kind: 'unauthenticated', error: new AppError('credentials_new_tokens_refused') };
    return { kind: 'gave_up', reason, request, ...figures, ...(isInformational && { isInformational }) };
  }
  if (unproven > 0) {
    const seen = seenAnswer(answer, (words) => hasNoValue(batch, words));
    return { kind: 'unproven', reason: `${reason}; it got ${seen}`, request, others: figures.others };
  }
  const words = reasonIn(answer);
  const said = words !== '' && hasNoValue(batch, words) ? `${reason}: ${words}` : reason;
  return { kind: 'gave_up', reason: said, request, ...figures };
}

/** The account of a batch and its lines. */
function placeOf({ account, records }: Batch, sources: DeliveryPolicy['sources']): string {
  const places = [...Map.groupBy(records, ({ source }) => source)].map(([source, ofSource]) => {
    const [first, last] = [ofSource[0]!.line, ofSource.at(-1)!.line];
    const lines = first === last ? `line ${first}` : `lines ${first} to ${last}`;
    return `${sources[source - 1]!.name} ${lines}`;
  });
  return `account ${account.external_account_number}, ${places.join(', ')}`;
}

/** The warning about an answer that belongs to another request. Another attempt usually settles the batch. */
function mixUpOf(policy: DeliveryPolicy, batch: Batch, status: number | null): AnsweredProblem {
  const error = platformError('answer_of_another_request', { seq: null, status });
  return locatePlatformError(policy, batch, { ...error, severity: 'warning' });
}

/** Null when no whole answer came. */
function sealOfAnswer(answer: PlatformAnswer): string | null {
  return answer.kind === 'answer' ? hash('sha256', `${answer.status}\n${answer.body}`) : null;
}

async function send(
  claimed: Batch,
  { resource, options }: DeliveryPolicy,
  { run, platform, timing, abort }: DeliveryPorts,
): Promise<Readonly<{ answer: PlatformAnswer; batch: Batch; tookMs: number }>> {
  const request = requestOf(resource, claimed, options);
  const sealed = hash('sha256', `${request.method} ${request.path}\n${request.body}`);
  let batch: Batch = { ...claimed, exchange: { request: sealed, answer: null } };
  const startedMs = timing.monotonicMs();
  const onResend = async (): Promise<void> =>
    void (batch = { ...(await run.renewToken(batch)), exchange: batch.exchange });
  try {
    const answer = await platform.send(request, abort, onResend);
    const tookMs = timing.monotonicMs() - startedMs;
    const exchange = { request: sealed, answer: sealOfAnswer(answer) };
    return { answer, batch: { ...batch, exchange }, tookMs };
  } catch (error) {
    // After any other error the batch stays sent, and the next process treats it as one that may have been applied.
    if (error instanceof NotSentError) {
      const { status } = error.facts;
      const answered = typeof status === 'number' ? status : null;
      await run.fail(batch, { kind: 'not_applied', status: answered, reason: error.code });
    }
    throw error;
  }
}

/** A check that is off is on again once the batch is in doubt (request.ts). */
function mayBeAddedByUs({ inDoubt }: Batch, { resource, options }: DeliveryPolicy): boolean {
  const { query } = DESCRIPTORS[resource].endpoint;
  return inDoubt && !options.checkPreviouslyAdded && query?.check_previously_added !== undefined;
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
