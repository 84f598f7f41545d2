import { AppError } from '../../core/app-error.ts';
import { failure, type Facts } from '../../core/problem.ts';
import type { UnsentRows } from '../output/run/cohort-result.ts';
import type { NotReady } from '../push/send/account-watch.ts';
import type { DrainEnd } from '../push/send/drain.ts';
import { locateOwnProblem } from '../push/own-problem.ts';
import type { UnsentReason } from '../push/ports/report.ts';
import type { SourceLine } from '../push/ports/staging.ts';
import type { UnsentAccount, CohortOperations } from '../journal/read/cohort-accounts.ts';
import { compareAccounts } from '../journal/read/cohort-accounts.ts';
import type { Reading } from '../journal/reading.ts';
import type { AccountKey } from '../../core/contract/account.ts';

/** The rows of one run that were not sent, by the reason. */
export interface UnsentPart {
  readonly counts: readonly UnsentRows[];
  /** Whether an account may still be imported, and nobody waited for it to the end. */
  readonly waits: boolean;
}

interface Sending {
  readonly notReady: ReadonlyMap<number, NotReady>;
  readonly end: DrainEnd;
  readonly continuesAfterFailure: boolean;
}

/**
 * Finds why rows of each run were not sent although the command did not stop early: their account, or an earlier record of it. The
 * runs keep one problem for each account, at its first row.
 */
export function keepUnsentRows(
  runs: readonly Reading[],
  accounts: CohortAccounts,
  sending: Sending,
): readonly UnsentPart[] {
  return runs.map((run, part) => {
    if (!run.isOpen) return { counts: [], waits: false };
    const { resource } = run.header;
    const counts = new Map<UnsentReason, UnsentRows>();
    let waits = false;
    const reasons = function* (): Generator<UnsentAccount> {
      for (let account = 1; account <= accounts.count; account++) {
        const number = accounts.numberIn(part, account);
        const unsent = number === undefined ? undefined : run.cohort.notSent(number);
        const cause = unsent && causeOf(account, runs.slice(0, part + 1), accounts, sending);
        if (!cause) continue;
        const { seq, source, line, rows } = unsent;
        const { reason, facts, asked } = cause;
        const before = counts.get(reason) ?? { resource, reason, accounts: 0, rows: 0 };
        const found = { accounts: before.accounts + 1, rows: before.rows + rows };
        counts.set(reason, { ...before, ...found, ...(asked !== undefined && { asked }) });
        waits ||= cause.waits === true;
        const place = { file: run.header.sources[source - 1]!.name, line };
        const problem = locateOwnProblem(failure(reason, [], { ...facts, rows, resource }), place);
        yield { account: number!, seq, problem };
      }
    };
    try {
      run.cohort.keepUnsent(reasons());
    } catch (error) {
      // A full disk must not hide the result.
      if (!(error instanceof AppError) || error.code !== 'run_write_failed') throw error;
      counts.clear();
      for (const reason of reasons()) void reason;
    }
    return { counts: [...counts.values()], waits };
  });
}

/** Why records of an account were not sent. `waits`: whether asking about the account again may help. */
interface Cause extends Pick<NotReady, 'asked'> {
  readonly reason: UnsentReason;
  readonly facts: Facts;
  readonly waits?: boolean;
}

const OF_ACCOUNT = {
  import_failed: 'account_import_failed',
  wait_over: 'account_not_imported',
  open: 'account_not_imported',
  not_asked: 'account_not_asked',
} as const;

/** `runs`: the run with the rows, and those before it. */
function causeOf(
  account: number,
  runs: readonly Reading[],
  accounts: CohortAccounts,
  { notReady, end, continuesAfterFailure }: Sending,
): Cause | undefined {
  const known = notReady.get(account);
  if (known) {
    const { why, state, ...asked } = known;
    const waits = why === 'open' || why === 'not_asked';
    return { reason: OF_ACCOUNT[why], facts: { state, reason: state }, waits, ...asked };
  }
  // A refusal that ended the command is sent again with everything behind it.
  if (continuesAfterFailure || end.kind === 'refused') return undefined;
  for (const [part, run] of runs.slice(0, -1).entries()) {
    const number = accounts.numberIn(part, account);
    const hold = number === undefined ? undefined : holdIn(run, number, end.kind === 'finished');
    if (hold) return hold;
  }
  return undefined;
}

/**
 * A record of an earlier resource that has not arrived, so that the later ones of its account wait. `isFinished`: whether the command came to
 * its end. Otherwise a record without an answer gets one from the next command.
 */
function holdIn({ header, cohort }: Reading, account: number, isFinished: boolean): Cause | undefined {
  const hold = (reason: UnsentReason, { source, line }: SourceLine, state: string): Cause => {
    const place = { other_file: header.sources[source - 1]!.name, other_line: line };
    return { reason, facts: { earlier: header.resource, state, ...place } };
  };
  const refused = cohort.firstOf(account, 'rejected');
  if (refused) return hold('earlier_resource_failed', refused, 'was refused');
  const unknown = isFinished ? cohort.firstOf(account, 'unknown') : undefined;
  const state = 'was sent, and no answer says whether it was applied';
  return unknown && hold('earlier_record_unsettled', unknown, state);
}

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
