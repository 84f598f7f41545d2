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

type Waiting = Readonly<{ resolve: (account: number | undefined) => void; reject: (error: unknown) => void }>;

/** Accounts that become ready while others are sent. Workers wait until an account is added, or the queue is closed. */
export class WaitingAccounts implements AccountQueue {
  private readonly ready: number[] = [];
  private taken = 0;
  private waiting: Waiting[] = [];
  private end: { error?: unknown } | undefined;
  private stopping: AbortSignal | undefined;

  add(account: number): void {
    const worker = this.waiting.shift();
    if (worker) worker.resolve(account);
    else this.ready.push(account);
  }

  /** No account is added any more. */
  close(): void {
    this.end ??= {};
    for (const worker of this.waiting.splice(0)) worker.resolve(undefined);
  }

  /** Nobody knows which accounts may be sent, so the workers end with the error. */
  fail(error: unknown): void {
    this.end ??= { error };
    for (const worker of this.waiting.splice(0)) worker.reject(error);
  }

  next(stopping: AbortSignal): Promise<number | undefined> {
    if (stopping.aborted) return Promise.resolve(undefined);
    if (!this.stopping) {
      this.stopping = stopping;
      stopping.addEventListener('abort', () => this.close(), { once: true });
    }
    if (this.end && 'error' in this.end) return Promise.reject(this.end.error as Error);
    if (this.taken < this.ready.length) return Promise.resolve(this.ready[this.taken++]);
    if (this.end) return Promise.resolve(undefined);
    return new Promise((resolve, reject) => void this.waiting.push({ resolve, reject }));
  }
}
