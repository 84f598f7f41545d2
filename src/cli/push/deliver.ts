import { AppError } from '../../core/app-error.ts';
import type { Resource } from '../../core/contract/resources.ts';
import { decideRetry } from './backoff.ts';
import type { EventSink } from './events.ts';
import type { Gate, Pass } from './gate.ts';
import { interpret } from './interpret.ts';
import type { Batch } from './ports/batch.ts';
import type { LocatedProblem } from './ports/located-problem.ts';
import type { Platform, PlatformAnswer } from './ports/platform.ts';
import type { DrainRun, OnAmbiguous, RequestOptions } from './ports/run.ts';
import type { Timing } from './ports/timing.ts';
import type { PlatformComplaint, Reading } from './reading.ts';
import { requestOf } from './request.ts';
import { retryAfterMs } from './retry-after.ts';
import { verdictOf } from './verdict.ts';

/** How a batch is to be delivered. */
export interface DeliveryPolicy {
  readonly resource: Resource;
  readonly options: RequestOptions;
  /** What becomes of a batch that may have been applied. */
  readonly onAmbiguous: OnAmbiguous;
  /** How long a batch may keep failing, in milliseconds (`--retry-for`). */
  readonly retryForMs: number;
  /** Places what the platform names at its cell. */
  readonly placeComplaint: (batch: Batch, complaint: PlatformComplaint) => LocatedProblem;
}

/** What delivery is handed. `winding` aborts when no new request may start, `cut` when even those in flight must end. */
export interface DeliveryPorts {
  readonly run: DrainRun;
  readonly platform: Platform;
  readonly timing: Timing;
  readonly emit: EventSink;
  readonly gate: Gate;
  readonly winding: AbortSignal;
  readonly cut: AbortSignal;
}

/** A batch that is claimed, and the leave to send it. */
export interface Claimed {
  readonly batch: Batch;
  readonly pass: Pass;
}

/**
 * How a delivery ended. `answered`: with an answer that settles; its pass is still held. `split`: the batch was cut into
 * smaller ones. `stopped`: no further attempt was allowed. The others end the run: `gave_up`: it kept failing until the
 * time was over. `asked_to_wait`: too long. `unresolved`: it may have been applied, and is not to be sent again.
 */
export type Delivery =
  | (Claimed & { readonly kind: 'answered'; readonly reading: Settling; readonly status: number })
  | { readonly kind: 'split' }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'gave_up'; readonly reason: string; readonly afterMs: number }
  | { readonly kind: 'asked_to_wait'; readonly reason: string; readonly askedMs: number }
  | { readonly kind: 'unresolved'; readonly reason: string };

/** Readings that end a delivery. */
export type Settling = Extract<Reading, { kind: 'ok' | 'rejected' | 'unauthenticated' | 'foreign' }>;

/** Sends a claimed batch until an answer settles it. The only retry loop there is. */
export async function deliver(
  claimed: Claimed,
  policy: DeliveryPolicy,
  ports: DeliveryPorts,
): Promise<Delivery> {
  const { run, timing, emit, gate, winding } = ports;
  const startedMs = timing.monotonicMs();
  let { batch, pass } = claimed;
  for (let attempts = 1; ; attempts++) {
    if (winding.aborted) {
      // The run began to end after this was claimed: no byte of it has left.
      run.fail(batch, { kind: 'not_applied', status: null, reason: 'not begun' });
      return { kind: 'stopped' };
    }
    if (isOneByOne(policy.resource) && batch.unsure && batch.records.length > 1) {
      run.splitIntoSingles(batch);
      gate.leave(pass, { kind: 'unused' });
      return { kind: 'split' };
    }
    const { answer, batch: sent } = await send(batch, policy, ports);
    batch = sent;
    const reading = interpret(policy.resource, batch, answer, checkedByUs(batch, policy));
    if (settles(reading)) return { kind: 'answered', batch, pass, reading, status: statusOf(answer)! };

    const { reason } = reading;
    const failed = { status: statusOf(answer), reason };
    if (reading.kind === 'too_large') {
      run.splitInHalves(batch, { kind: 'not_applied', ...failed });
      gate.leave(pass, { kind: 'well' });
      return { kind: 'split' };
    }
    if (reading.kind === 'ambiguous' && policy.onAmbiguous === 'stop') {
      // The pass is kept: nobody else may begin before the run winds down.
      run.fail(batch, { kind: 'ambiguous', ...failed, problems: [leftOpen(batch, policy, failed.status)] });
      return { kind: 'unresolved', reason };
    }
    run.fail(batch, { kind: reading.kind, ...failed });
    if (winding.aborted) return { kind: 'stopped' };
    const elapsedMs = timing.monotonicMs() - startedMs;
    const askedMs = Math.max(
      retryAfterMs(answer.headers ?? {}),
      // What another request was asked to wait is asked of all.
      gate.pauseMs(),
    );
    const decision = decideRetry({
      attempts,
      elapsedMs,
      retryForMs: policy.retryForMs,
      retryAfterMs: askedMs,
      random: timing.random(),
    });
    if (decision.kind === 'asked_too_long') return { kind: 'asked_to_wait', reason, askedMs };
    if (decision.kind === 'give_up') {
      const asks = askedMs > 0 ? `, which asks to wait ${Math.ceil(askedMs / 1000)} s` : '';
      return { kind: 'gave_up', reason: reason + asks, afterMs: elapsedMs };
    }
    // Not before it is decided that the run goes on: whoever waits may begin now.
    gate.leave(pass, verdictOf(answer, reading));
    const account = batch.account.external_account_number;
    const waitMs = Math.max(decision.waitMs, gate.closedMs());
    emit({ kind: 'retry', account, attempt: batch.attempt + 1, waitMs, reason });
    await timing.sleep(decision.waitMs, winding);
    const entry = await gate.enter(startedMs + policy.retryForMs);
    if (entry === 'closed' || winding.aborted) return { kind: 'stopped' };
    if (entry === 'late') return { kind: 'gave_up', reason, afterMs: timing.monotonicMs() - startedMs };
    pass = entry;
    batch = run.claimAgain(batch);
  }
}

async function send(
  claimed: Batch,
  { resource, options }: DeliveryPolicy,
  { run, platform, cut }: DeliveryPorts,
): Promise<{ readonly answer: PlatformAnswer; readonly batch: Batch }> {
  let batch = claimed;
  const again = (): void => void (batch = run.renewToken(batch));
  try {
    const answer = await platform.send(requestOf(resource, batch, options), cut, again);
    return { answer, batch };
  } catch (error) {
    // There was no way to the platform, or to a token that it takes, so the batch was not applied. Of any other error that
    // cannot be said: then the batch stays sent, and the next process takes it for one that may have been applied.
    if (error instanceof AppError) {
      const { status } = error.facts;
      const answered = typeof status === 'number' ? status : null;
      run.fail(batch, { kind: 'not_applied', status: answered, reason: error.code });
    }
    throw error;
  }
}

/** Only transactions have a check that can be off. */
function checkedByUs({ unsure }: Batch, { resource, options }: DeliveryPolicy): boolean {
  return resource === 'transactions' && unsure && !options.checkPreviouslyAdded;
}

/**
 * After a lost answer these are asked for one by one: the platform refuses a whole request for one record that is
 * present, so only a request of one record tells which (reliability.md, "After an ambiguous answer").
 */
function isOneByOne(resource: Resource): boolean {
  return resource === 'statements';
}

/** Tells a person where to look, at the first record of the batch. */
function leftOpen(batch: Batch, policy: DeliveryPolicy, status: number | null): LocatedProblem {
  const problem = { code: 'outcome_left_open', path: [], detail: '' };
  return policy.placeComplaint(batch, { seq: null, attr: null, problem, status });
}

function settles(reading: Reading): reading is Settling {
  return reading.kind !== 'ambiguous' && reading.kind !== 'not_applied' && reading.kind !== 'too_large';
}

function statusOf(answer: PlatformAnswer): number | null {
  return answer.status ?? null;
}
