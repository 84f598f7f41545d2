import { AppError } from '../../core/app-error.ts';
import type { Resource } from '../../core/contract/resources.ts';
import { failure } from '../../core/problem.ts';
import type { UnsentRows } from '../output/cohort-result.ts';
import type { NotReady } from '../push/account-watch.ts';
import type { DrainEnd } from '../push/drain.ts';
import { locate } from '../push/locate.ts';
import type { UnsentReason } from '../push/ports/report.ts';
import type { UnsentAccount } from '../run-file/cohort-accounts.ts';
import type { RunFile } from '../run-file/run-file.ts';
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
  readonly continueAfterFailure: boolean;
}

/**
 * Finds why rows of each run were not sent although the command did not stop early: their account, or an earlier resource of it. The
 * runs keep one problem for each account, at its first row.
 */
export function keepUnsentRows(
  runs: readonly RunFile[],
  accounts: CohortAccounts,
  sending: Sending,
): readonly UnsentPart[] {
  return runs.map((run, part) => {
    if (!run.isOpen) return { counts: [], waits: false };
    const { resource } = run.header;
    const counts = new Map<UnsentReason, { accounts: number; rows: number }>();
    let waits = false;
    const reasons = function* (): Generator<UnsentAccount> {
      for (let account = 1; account <= accounts.count; account++) {
        const number = accounts.numberIn(part, account);
        const unsent = number === undefined ? undefined : run.cohort.notSent(number);
        const why = unsent && whyOf(account, runs.slice(0, part), accounts, sending);
        if (!why) continue;
        const { seq, source, line, rows } = unsent;
        const file = run.header.sources[source - 1]!.name;
        const reason = problemOf(why, { rows, resource });
        const code = reason.code as UnsentReason;
        const before = counts.get(code) ?? { accounts: 0, rows: 0 };
        counts.set(code, { accounts: before.accounts + 1, rows: before.rows + rows });
        waits ||= 'why' in why && (why.why === 'open' || why.why === 'not_asked');
        const problem = locate(reason, { file, line, column: null, header: null });
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

/** The state of its account, or the resource that was refused before. */
type Why = NotReady | { readonly earlier: Resource };

function whyOf(
  account: number,
  earlierRuns: readonly RunFile[],
  accounts: CohortAccounts,
  { notReady, end, continueAfterFailure }: Sending,
): Why | undefined {
  const state = notReady.get(account);
  // A refusal that ended the command is sent again with everything behind it.
  if (state || continueAfterFailure || end.kind === 'refused') return state;
  const failed = earlierRuns.find((run, part) => {
    const number = accounts.numberIn(part, account);
    if (number === undefined) return false;
    // A record that had no answer when the command ended early gets one when it is continued.
    return end.kind === 'finished' ? run.cohort.hasFailed(number) : run.cohort.hasRefused(number);
  });
  return failed && { earlier: failed.header.resource };
}

function problemOf(why: Why, { rows, resource }: { readonly rows: number; readonly resource: Resource }) {
  if ('earlier' in why) {
    const { earlier } = why;
    return failure('earlier_resource_failed', [], { earlier, rows, resource });
  }
  const { state } = why;
  if (why.why === 'import_failed') return failure('account_import_failed', [], { rows, resource });
  return why.why === 'not_asked'
    ? failure('account_not_asked', [], { reason: state, rows, resource })
    : failure('account_not_imported', [], { state, rows, resource });
}
