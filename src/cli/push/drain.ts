import { AppError } from '../../core/app-error.ts';
import { deliver, type Claimed, type Delivery, type DeliveryPolicy, type DeliveryPorts } from './deliver.ts';
import { STOPPING, type DrainEnd } from './drain-end.ts';
import type { EventSink } from './events.ts';
import { Gate } from './gate.ts';
import type { Platform } from './ports/platform.ts';
import type { DrainRun, OnReject } from './ports/run.ts';
import type { Timing } from './ports/timing.ts';
import { reachOf } from './refusal.ts';
import { outcomeCounts, refusalOf, setAside, success } from './settlements.ts';
import type { Rate } from './token-bucket.ts';

/** How a run is to be drained. */
export interface DrainPolicy extends DeliveryPolicy {
  /** Accounts in flight at once. */
  readonly concurrency: number;
  /** Requests that may be sent in a span of time (`--rate-limit`). */
  readonly rate?: Rate | undefined;
  readonly onReject: OnReject;
  /** Rows that are invalid or were refused already, and how many there may be; `Infinity` for any (`--max-errors`). */
  readonly errors: { readonly soFar: number; readonly limit: number };
  /** How long the whole command may take, and what is left of it, in milliseconds (`--max-duration`). */
  readonly maxDuration?: { readonly wholeMs: number; readonly leftMs: number } | undefined;
}

/** What draining is handed. `interrupt`: finish what is in flight, start nothing. `cut`: end what is in flight, too. */
export interface DrainPorts {
  readonly run: DrainRun;
  readonly platform: Platform;
  readonly timing: Timing;
  readonly emit: EventSink;
  readonly interrupt: AbortSignal;
  readonly cut: AbortSignal;
}

type Answered = Extract<Delivery, { kind: 'answered' }>;
type Refused = Exclude<Answered['reading'], { kind: 'ok' }>;

/**
 * Sends every open batch: one request in flight per account, accounts in parallel, never past a batch that is open.
 * The first refusal (unless refused records are set aside) and the first batch that runs out of time wind the run
 * down: what is in flight ends and is recorded, nothing new starts.
 */
export async function drain(policy: DrainPolicy, ports: DrainPorts): Promise<DrainEnd> {
  const drainage = new Drainage(policy, ports);
  const clock = drainage.endAfterMaxDuration();
  const workers = await Promise.allSettled(Array.from({ length: policy.concurrency }, () => drainage.work()));
  clock.stop();
  // Only now, when nothing is in flight any more, may an error end the run.
  const failed = workers.find((worker) => worker.status === 'rejected');
  if (failed) throw failed.reason;
  return drainage.end;
}

/** The state that the workers of one drain share. */
class Drainage {
  end: DrainEnd = { kind: 'finished' };
  private lastAccount = 0;
  private errors: number;
  private readonly windDown = new AbortController();
  private readonly policy: DrainPolicy;
  private readonly ports: DrainPorts;
  private readonly gate: Gate;
  private readonly delivery: DeliveryPorts;

  constructor(policy: DrainPolicy, ports: DrainPorts) {
    this.policy = policy;
    this.ports = { ...ports, run: watched(ports.run, (error) => this.stopAtFailure(error)) };
    this.errors = policy.errors.soFar;
    const { concurrency, rate } = policy;
    const { timing, emit } = ports;
    this.gate = new Gate({ concurrency, rate }, { timing, emit, closing: this.windDown.signal });
    this.delivery = { ...this.ports, gate: this.gate, winding: this.windDown.signal };
    const interrupted = (): void => this.stop({ kind: 'interrupted' });
    if (ports.interrupt.aborted) interrupted();
    else ports.interrupt.addEventListener('abort', interrupted, { once: true });
    this.stopAtTooManyErrors();
  }

  /** Ends the run as an interruption does, once it has been sending for so long. */
  endAfterMaxDuration(): { stop(): void } {
    const { maxDuration } = this.policy;
    const off = new AbortController();
    if (maxDuration === undefined) return { stop: () => undefined };
    const { wholeMs, leftMs } = maxDuration;
    const over = (): void => this.stop({ kind: 'time_over', maxDurationMs: wholeMs });
    if (leftMs <= 0) over();
    else
      this.ports.timing.sleep(leftMs, off.signal).then(
        () => {
          if (!off.signal.aborted) over();
        },
        (error: unknown) => this.stopAtFailure(error),
      );
    return { stop: () => off.abort() };
  }

  /** One worker: account after account, until there is none or the run winds down. */
  async work(): Promise<void> {
    try {
      for (let account = this.takeAccount(); account !== undefined; account = this.takeAccount()) {
        await this.drainAccount(account);
      }
    } catch (error) {
      this.stopAtFailure(error);
      if (!(error instanceof AppError)) throw error;
      if (error.code === 'run_write_failed') this.end = { kind: 'unrecorded', error };
      else if (isAboutTheWay(error)) this.end = { kind: 'unauthenticated', error };
      else throw error;
    }
  }

  /** The others must not go on sending while the run cannot be recorded any more. */
  private stopAtFailure(error: unknown): void {
    const reason = error instanceof Error ? error.message : String(error);
    this.stop({ kind: 'unfinished', reason, afterMs: 0 });
  }

  private takeAccount(): number | undefined {
    if (this.isWinding()) return undefined;
    const account = this.ports.run.nextAccount(this.lastAccount);
    if (account !== undefined) this.lastAccount = account;
    return account;
  }

  private async drainAccount(account: number): Promise<void> {
    let claimed = await this.claim(account);
    while (claimed) {
      const delivery = await deliver(claimed, this.policy, this.delivery);
      if (delivery.kind === 'answered') claimed = this.settle(delivery) ?? (await this.claim(account));
      else if (delivery.kind === 'split') claimed = await this.claim(account);
      else {
        if (delivery.kind === 'gave_up') this.stop({ ...delivery, kind: 'unfinished' });
        else if (delivery.kind !== 'stopped') this.stop(delivery);
        return;
      }
    }
  }

  /** The next batch of an account, once it may be sent. It is claimed last: what is claimed counts as sent. */
  private async claim(account: number): Promise<Claimed | undefined> {
    const { run } = this.ports;
    if (this.isWinding() || run.nextAccount(account - 1) !== account) return undefined;
    const pass = await this.gate.enter();
    if (pass === 'closed' || pass === 'late') return undefined;
    const batch = this.isWinding() ? undefined : run.claimNext(account);
    if (batch) return { batch, pass };
    this.gate.leave(pass, { kind: 'unused' });
    return undefined;
  }

  /** Records what an answer settled. The account's next batch, when it may be sent at once. */
  private settle(answered: Answered): Claimed | undefined {
    const { batch, pass, reading, status } = answered;
    if (reading.kind === 'ok') {
      const settlement = success(this.policy, batch, { records: reading.records, status });
      return this.settleAndGoOn(answered, settlement);
    }
    const reach =
      this.policy.onReject === 'skip' && reading.kind === 'rejected'
        ? reachOf(batch, reading, status)
        : 'run';
    if (reading.kind !== 'rejected' || reach === 'run') {
      this.stopAtRefusal(answered, reading);
      return undefined;
    }
    if (reach === 'request') {
      const unsure = this.policy.resource === 'transactions';
      this.ports.run.splitInHalves(batch, { kind: 'refused', status, reason: `status ${status}`, unsure });
      this.gate.leave(pass, { kind: 'well' });
      return undefined;
    }
    return this.settleAndGoOn(answered, setAside(this.policy, batch, { refusal: reading, reach, status }));
  }

  private settleAndGoOn(
    { batch, pass }: Answered,
    settlement: ReturnType<typeof success>,
  ): Claimed | undefined {
    const { run, emit } = this.ports;
    const counts = outcomeCounts(settlement);
    this.errors += counts.rejected ?? 0;
    this.stopAtTooManyErrors();
    const next = this.gate.renew(pass);
    const following = run.settle(batch, settlement, next ? 'claim_next' : 'claim_none');
    emit({ kind: 'settled', outcomes: counts });
    if (next && following) return { batch: following, pass: next };
    if (next) this.gate.leave(next, { kind: 'unused' });
    return undefined;
  }

  private stopAtRefusal({ batch, pass, status }: Answered, reading: Refused): void {
    const settlement = refusalOf(this.policy, batch, { reading, status });
    this.stop({ kind: reading.kind === 'unauthenticated' ? 'unauthenticated' : 'refused' });
    this.ports.run.settle(batch, settlement, 'claim_none');
    this.gate.leave(pass, { kind: 'well' });
    this.ports.emit({ kind: 'settled', outcomes: outcomeCounts(settlement) });
  }

  private stopAtTooManyErrors(): void {
    const { limit } = this.policy.errors;
    if (this.errors > limit) this.stop({ kind: 'too_many_errors', errors: this.errors, limit });
  }

  private stop(end: Exclude<DrainEnd, { kind: 'finished' }>): void {
    if (this.isWinding()) return;
    this.end = end;
    this.windDown.abort();
    this.ports.emit({ kind: 'stopping', reason: STOPPING[end.kind] });
  }

  private isWinding(): boolean {
    return this.windDown.signal.aborted;
  }
}

/** Whether there is no way to the platform, or to a token that it takes, so that nothing was sent (ports/platform.ts). */
function isAboutTheWay({ code }: AppError): boolean {
  return code.startsWith('credentials_') || code === 'certificate_refused';
}

/** The verbs of a run; told at once, before anybody else goes on, when one of them fails. */
function watched(run: DrainRun, failed: (error: unknown) => void): DrainRun {
  const verbs = Object.entries(run).map(([name, verb]) => [
    name,
    (...args: readonly unknown[]): unknown => {
      try {
        return (verb as (...given: readonly unknown[]) => unknown)(...args);
      } catch (error) {
        failed(error);
        throw error;
      }
    },
  ]);
  return Object.fromEntries(verbs) as DrainRun;
}
