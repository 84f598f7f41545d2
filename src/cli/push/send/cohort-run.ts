import type { Batch, DrainRun } from '../ports/run.ts';

/** One run of a cohort: the records of one resource. */
export interface CohortPart {
  readonly run: DrainRun;
  /** The number that the run has for an account of the cohort; undefined when the run has no records of it. */
  accountIn(account: number): number | undefined;
  /** Whether a record of an account of the run has not arrived, although it was sent. */
  hasFailed(accountIn: number): boolean;
}

/** How the runs of a cohort follow one another. */
export interface CohortOrder {
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
