import { AppError } from '../../core/app-error.ts';
import type { Resource } from '../../core/contract/resources.ts';
import { failure, type Facts, type Problem } from '../../core/problem.ts';
import type { UnsentRows } from '../output/run/cohort-result.ts';
import type { NotReady } from '../push/send/account-watch.ts';
import type { DrainEnd } from '../push/send/drain.ts';
import { locateOwnProblem } from '../push/own-problem.ts';
import type { UnsentReason } from '../push/ports/report.ts';
import type { SourceLine } from '../push/ports/staging.ts';
import type { UnsentAccount } from '../journal/read/cohort-accounts.ts';
import type { Reading } from '../journal/reading.ts';
import type { CohortAccounts } from './cohort-accounts.ts';

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
    const counts = new Map<UnsentReason, Omit<UnsentRows, 'resource' | 'reason'>>();
    let waits = false;
    const reasons = function* (): Generator<UnsentAccount> {
      for (let account = 1; account <= accounts.count; account++) {
        const number = accounts.numberIn(part, account);
        const unsent = number === undefined ? undefined : run.cohort.notSent(number);
        const why = unsent && whyOf(account, runs.slice(0, part + 1), accounts, sending);
        if (!why) continue;
        const { seq, source, line, rows } = unsent;
        const file = run.header.sources[source - 1]!.name;
        const reason = problemOf(why, { rows, resource });
        const code = reason.code as UnsentReason;
        const before = counts.get(code) ?? { accounts: 0, rows: 0 };
        counts.set(code, {
          accounts: before.accounts + 1,
          rows: before.rows + rows,
          ...('asked' in why && { asked: why.asked }),
        });
        waits ||= 'why' in why && (why.why === 'open' || why.why === 'not_asked');
        const problem = locateOwnProblem(reason, { file, line, column: null, header: null });
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
    return { counts: [...counts].map(([reason, count]) => ({ resource, reason, ...count })), waits };
  });
}

/** A record of an earlier resource that has not arrived, so that the later ones of its account wait. */
interface Hold {
  readonly earlier: Resource;
  /** Whether nobody knows what became of the record. */
  readonly isOpen: boolean;
  /** The record, as the end of "a record of the notes …". */
  readonly state: string;
  /** The line of the record, as the facts of another line. */
  readonly place: Facts;
}

/** `runs`: the run with the rows, and those before it. */
function whyOf(
  account: number,
  runs: readonly Reading[],
  accounts: CohortAccounts,
  { notReady, end, continuesAfterFailure }: Sending,
): NotReady | Hold | undefined {
  const state = notReady.get(account);
  if (state) return state;
  // A refusal that ended the command is sent again with everything behind it.
  if (continuesAfterFailure || end.kind === 'refused') return undefined;
  for (const [part, run] of runs.slice(0, -1).entries()) {
    const number = accounts.numberIn(part, account);
    const hold = number === undefined ? undefined : holdIn(run, number, end.kind === 'finished');
    if (hold) return hold;
  }
  return undefined;
}

/** `isFinished`: whether the command came to its end. Otherwise a record without an answer gets one from the next command. */
function holdIn({ header, cohort }: Reading, account: number, isFinished: boolean): Hold | undefined {
  const hold = ({ source, line }: SourceLine, isOpen: boolean, state: string): Hold => ({
    earlier: header.resource,
    isOpen,
    state,
    place: { other_file: header.sources[source - 1]!.name, other_line: line },
  });
  const refused = cohort.firstOf(account, 'rejected');
  if (refused) return hold(refused, false, 'was refused');
  const unknown = isFinished ? cohort.firstOf(account, 'unknown') : undefined;
  return unknown && hold(unknown, true, 'was sent, and no answer says whether it was applied');
}

function problemOf(why: NotReady | Hold, { rows, resource }: { rows: number; resource: Resource }): Problem {
  const { state } = why;
  if ('earlier' in why) {
    const { earlier, isOpen, place } = why;
    const code = isOpen ? 'earlier_record_unsettled' : 'earlier_resource_failed';
    return failure(code, [], { earlier, state, resource, rows, ...place });
  }
  if (why.why === 'import_failed') return failure('account_import_failed', [], { rows, resource });
  return why.why === 'not_asked'
    ? failure('account_not_asked', [], { reason: state, rows, resource })
    : failure('account_not_imported', [], { state, rows, resource });
}
