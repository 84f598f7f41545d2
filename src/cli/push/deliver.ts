import { AppError } from '../../core/app-error.ts';
import { DESCRIPTORS } from '../../core/contract/resources.ts';
import type { AccountQueue } from './account-queue.ts';
import { classify, permitUseOf, type BatchResult } from './classify.ts';
import type { EventSink } from './events.ts';
import type { Limiter, Permit } from './limiter.ts';
import { locatePlatformError, platformError, type ErrorContext } from './platform-errors.ts';
import type { Platform, PlatformAnswer } from './ports/platform.ts';
import type { AnsweredProblem } from './ports/report.ts';
import type { Batch, DrainRun, OnAmbiguous, RequestOptions } from './ports/run.ts';
import type { Timing } from './ports/timing.ts';
import { requestOf } from './request.ts';
import { decideRetry, retryAfterMs } from './retry.ts';

/** How a batch is delivered. */
export interface DeliveryPolicy extends ErrorContext {
  readonly options: RequestOptions;
  /** Whether a batch that may have been applied is sent again. */
  readonly onAmbiguous: OnAmbiguous;
  /** How long a batch may keep failing, in milliseconds (`--retry-for`). */
  readonly retryForMs: number;
  /** Name of the platform's account number in answers. */
  readonly accountNumberField: string;
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

/** A claimed batch and the permit to send it. */
export interface Claimed {
  readonly batch: Batch;
  readonly permit: Permit;
}

/** A batch with an answer that settles it. Its permit is not released yet. */
export interface Answered extends Claimed {
  readonly kind: 'answered';
  readonly result: SettlingResult;
  readonly status: number;
}

/** Results that end a delivery. */
type SettlingResult = Exclude<BatchResult, { reason: string }>;

/**
 * How a delivery ended. `split`: the batch was cut into smaller ones. `stopped`: no further attempt was allowed. The other
 * ends stop the run. `gave_up`: the batch kept failing until its time was over. `asked_to_wait`: for too long. `unresolved`:
 * the batch may have been applied and is not to be sent again. `unconnected`: this machine can open no connection.
 */
export type Delivery =
  | Answered
  | { readonly kind: 'split' }
  | { readonly kind: 'stopped' }
  | {
      readonly kind: 'gave_up';
      readonly reason: string;
      readonly afterMs: number;
      /** See `PlatformAnswer`. */
      readonly isInformational?: true;
    }
  | { readonly kind: 'asked_to_wait'; readonly reason: string; readonly askedMs: number }
  | { readonly kind: 'unresolved' | 'unconnected'; readonly reason: string };

/** How long a run tries to open a connection while this machine can open none, in milliseconds. Then a person has to help. */
const LONGEST_UNCONNECTED_MS = 10_000;

/** Sends a claimed batch until an answer settles it. The only retry loop there is. */
export async function deliver(
  claimed: Claimed,
  policy: DeliveryPolicy,
  ports: DrainPorts & { readonly limiter: Limiter },
): Promise<Delivery> {
  const { run, timing, emit, limiter, stopping } = ports;
  const startedMs = timing.monotonicMs();
  let { batch, permit } = claimed;
  let isMixUpReported = false;
  for (let attempts = 1; ; attempts++) {
    if (stopping.aborted) {
      // The run began to stop after the claim, and no byte of the batch has left.
      run.fail(batch, { kind: 'not_applied', status: null, reason: 'not begun' });
      return { kind: 'stopped' };
    }
    if (DESCRIPTORS[policy.resource].lostAnswer.oneByOne && batch.inDoubt && batch.records.length > 1) {
      run.splitIntoSingles(batch);
      limiter.release(permit, { kind: 'unused' });
      return { kind: 'split' };
    }
    const { answer, batch: sent } = await send(batch, policy, ports);
    batch = sent;
    const result = classify(policy.resource, batch, answer, {
      addedByUs: mayBeAddedByUs(batch, policy),
      mayMoveDates: policy.options.forceAddToCurrentStatement,
      accountNumberField: policy.accountNumberField,
    });
    if (!('reason' in result)) return { kind: 'answered', batch, permit, result, status: answer.status! };

    const { reason } = result;
    const failed = { status: answer.status ?? null, reason };
    if (result.kind === 'too_large') {
      run.splitInHalves(batch, { kind: 'not_applied', ...failed });
      limiter.release(permit, { kind: 'succeeded' });
      return { kind: 'split' };
    }
    const isMixUp = result.kind === 'ambiguous' && result.isOfAnother === true;
    const mixUp = isMixUp && !isMixUpReported ? [mixUpOf(policy, batch, failed.status)] : [];
    isMixUpReported ||= isMixUp;
    if (result.kind === 'ambiguous' && policy.onAmbiguous === 'stop') {
      // The permit is not released, so that no other request begins before the run stops.
      const error = platformError('outcome_left_open', { seq: null, status: failed.status });
      const problems = [...mixUp, locatePlatformError(policy, batch, error)];
      run.fail(batch, { kind: 'ambiguous', ...failed, problems });
      return { kind: 'unresolved', reason };
    }
    if (result.kind === 'ambiguous') run.fail(batch, { kind: 'ambiguous', ...failed, problems: mixUp });
    else run.fail(batch, { kind: 'not_applied', ...failed });
    if (stopping.aborted) return { kind: 'stopped' };

    const elapsedMs = timing.monotonicMs() - startedMs;
    // A wait that the platform asked of one request applies to all.
    const askedMs = Math.max(retryAfterMs(answer.headers), limiter.pauseMs());
    const decision = decideRetry({
      attempts,
      elapsedMs,
      retryForMs: policy.retryForMs,
      retryAfterMs: askedMs,
      random: timing.random(),
    });
    const isLocal = answer.kind !== 'answer' && answer.isLocal === true;
    const cause =
      answer.kind !== 'answer' && answer.isInformational ? ({ isInformational: true } as const) : {};
    if (isLocal && (decision.kind === 'give_up' || limiter.unconnectedMs() >= LONGEST_UNCONNECTED_MS))
      return { kind: 'unconnected', reason };
    if (decision.kind === 'asked_too_long') return { kind: 'asked_to_wait', reason, askedMs };
    if (decision.kind === 'give_up') {
      const asks = askedMs > 0 ? `, which asks to wait ${Math.ceil(askedMs / 1000)} s` : '';
      return { kind: 'gave_up', reason: reason + asks, afterMs: elapsedMs, ...cause };
    }
    // Released only now, when it is decided that the run goes on, because waiting requests may then begin.
    limiter.release(permit, permitUseOf(answer, result));
    const account = batch.account.external_account_number;
    const waitMs = Math.max(decision.waitMs, limiter.blockedMs());
    emit({ kind: 'retry', account, attempt: batch.attempt + 1, waitMs, reason });
    await timing.sleep(decision.waitMs, stopping);
    const acquired = await limiter.acquire(startedMs + policy.retryForMs);
    if (acquired === 'closed' || stopping.aborted) return { kind: 'stopped' };
    if (acquired === 'expired' && isLocal) return { kind: 'unconnected', reason };
    if (acquired === 'expired')
      return { kind: 'gave_up', reason, afterMs: timing.monotonicMs() - startedMs, ...cause };
    permit = acquired;
    batch = run.claimAgain(batch);
  }
}

/** The warning about an answer that belongs to another request. Another attempt usually settles the batch. */
function mixUpOf(policy: DeliveryPolicy, batch: Batch, status: number | null): AnsweredProblem {
  const error = platformError('answer_of_another_request', { seq: null, status });
  return locatePlatformError(policy, batch, { ...error, severity: 'warning' });
}

async function send(
  claimed: Batch,
  { resource, options }: DeliveryPolicy,
  { run, platform, abort }: DrainPorts,
): Promise<{ readonly answer: PlatformAnswer; readonly batch: Batch }> {
  let batch = claimed;
  const onResend = (): void => void (batch = run.renewToken(batch));
  try {
    const answer = await platform.send(requestOf(resource, batch, options), abort, onResend);
    return { answer, batch };
  } catch (error) {
    // An AppError proves that the batch was not applied. After any other error the batch stays sent, and the next process
    // treats it as one that may have been applied.
    if (error instanceof AppError) {
      const { status } = error.facts;
      const answered = typeof status === 'number' ? status : null;
      run.fail(batch, { kind: 'not_applied', status: answered, reason: error.code });
    }
    throw error;
  }
}

/** A check that is off is on again once the batch is in doubt (request.ts). */
function mayBeAddedByUs({ inDoubt }: Batch, { resource, options }: DeliveryPolicy): boolean {
  const { query } = DESCRIPTORS[resource].endpoint;
  return inDoubt && !options.checkPreviouslyAdded && query?.check_previously_added !== undefined;
}
