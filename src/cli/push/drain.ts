import { AppError } from '../../core/app-error.ts';
import type { Batch } from './ports/batch.ts';
import { deliver, type Delivery, type DeliveryPolicy, type DeliveryPorts } from './deliver.ts';
import type { EventSink } from './events.ts';
import type { LocatedProblem } from './ports/located-problem.ts';
import type { PlatformComplaint } from './reading.ts';
import type { Platform } from './ports/platform.ts';
import type { Timing } from './ports/timing.ts';
import type { DrainRun, RecordReading, Settlement } from './ports/run.ts';
import { ID_FIELD } from './record-id.ts';

/** How a run is to be drained. */
export interface DrainPolicy extends DeliveryPolicy {
  /** Accounts in flight at once. */
  readonly concurrency: number;
  /** Places what the platform names at its cell. */
  readonly placeComplaint: (batch: Batch, complaint: PlatformComplaint) => LocatedProblem;
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

/** Why draining ended; `finished` when no batch is open. */
export type DrainEnd =
  | { readonly kind: 'finished' }
  | { readonly kind: 'refused' }
  | { readonly kind: 'unauthenticated'; readonly error?: AppError }
  /** `afterMs`: how long the request that was given up had been tried, in milliseconds. */
  | { readonly kind: 'unfinished'; readonly reason: string; readonly afterMs: number }
  | { readonly kind: 'interrupted' };

/**
 * Sends every open batch: one request in flight per account, accounts in parallel, never past a batch that is open.
 * The first refusal and the first batch that runs out of time wind the run down: what is in flight ends and is
 * recorded, nothing new starts.
 */
export async function drain(policy: DrainPolicy, ports: DrainPorts): Promise<DrainEnd> {
  const drainage = new Drainage(policy, ports);
  const workers = await Promise.allSettled(Array.from({ length: policy.concurrency }, () => drainage.work()));
  // Only now, when nothing is in flight any more, may an error end the run.
  const failed = workers.find((worker) => worker.status === 'rejected');
  if (failed) throw failed.reason;
  return drainage.end;
}

/** The state that the workers of one drain share. */
class Drainage {
  end: DrainEnd = { kind: 'finished' };
  private lastAccount = 0;
  private readonly windDown = new AbortController();
  private readonly policy: DrainPolicy;
  private readonly ports: DrainPorts;
  private readonly delivery: DeliveryPorts;

  constructor(policy: DrainPolicy, ports: DrainPorts) {
    this.policy = policy;
    this.ports = ports;
    const interrupted = (): void => this.stop({ kind: 'interrupted' });
    if (ports.interrupt.aborted) interrupted();
    else ports.interrupt.addEventListener('abort', interrupted, { once: true });
    this.delivery = { ...ports, winding: this.windDown.signal };
  }

  /** One worker: account after account, until there is none or the run winds down. */
  async work(): Promise<void> {
    try {
      for (let account = this.takeAccount(); account !== undefined; account = this.takeAccount()) {
        await this.drainAccount(account);
      }
    } catch (error) {
      // The others must not go on sending while the run cannot be recorded any more.
      this.stop({ kind: 'unfinished', reason: 'an error', afterMs: 0 });
      if (!(error instanceof AppError) || !isAboutCredentials(error)) throw error;
      this.end = { kind: 'unauthenticated', error };
    }
  }

  private takeAccount(): number | undefined {
    if (this.windDown.signal.aborted) return undefined;
    const account = this.ports.run.nextAccount(this.lastAccount);
    if (account !== undefined) this.lastAccount = account;
    return account;
  }

  private async drainAccount(account: number): Promise<void> {
    let batch = this.ports.run.claimNext(account);
    while (batch) {
      const delivery = await deliver(batch, this.policy, this.delivery);
      if (delivery.kind === 'answered') batch = this.settle(delivery);
      else if (delivery.kind === 'split')
        batch = this.isWinding() ? undefined : this.ports.run.claimNext(account);
      else {
        if (delivery.kind === 'gave_up') this.stop({ ...delivery, kind: 'unfinished' });
        return;
      }
    }
  }

  private settle({ batch, reading, status }: Extract<Delivery, { kind: 'answered' }>): Batch | undefined {
    const { run, emit } = this.ports;
    if (reading.kind === 'ok') {
      const settlement: Settlement = {
        status,
        records: reading.records,
        state: 'done',
        problems: this.unproven(batch, reading.records, status),
        unsure: false,
      };
      const next = run.settle(batch, settlement, this.isWinding() ? 'claim_none' : 'claim_next');
      emit({ kind: 'settled', outcomes: countOutcomes(settlement) });
      return next;
    }
    const settlement = this.refusal(batch, reading, status);
    this.stop({ kind: reading.kind === 'unauthenticated' ? 'unauthenticated' : 'refused' });
    run.settle(batch, settlement, 'claim_none');
    emit({ kind: 'settled', outcomes: countOutcomes(settlement) });
    return undefined;
  }

  private refusal(
    batch: Batch,
    reading: Exclude<Extract<Delivery, { kind: 'answered' }>['reading'], { kind: 'ok' }>,
    status: number,
  ): Settlement {
    const complaints: readonly PlatformComplaint[] =
      reading.kind === 'foreign'
        ? [{ seq: null, attr: null, problem: { code: 'redirect_refused', path: [], detail: '' }, status }]
        : reading.complaints;
    return {
      status,
      records: reading.kind === 'rejected' ? reading.records : [],
      state: 'rejected',
      problems: complaints.map((complaint) => this.policy.placeComplaint(batch, complaint)),
      // A refusal names the first failing transaction; the ones before it may have been kept (interface.md 4.3).
      unsure: this.policy.resource === 'transactions' && reading.kind === 'rejected',
    };
  }

  /** Names every record of which nobody can tell whether it was us who brought it. */
  private unproven(batch: Batch, records: readonly RecordReading[], status: number): LocatedProblem[] {
    const field = ID_FIELD[this.policy.resource];
    const problem = { code: 'outcome_unproven', path: field === null ? [] : [field], detail: '' };
    return records
      .filter(({ outcome }) => outcome === 'verify')
      .map(({ seq }) => this.policy.placeComplaint(batch, { seq, attr: null, problem, status }));
  }

  private stop(end: DrainEnd): void {
    if (this.isWinding()) return;
    this.end = end;
    this.windDown.abort();
    if (end.kind !== 'finished') {
      const reason = end.kind === 'unauthenticated' ? 'refused' : end.kind;
      this.ports.emit({ kind: 'stopping', reason });
    }
  }

  private isWinding(): boolean {
    return this.windDown.signal.aborted;
  }
}

function isAboutCredentials(error: AppError): boolean {
  return error.code.startsWith('credentials_');
}

function countOutcomes({
  records,
}: Settlement): Partial<Record<'created' | 'existing' | 'verify' | 'rejected', number>> {
  const counts: Partial<Record<'created' | 'existing' | 'verify' | 'rejected', number>> = {};
  for (const { outcome } of records) if (outcome) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
}
