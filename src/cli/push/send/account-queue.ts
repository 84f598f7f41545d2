import type { DrainRun, Batch } from '../ports/run.ts';

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
  private controller!: ReadableStreamDefaultController<number>;
  private readonly accounts = new ReadableStream<number>({
    start: (controller) => void (this.controller = controller),
  }).getReader();
  private isOver = false;
  private isStoppable = false;

  add(account: number): void {
    if (!this.isOver) this.controller.enqueue(account);
  }

  /** No account is added any more. `error`: why nobody knows which accounts may be sent, so that the workers end with it. */
  close(error?: unknown): void {
    if (this.isOver) return;
    this.isOver = true;
    if (error === undefined) this.controller.close();
    else this.controller.error(error);
  }

  async next(stopping: AbortSignal): Promise<number | undefined> {
    if (stopping.aborted) return undefined;
    if (!this.isStoppable) stopping.addEventListener('abort', () => this.close(), { once: true });
    this.isStoppable = true;
    const { value } = await this.accounts.read();
    return value;
  }
}

/** One run of a cohort: the records of one resource. */
interface CohortPart {
  readonly run: DrainRun;
  /** The number that the run has for an account of the cohort; undefined when the run has no records of it. */
  accountIn(account: number): number | undefined;
  /** Whether a record of an account of the run has not arrived, although it was sent. */
  hasFailed(accountIn: number): boolean;
}

/** How the runs of a cohort follow one another. */
interface CohortOrder {
  /** In the order in which an account's records are sent. */
  readonly parts: readonly CohortPart[];
  /** Accounts of the cohort count from 1 to this. */
  readonly accounts: number;
  /** Whether an account's records of later parts are sent although one of an earlier part failed. */
  readonly continuesAfterFailure: boolean;
}

/**
 * Several runs as one. The open batches of an account are those of its first part, then those of the next, so a part of an
 * account begins only when everything before it is settled. Accounts are independent of each other.
 */
export function cohortRun({ parts, accounts, continuesAfterFailure }: CohortOrder): DrainRun {
  const of = (batch: Batch): DrainRun => parts[batch.part!]!.run;
  /** The part with the next open batch of an account, and the number of the account there. */
  const nextPart = (account: number): readonly [part: number, accountIn: number] | undefined => {
    for (const [index, part] of parts.entries()) {
      const accountIn = part.accountIn(account);
      if (accountIn === undefined) continue;
      if (part.run.nextAccount(accountIn - 1) === accountIn) return [index, accountIn];
      if (!continuesAfterFailure && part.hasFailed(accountIn)) return undefined;
    }
    return undefined;
  };
  const inPart = (part: number, batch: Batch): Batch => ({ ...batch, part });
  return {
    nextAccount(after) {
      for (let account = after + 1; account <= accounts; account++) if (nextPart(account)) return account;
      return undefined;
    },
    async claimNext(account, isWanted) {
      const next = nextPart(account);
      if (!next) return undefined;
      const [part, accountIn] = next;
      const batch = await parts[part]!.run.claimNext(accountIn, isWanted);
      return batch && inPart(part, batch);
    },
    claimAgain: async (batch) => inPart(batch.part!, await of(batch).claimAgain(batch)),
    fail: (batch, attempt) => of(batch).fail(batch, attempt),
    async settle(batch, settlement, claimsNext) {
      const following = await of(batch).settle(batch, settlement, claimsNext);
      return following && inPart(batch.part!, following);
    },
    sameIdElsewhere: (batch, seqs) => of(batch).sameIdElsewhere(batch, seqs),
    splitInHalves: (batch, attempt) => of(batch).splitInHalves(batch, attempt),
  };
}
