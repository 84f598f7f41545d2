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
import { ownHold, type Hold } from './holds.ts';
import type { NextCommands } from './next-commands.ts';

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
  /** The accounts that retries hold, by their numbers in each run. */
  readonly holds: readonly ReadonlyMap<number, Hold>[];
  readonly commands: NextCommands;
}

/**
 * Finds why rows of each run were not sent although the command did not stop early: their account, or an earlier record of it. The
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
        const why = unsent && whyOf(account, runs.slice(0, part + 1), accounts, sending);
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

/** The state of its account, or a record that holds it, with the resource of that record. */
type Why = NotReady | (Hold & { readonly earlier: Resource });

/** `runs`: the run with the rows, and those before it. */
function whyOf(
  account: number,
  runs: readonly RunFile[],
  accounts: CohortAccounts,
  { notReady, end, continueAfterFailure, holds, commands }: Sending,
): Why | undefined {
  const state = notReady.get(account);
  if (state) return state;
  for (const [part, run] of runs.entries()) {
    const number = accounts.numberIn(part, account);
    if (number === undefined) continue;
    const earlier = run.header.resource;
    const ofRetry = holds[part]!.get(number);
    const isOwn = part === runs.length - 1;
    if (ofRetry && (isOwn ? ofRetry.isOpen : !continueAfterFailure)) return { ...ofRetry, earlier };
    // A refusal that ended the command is sent again with everything behind it.
    if (isOwn || continueAfterFailure || end.kind === 'refused') continue;
    const own = ownHold(run, number, { isFinished: end.kind === 'finished', commands });
    if (own) return { ...own, earlier };
  }
  return undefined;
}

function problemOf(why: Why, { rows, resource }: { readonly rows: number; readonly resource: Resource }) {
  const { state } = why;
  if ('earlier' in why) {
    const { earlier, isOpen, command, place } = why;
    return isOpen
      ? failure('earlier_record_unsettled', [], { earlier, state, resource, rows, command, ...place })
      : failure('earlier_resource_failed', [], { earlier, state, resource, rows, command, ...place });
  }
  if (why.why === 'import_failed') return failure('account_import_failed', [], { rows, resource });
  return why.why === 'not_asked'
    ? failure('account_not_asked', [], { reason: state, rows, resource })
    : failure('account_not_imported', [], { state, rows, resource });
}
