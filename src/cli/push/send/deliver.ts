import { hash } from 'node:crypto';
import { NotSentError } from '../../../core/app-error.ts';
import { DESCRIPTORS } from '../../../core/contract/resources.ts';
import type { AccountQueue } from './account-queue.ts';
import { classify, type AnswerPolicy, type BatchResult } from '../answer/classify.ts';
import type { EarlyEndKind, EventSink } from '../events.ts';
import type { Limiter, Permit, PermitUse } from './limiter.ts';
import type { SettlingResult } from '../answer/settlement.ts';
import { locatePlatformError, platformError, type ErrorContext } from '../answer/platform-errors.ts';
import { NEW_TOKENS_REFUSED, type Platform, type PlatformAnswer } from '../ports/platform.ts';
import type { AnsweredProblem, EndReason } from '../ports/report.ts';
import type { Batch, DrainRun, RecordResult, RequestOptions } from '../ports/run.ts';
import type { Timing } from '../ports/timing.ts';
import { requestOf } from '../request.ts';
import { retryOfStatus } from '../../../core/contract/retry.ts';
import type { ErrorCode } from '../../../core/error-codes/table.ts';
import type { Facts } from '../../../core/problem.ts';
import { durationText } from '../../../core/values/duration-text.ts';
import { hasNoValue } from '../answer/platform-words.ts';
import { reasonIn, seenAnswer } from '../ports/seen-answer.ts';
import { nextWaitMs, retryAfterMs, TOKEN_MS, UNPROVEN } from '../waits.ts';

export interface DeliveryPolicy extends ErrorContext, AnswerPolicy {
  readonly options: RequestOptions;
  /** How long a batch may keep failing, in milliseconds (`--retry-for`). */
  readonly retryForMs: number;
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
 * would keep its records twice. `stopped`: no further attempt was allowed.
 */
export type Delivery =
  | Answered
  | { readonly kind: 'split' | 'stopped' }
  | (Claimed & { readonly kind: 'unrepeatable' })
  | GivenUp;

/** Sends a claimed batch until an answer settles it. The only retry loop there is. */
export async function deliver(
  claimed: Claimed,
  policy: DeliveryPolicy,
  ports: DeliveryPorts,
): Promise<Delivery> {
  const { run, timing, emit, limiter, stopping } = ports;
  const { resource, options } = policy;
  const startedMs = timing.monotonicMs();
  let { batch, permit } = claimed;
  const before = limiter.succeeded;
  let isMixUpReported = false;
  let unproven = 0;
  for (let attempts = 1; ; attempts++) {
    if (stopping.aborted) {
      // The run began to stop after the claim, and no byte of the batch has left.
      await run.fail(batch, { kind: 'not_applied', status: null, reason: 'not begun' });
      return { kind: 'stopped' };
    }
    // After a 500 the interface says to send the same again.
    if (batch.mayRepeat === 'unanswered' && options.contract?.keepsSecond)
      return { kind: 'unrepeatable', batch, permit };
    const { answer, batch: sent, tookMs } = await send(batch, policy, ports);
    batch = sent;
    const result = await ofOneAccount(classify(resource, batch, answer, policy), batch, policy, run);
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

    unproven = isUnproven(answer, result.kind) ? unproven + 1 : 0;
    const failure = { answer, batch, reason, startedMs, attempts, before, unproven };
    const next = nextAttempt(failure, policy, ports);
    if ('end' in next) return { kind: 'ended', ...next, permit };
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
    if (isInDoubt && DESCRIPTORS[resource].lostAnswer.oneByOne && batch.records.length > 1) {
      // The next claim cuts the batch into single records.
      limiter.release(permit, { kind: 'unused' });
      return { kind: 'split' };
    }
    batch = await run.claimAgain(batch);
  }
}

/** A result whose records are proven to be on their own account: a platform that keeps an id once for all accounts says that it has a record of another one. */
async function ofOneAccount(
  result: BatchResult,
  batch: Batch,
  { resource }: DeliveryPolicy,
  run: DrainRun,
): Promise<BatchResult> {
  const { idField, repetition } = DESCRIPTORS[resource];
  if (!('records' in result) || !repetition.isKeyedById) return result;
  const there = result.records.filter(({ outcome }) => outcome === 'existing' || outcome === 'uncompared');
  if (there.length === 0) return result;
  const others = await run.sameIdElsewhere(
    batch,
    there.map(({ seq }) => seq),
  );
  const records = result.records.map((record): RecordResult => {
    const other = others.get(record.seq);
    if (!other) return record;
    const why = `the platform has this id, and this client ${other.isCreated ? 'created' : 'sent'} it on another account (${other.file}:${other.line})`;
    const facts = {
      why,
      unless:
        '. If it lacks the record, the platform keeps an id once for all accounts: give the row an id of its own',
    };
    return {
      seq: record.seq,
      outcome: 'verify',
      found: [{ code: 'outcome_unproven', field: idField, facts }],
    };
  });
  return { ...result, records };
}

/** The warning about an answer that belongs to another request. Another attempt usually settles the batch. */
function mixUpOf(policy: DeliveryPolicy, batch: Batch, status: number | null): AnsweredProblem {
  const error = platformError('answer_of_another_request', { seq: null, status });
  return locatePlatformError(policy, batch, { ...error, severity: 'warning' });
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
  const onResend = async (): Promise<void> => {
    await run.fail(batch, { kind: 'not_applied', status: 401, reason: 'the token was refused' });
    batch = { ...(await run.claimAgain(batch)), exchange: batch.exchange };
  };
  try {
    const answer = await platform.send(request, abort, onResend);
    const tookMs = timing.monotonicMs() - startedMs;
    const answered = answer.kind === 'answer' ? hash('sha256', `${answer.status}\n${answer.body}`) : null;
    const exchange = { request: sealed, answer: answered };
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

/** An early end of a run. `reason`: its cause, when the problems of the rows do not say it. */
export interface EarlyEnd {
  readonly kind: EarlyEndKind;
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
const isUnproven = (answer: PlatformAnswer, kind: BatchResult['kind']): boolean =>
  answer.kind === 'answer' && kind === 'ambiguous' && retryOfStatus(answer.status) === 'never';

const SHOW_ROWS =
  'Show the operator these rows, because the platform is well and fails at them. Record what they find with `dataimport runs confirm`, or type the same command again.';

/** How long the next attempt has to wait, in milliseconds, or the end of a batch that is not tried again. */
function nextAttempt(
  { answer, batch, reason, startedMs, attempts, before, unproven }: Failure,
  { retryForMs, sources }: DeliveryPolicy,
  { timing, limiter }: DeliveryPorts,
): { readonly waitMs: number } | Pick<GivenUp, 'end' | 'others'> {
  // Only one request at a time is sent in an outage, so a batch has no more time than the outage.
  const elapsedMs = timing.monotonicMs() - Math.min(startedMs, limiter.downFromMs());
  const askedMs = retryAfterMs(answer.headers);
  const leftMs = retryForMs - elapsedMs;
  const waitMs = nextWaitMs(attempts, timing.random(), { leftMs, askedMs });
  if (waitMs !== undefined && unproven < UNPROVEN.most) {
    const leastMs = unproven === UNPROVEN.most - 1 ? Math.min(UNPROVEN.lastMs, leftMs) : 0;
    return { waitMs: Math.max(waitMs, leastMs) };
  }
  // A platform that asks to wait asks it of every request.
  const others = askedMs > 0 ? 0 : limiter.succeeded - before;
  const end = (code: ErrorCode, facts: Facts, kind: EarlyEndKind = 'unfinished') => ({
    end: { kind, reason: { code, facts } },
    others,
  });
  if (answer.kind !== 'answer' && answer.refusedTokens !== undefined)
    return end('credentials_refused', { reason: NEW_TOKENS_REFUSED }, 'unauthenticated');
  const request = placeOf(batch, sources);
  const isFree = (words: string): boolean => hasNoValue(batch, words);
  if (answer.kind === 'answer' && unproven > 0) {
    const what = `the platform, or something before it, answers in a way that proves nothing (${request}): ${reason}; it got ${seenAnswer(answer, isFree)}`;
    return end('answer_unproven', { what }, 'refused');
  }
  const words = answer.kind === 'answer' ? reasonIn(answer) : '';
  const asks = askedMs > 0 ? `, which asks to wait ${durationText(askedMs)}` : '';
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
function permitUseOf(answer: PlatformAnswer, result: BatchResult, tookMs: number): PermitUse {
  if (result.kind !== 'ambiguous' && result.kind !== 'not_applied') return { kind: 'succeeded', tookMs };
  const isAnswer = answer.kind === 'answer';
  const overloaded = isAnswer ? OVERLOADED.has(answer.status) : answer.timedOut === true;
  const failed = isUnproven(answer, result.kind) ? 'unproven' : overloaded ? 'overload' : 'failure';
  return {
    kind: 'failed',
    cause: failed,
    askedMs: retryAfterMs(answer.headers),
    probeInMs: isAnswer ? undefined : TOKEN_MS[(answer.refusedTokens ?? 0) - 1],
    reason: result.reason,
  };
}
