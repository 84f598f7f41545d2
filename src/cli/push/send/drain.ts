import { AppError } from '../../../core/app-error.ts';
import { durationText } from '../../../core/values/duration-text.ts';
import { everyAccount, type AccountQueue } from './account-queue.ts';
import {
  deliver,
  type Answered,
  type Claimed,
  type DeliveryPolicy,
  type DeliveryPorts,
  type DrainPorts,
  type EarlyEnd,
  type GivenUp,
} from './deliver.ts';
import { Limiter, type LimiterLimits } from './limiter.ts';
import type { Batch, Settlement } from '../ports/run.ts';
import { awake } from '../ports/timing.ts';
import {
  consequenceOf,
  outcomeCounts,
  settlementOfUnsent,
  type RefusalPolicy,
} from '../answer/settlement.ts';

export interface DrainPolicy extends RefusalPolicy, LimiterLimits {
  /** How a batch is delivered. The batches of a cohort belong to several runs. */
  readonly delivery: (batch: Batch) => DeliveryPolicy;
  /** Rows that are invalid or rejected already, and how many there may be; `Infinity` for any number (`--max-errors`). */
  readonly errors: Readonly<{ soFar: number; limit: number }>;
  /** How long the whole command may take, and how much of that is left, in milliseconds (`--max-duration`). */
  readonly maxDuration?: Readonly<{ wholeMs: number; leftMs: number }> | undefined;
}

/** Accounts that are left at most, because each of them may have taken as long as a request is retried. */
const MOST_LEFT = 100;

/** Refusals without a reason that may come one after the other while refused records are set aside. A gateway that refuses these refuses all. */
const FOREIGN_IN_A_ROW = 3;

/** How draining ended; `finished` when no batch is open. */
export type DrainEnd = EarlyEnd | { readonly kind: 'finished'; readonly reason?: undefined };

/**
 * Sends every open batch: one request in flight per account, accounts in parallel, never past a batch that is open. The
 * first refusal (unless refused records are set aside) and the first batch that runs out of time stop the run: requests in
 * flight end and are recorded, and no new request begins.
 */
export async function drain(policy: DrainPolicy, ports: DrainPorts): Promise<DrainEnd> {
  const draining = new Draining(policy, ports);
  const clock = draining.stopAfterMaxDuration();
  const workers = await Promise.allSettled(Array.from({ length: policy.concurrency }, () => draining.work()));
  clock.abort();
  // An error may end the run only now, when nothing is in flight any more.
  const failed = workers.find((worker) => worker.status === 'rejected');
  if (failed) throw failed.reason;
  // The last answers may have come after the time, as when the process was stopped meanwhile.
  const isDone = draining.isOnlyTimeOver && ports.run.nextAccount(-1) === undefined;
  const ended: DrainEnd = isDone ? { kind: 'finished' } : draining.end;
  return ended.kind === 'finished' ? (draining.left ?? ended) : ended;
}

/** The state that the workers of one drain share. */
class Draining {
  end: DrainEnd = { kind: 'finished' };
  /** Whether nothing but the time has stopped the run. A refusal may have come after it. */
  isOnlyTimeOver = false;
  /** How the first request ended that was left while the others went on. */
  left: EarlyEnd | undefined;
  private leftAccounts = 0;
  private foreignInARow = 0;
  private errors: number;
  private readonly stopping = new AbortController();
  private readonly policy: DrainPolicy;
  private readonly accounts: AccountQueue;
  private readonly ports: DeliveryPorts;

  constructor(policy: DrainPolicy, ports: DrainPorts) {
    this.policy = policy;
    this.accounts = ports.accounts ?? everyAccount(ports.run);
    this.errors = policy.errors.soFar;
    const { emit } = ports;
    // A wait that the platform asks for, and the time of a batch that keeps failing, need a process that runs.
    const timing = awake(ports.timing);
    const stopping = this.stopping.signal;
    this.ports = { ...ports, timing, limiter: new Limiter(policy, { timing, emit, stopping }), stopping };
    const interrupted = (): void => this.stop({ kind: 'interrupted' });
    if (ports.stopping.aborted) interrupted();
    else ports.stopping.addEventListener('abort', interrupted, { once: true });
    this.stopAtTooManyErrors();
  }

  /** Stops the run once its time is over. Returns what stops the clock. */
  stopAfterMaxDuration(): AbortController {
    const off = new AbortController();
    const { maxDuration } = this.policy;
    if (maxDuration === undefined) return off;
    const { wholeMs, leftMs } = maxDuration;
    const facts = { time: durationText(wholeMs) };
    const over = (): void => this.stop({ kind: 'time_over', reason: { code: 'max_duration_over', facts } });
    if (leftMs <= 0) over();
    else
      this.ports.timing.sleep(leftMs, off.signal).then(
        () => {
          if (!off.signal.aborted) over();
        },
        (error: unknown) => this.stopAtFailure(error),
      );
    return off;
  }

  /** One worker: account after account, until there is none or the run stops. */
  async work(): Promise<void> {
    try {
      for (;;) {
        const account = this.isStopping() ? undefined : await this.accounts.next(this.stopping.signal);
        if (account === undefined) return;
        await this.drainAccount(account);
      }
    } catch (error) {
      this.stopAtFailure(error);
      if (!(error instanceof AppError)) throw error;
      const { code, facts } = error;
      if (NOT_RECORDED.has(code)) this.end = { kind: 'unrecorded', reason: { code, facts } };
      // No accepted token can be obtained or no connection opened, so nothing was sent (ports/platform.ts).
      else if (code.startsWith('credentials_') || code === 'certificate_refused')
        this.end = { kind: 'unauthenticated', reason: { code, facts } };
      else throw error;
    }
  }

  private async drainAccount(account: number): Promise<void> {
    let claimed = await this.claim(account);
    while (claimed) {
      const delivery = await deliver(claimed, this.policy.delivery(claimed.batch), this.ports);
      if (delivery.kind === 'ended') return this.leave(delivery);
      if (delivery.kind === 'stopped') return;
      const next = delivery.kind === 'answered' ? await this.settle(delivery) : undefined;
      if (next === 'left') return;
      if (delivery.kind === 'unrepeatable') await this.settleUnsent(delivery);
      claimed = next ?? (await this.claim(account));
    }
  }

  /**
   * A request that always fails holds its account. While others are answered well the platform is there, so the other accounts go on, and the
   * command says at its end which request it left.
   */
  private leave({ end, others, permit }: GivenUp): void {
    if (others === 0 || this.leftAccounts++ >= MOST_LEFT) return this.stop(end);
    this.left ??= end;
    this.ports.limiter.release(permit, { kind: 'unused' });
  }

  /** The next batch of an account, once it may be sent. Claimed last, because a claimed batch counts as sent. */
  private async claim(account: number): Promise<Claimed | undefined> {
    const { run } = this.ports;
    if (this.isStopping() || run.nextAccount(account - 1) !== account) return undefined;
    const permit = await this.ports.limiter.acquire();
    if (!permit) return undefined;
    const batch = await run.claimNext(account, () => !this.isStopping());
    if (batch) return { batch, permit };
    this.ports.limiter.release(permit, { kind: 'unused' });
    return undefined;
  }

  /** Records what an answer settled. Returns the account's next batch when it may be sent at once, or `left` when the account has to wait. */
  private async settle(answered: Answered): Promise<Claimed | 'left' | undefined> {
    const { batch, permit, result, status, tookMs } = answered;
    const { run } = this.ports;
    const consequence = consequenceOf(this.policy.delivery(batch), batch, answered, this.policy);
    if (consequence.kind === 'split') {
      const { inDoubt } = consequence;
      await run.splitInHalves(batch, { kind: 'refused', status, reason: `status ${status}`, inDoubt });
      this.ports.limiter.release(permit, { kind: 'succeeded', tookMs });
      return undefined;
    }
    const { settlement, goesOn } = consequence;
    const isElsewhere =
      result.kind === 'foreign' && result.errors.every(({ problem }) => problem.code === 'answer_unproven');
    this.foreignInARow = isElsewhere ? this.foreignInARow + 1 : 0;
    const isLeft = isElsewhere && this.policy.onReject === 'skip' && this.foreignInARow < FOREIGN_IN_A_ROW;
    if (isLeft) this.left ??= { kind: 'refused' };
    else if (!goesOn) this.stop({ kind: result.kind === 'unauthenticated' ? 'unauthenticated' : 'refused' });
    this.errors += outcomeCounts(settlement).rejected ?? 0;
    this.stopAtTooManyErrors();
    const next = this.ports.limiter.exchange(permit, tookMs);
    const following = await run.settle(
      batch,
      settlement,
      () => next !== undefined && !isLeft && !this.isStopping(),
    );
    this.told(settlement);
    if (next && following) return { batch: following, permit: next };
    if (next) this.ports.limiter.release(next, { kind: 'unused' });
    return isLeft ? 'left' : undefined;
  }

  /** Records that may be on the platform already, and are not sent again, are for a person to look at. */
  private async settleUnsent({ batch, permit }: Claimed): Promise<void> {
    const settlement = settlementOfUnsent(this.policy.delivery(batch), batch);
    await this.ports.run.settle(batch, settlement);
    this.ports.limiter.release(permit, { kind: 'unused' });
    this.told(settlement);
  }

  private told(settlement: Settlement): void {
    this.ports.emit({ kind: 'settled', outcomes: outcomeCounts(settlement) });
  }

  private stopAtTooManyErrors(): void {
    const { limit } = this.policy.errors;
    if (this.errors <= limit) return;
    const reason = { code: 'max_errors_exceeded', facts: { errors: this.errors, limit } } as const;
    // Requests that were in flight may add errors.
    if (this.end.reason?.code === reason.code) this.end = { kind: 'refused', reason };
    else this.stop({ kind: 'refused', reason });
  }

  /** The other workers must not send while the run cannot be recorded. */
  private stopAtFailure(error: unknown): void {
    const reason = error instanceof Error ? error.message : String(error);
    this.stop({ kind: 'unfinished', reason: { code: 'retry_time_used_up', facts: { reason } } });
  }

  private stop(end: EarlyEnd): void {
    this.isOnlyTimeOver = end.kind === 'time_over' && !this.isStopping();
    if (this.isStopping()) return;
    this.end = end;
    this.stopping.abort();
    this.ports.emit({ kind: 'stopping', reason: end.kind });
  }

  private isStopping(): boolean {
    return this.stopping.signal.aborted;
  }
}

/** Codes of a journal that takes nothing any more. */
const NOT_RECORDED: ReadonlySet<string> = new Set(['run_write_failed', 'run_removed']);
