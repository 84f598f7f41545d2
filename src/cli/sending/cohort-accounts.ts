import type { AccountKey } from '../../core/contract/account.ts';
import type { CohortOperations } from '../journal/read/cohort-accounts.ts';
import type { Reading } from '../journal/reading.ts';
import { compareAccounts } from '../comparison/record-groups.ts';

/** The accounts of a cohort, numbered from 1, and their numbers in each run. Two small numbers for each account and run. */
export type CohortAccounts = ReturnType<typeof cohortAccounts>;

/** Reads the accounts of all runs in one order and numbers them. */
export function cohortAccounts(runs: readonly Reading[]) {
  const numbers = runs.map((): number[] => [0]);
  const readers = runs.map((run) => run.cohort.accounts()[Symbol.iterator]());
  const heads = readers.map((reader) => reader.next());
  let count = 0;
  for (;;) {
    const accounts = heads.flatMap(({ done, value }) => (done ? [] : [value as AccountKey]));
    if (accounts.length === 0) break;
    const first = accounts.reduce((least, account) =>
      compareAccounts(account, least) < 0 ? account : least,
    );
    count++;
    for (const [part, head] of heads.entries()) {
      const isHere = !head.done && compareAccounts(head.value, first) === 0;
      numbers[part]!.push(isHere ? head.value.id : 0);
      if (isHere) heads[part] = readers[part]!.next();
    }
  }
  const numberIn = (part: number, account: number): number | undefined =>
    numbers[part]![account] || undefined;
  /** Asks the first run with records of an account about it. */
  const inFirstRun = <T>(account: number, ask: (run: CohortOperations, numberIn: number) => T): T => {
    const part = runs.findIndex((_, index) => numberIn(index, account) !== undefined);
    return ask(runs[part]!.cohort, numberIn(part, account)!);
  };
  return {
    count,
    /** The number of an account in a run, by the index of the run; undefined when the run has no records of it. */
    numberIn,
    keyOf: (account: number) => inFirstRun(account, (run, number) => run.keyOf(number)),
    /** Whether a command has seen the import of the account under way. */
    wasUnderWay: (account: number) => inFirstRun(account, (run, number) => run.wasUnderWay(number)),
    rememberUnderWay: (account: number) => inFirstRun(account, (run, number) => run.rememberUnderWay(number)),
  };
}
