import { AppError } from '../../core/app-error.ts';
import type { Resource } from '../../core/contract/resources.ts';
import { decideRetry } from './backoff.ts';
import type { Batch } from './ports/batch.ts';
import type { EventSink } from './events.ts';
import { interpret } from './interpret.ts';
import type { Platform, PlatformAnswer } from './ports/platform.ts';
import type { Timing } from './ports/timing.ts';
import type { Reading } from './reading.ts';
import { requestOf } from './request.ts';
import { type RequestOptions } from './ports/run.ts';
import { retryAfterMs } from './retry-after.ts';
import type { DrainRun } from './ports/run.ts';

/** How a batch is to be delivered. */
export interface DeliveryPolicy {
  readonly resource: Resource;
  readonly options: RequestOptions;
  /** How long a batch may keep failing, in milliseconds (`--retry-for`). */
  readonly retryForMs: number;
}

/** What delivery is handed. `winding` aborts when no new request may start, `cut` when even those in flight must end. */
export interface DeliveryPorts {
  readonly run: DrainRun;
  readonly platform: Platform;
  readonly timing: Timing;
  readonly emit: EventSink;
  readonly winding: AbortSignal;
  readonly cut: AbortSignal;
}

/**
 * How a delivery ended. `answered`: with an answer that settles. `split`: the batch was cut into smaller ones.
 * `gave_up`: it kept failing until the time was over. `stopped`: no further attempt was allowed.
 */
export type Delivery =
  | { readonly kind: 'answered'; readonly batch: Batch; readonly reading: Settling; readonly status: number }
  | { readonly kind: 'split' }
  | { readonly kind: 'gave_up'; readonly reason: string; readonly afterMs: number }
  | { readonly kind: 'stopped' };

/** Readings that end a delivery. */
export type Settling = Extract<Reading, { kind: 'ok' | 'rejected' | 'unauthenticated' | 'foreign' }>;

/** Sends a claimed batch until an answer settles it. The only retry loop there is. */
export async function deliver(
  claimed: Batch,
  policy: DeliveryPolicy,
  ports: DeliveryPorts,
): Promise<Delivery> {
  const { run, platform, timing, emit, winding, cut } = ports;
  const startedMs = timing.nowMs();
  let batch = claimed;
  for (let attempts = 1; ; attempts++) {
    if (isOneByOne(policy.resource) && batch.unsure && batch.records.length > 1) {
      run.splitIntoSingles(batch);
      return { kind: 'split' };
    }
    const answer = await platform
      .send(requestOf(policy.resource, batch, policy.options), cut)
      .catch((error) => {
        // There was no way to a token that is taken, so the batch was not applied. Of any other error that cannot be said: then the
        // batch stays sent, and the next process takes it for one that may have been applied.
        if (error instanceof AppError) {
          const { status } = error.facts;
          const answered = typeof status === 'number' ? status : null;
          run.fail(batch, { kind: 'not_applied', status: answered, reason: 'no credentials' });
        }
        throw error;
      });
    // Only transactions have a check that can be off.
    const checkedByUs =
      policy.resource === 'transactions' && batch.unsure && !policy.options.checkPreviouslyAdded;
    const reading = interpret(policy.resource, batch, answer, checkedByUs);
    if (settles(reading)) return { kind: 'answered', batch, reading, status: statusOf(answer)! };

    if (reading.kind === 'too_large') {
      run.splitInHalves(batch, { kind: 'not_applied', status: statusOf(answer), reason: reading.reason });
      return { kind: 'split' };
    }
    run.fail(batch, { kind: reading.kind, status: statusOf(answer), reason: reading.reason });
    if (winding.aborted) return { kind: 'stopped' };
    const elapsedMs = timing.nowMs() - startedMs;
    const askedMs = answer.kind === 'answer' ? retryAfterMs(answer.headers) : 0;
    const decision = decideRetry({
      attempts,
      elapsedMs,
      retryForMs: policy.retryForMs,
      retryAfterMs: askedMs,
      random: timing.random(),
    });
    if (decision.kind === 'give_up') {
      const asks = askedMs > 0 ? `, which asks to wait ${Math.ceil(askedMs / 1000)} s` : '';
      return { kind: 'gave_up', reason: reading.reason + asks, afterMs: elapsedMs };
    }
    const account = batch.account.external_account_number;
    emit({
      kind: 'retry',
      account,
      attempt: batch.attempt + 1,
      waitMs: decision.waitMs,
      reason: reading.reason,
    });
    await timing.sleep(decision.waitMs, winding);
    // Read again: the signal may have been given while this waited.
    if (ports.winding.aborted) return { kind: 'stopped' };
    batch = run.claimAgain(batch);
  }
}

/**
 * After a lost answer these are asked for one by one: the platform refuses a whole request for one record that is
 * present, so only a request of one record tells which (reliability.md, "After an ambiguous answer").
 */
function isOneByOne(resource: Resource): boolean {
  return resource === 'statements';
}

function settles(reading: Reading): reading is Settling {
  return reading.kind !== 'ambiguous' && reading.kind !== 'not_applied' && reading.kind !== 'too_large';
}

function statusOf(answer: PlatformAnswer): number | null {
  return answer.kind === 'answer' ? answer.status : null;
}
