import type { DrainRun } from '../ports/run.ts';

/** Hands out the accounts that may be sent, each once. */
export interface AccountQueue {
  /** The next account; waits while one may still come. Undefined when none comes any more, or `stopping` aborts. */
  next(stopping: AbortSignal): Promise<number | undefined>;
}

/** Every account of a run with an open batch, in the order of the file. */
export function everyAccount(run: Pick<DrainRun, 'nextAccount'>): AccountQueue {
  // All workers ask once more at the end, when there is none.
  let last: number | undefined = 0;
  return { next: async () => (last = last === undefined ? undefined : run.nextAccount(last)) };
}

/** Accounts that become ready while others are sent. Workers wait until an account is added, or the queue is closed. */
export class WaitingAccounts implements AccountQueue {
  private readonly ready: number[] = [];
  private taken = 0;
  private waiting: PromiseWithResolvers<number | undefined>[] = [];
  /** What every further call gets. */
  private end: Promise<undefined> | undefined;
  private stopping: AbortSignal | undefined;

  add(account: number): void {
    const worker = this.waiting.shift();
    if (worker) worker.resolve(account);
    else this.ready.push(account);
  }

  /** No account is added any more. `error`: why nobody knows which accounts may be sent, so that the workers end with it. */
  close(error?: unknown): void {
    if (error !== undefined) this.taken = this.ready.length;
    this.end ??= error === undefined ? Promise.resolve(undefined) : Promise.reject(error as Error);
    this.end.catch(() => undefined);
    for (const worker of this.waiting.splice(0)) worker.resolve(this.end);
  }

  next(stopping: AbortSignal): Promise<number | undefined> {
    if (stopping.aborted) return Promise.resolve(undefined);
    if (!this.stopping) {
      this.stopping = stopping;
      stopping.addEventListener('abort', () => this.close(), { once: true });
    }
    if (this.taken < this.ready.length) return Promise.resolve(this.ready[this.taken++]);
    if (this.end) return this.end;
    const waiting = Promise.withResolvers<number | undefined>();
    this.waiting.push(waiting);
    return waiting.promise;
  }
}
