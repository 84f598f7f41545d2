import { AppError } from '../../core/app-error.ts';
import { observer } from '../../core/observer.ts';
import type { Progress } from '../output/progress/progress.ts';
import { WaitingAccounts, cohortRun } from '../push/send/account-queue.ts';
import { watchAccounts, type AccountQuestions, type NotReady } from '../push/send/account-watch.ts';
import type { DrainEnd } from '../push/send/drain.ts';
import {
  addsUp,
  totalsUnequal,
  arrivedRows,
  unequalTotals,
  type ProblemGroup,
  type RunReport,
} from '../push/ports/report.ts';
import type { DrainRun, RunCohort } from '../push/ports/run.ts';
import { changedProblem } from '../push/stage/history-conflicts.ts';
import type { Journal } from '../journal/journal.ts';
import type { Reading } from '../journal/reading.ts';
import { cohortAccounts, type CohortAccounts, keepUnsentRows, type UnsentPart } from './unsent-rows.ts';
import { afterErasing, drainingOf, drainRuns } from './drain-runs.ts';
import { reportWithReason, viewOf } from './shown-report.ts';
import type { Part } from './part.ts';
import { endingOf, stopOf } from '../ending/ending.ts';
import type { Sending } from './sending.ts';

export interface CohortSending extends Pick<RunCohort, 'continuesAfterFailure' | 'waitMs'> {
  readonly questions: AccountQuestions;
}

/**
 * Sends what is open in runs, and says how that ended and what to type next. With `cohort` an account's
 * records of one run are settled before those of the next begin, and nothing of an account is sent before it is imported. `checks`: the
 * warnings of the checks between its files.
 * @throws AppError `record_differs`, and those of the questions about accounts; `run_write_failed` when a journal cannot even be read
 *   any more
 */
export async function sendParts(
  parts: readonly Part[],
  sending: Sending,
  {
    progress,
    cohort,
    checks,
  }: { progress: Progress; cohort?: CohortSending; checks: readonly ProblemGroup[] },
) {
  const runs = parts.map(({ run }) => run);
  const earlier = runs.map((run) => ({ requests: run.requestsSoFar(), arrived: arrivedRows(run.rows()) }));
  // Where nothing is left to send the report says them once.
  const open = runs.filter(({ isOpen }) => isOpen);
  const printed = printWarnings(open, sending, { progress, checks });
  const drained = await drainedWhole(parts, sending, { progress, cohort });
  progress.stop();
  const end = runs.reduce((ended, run) => afterErasing(run, ended), drained.end);
  const { ofCohort } = drained;
  const unsent = ofCohort
    ? keepUnsentRows(runs, ofCohort.accounts, {
        notReady: ofCohort.notReady,
        end,
        continuesAfterFailure: cohort!.continuesAfterFailure,
      })
    : runs.map((): UnsentPart => ({ counts: [], waits: false }));
  // One run alone says why the command ended early.
  const firstOpen = runs.findIndex((run) => run.isOpen);
  const ended = runs.map((run, index) => {
    const saysWhy = index === firstOpen;
    const sentRun = endedRun(run, { end, unsent: unsent[index]!, saysWhy }, sending);
    const { requests, arrived } = earlier[index]!;
    return {
      ...sentRun,
      earlierRequests: requests,
      arrivedNow: arrivedRows(sentRun.report.rows) - arrived,
      ...(index === 0 && { printed }),
    };
  });
  // What was committed is in the journal, whatever became of its folder.
  const see = observer(
    (journal: Journal) => journal.see(),
    () => undefined,
  );
  for (const { journal } of parts) if (journal) see(journal);
  return {
    runs: ended,
    accounts: ofCohort ? doneAccounts(runs, ofCohort.accounts) : null,
    unsent: unsent.flatMap(({ counts }) => counts),
  };
}

/** Sends what is open; and then rows that waited for a record in doubt with other content, which is settled by now. */
async function drainedWhole(
  parts: readonly Part[],
  sending: Sending,
  { progress, cohort }: { progress: Progress; cohort: CohortSending | undefined },
) {
  for (;;) {
    const drained = cohort
      ? await drainCohort(parts, sending, { progress, cohort })
      : await drainAlone(parts[0]!, sending, progress);
    const isMore = parts.map(({ run }) => settlesPending(run)).some(Boolean);
    if (drained.end.kind !== 'finished' || !isMore) return drained;
  }
}

async function drainAlone(part: Part, sending: Sending, progress: Progress) {
  const end = await drainRuns([part.run], sending, { run: drainingOf(part, sending), progress });
  return { end, ofCohort: undefined };
}

/** The next command settles these rows when the disk is full. */
function settlesPending(run: Reading): boolean {
  let isMore = false;
  const problemOf = changedProblem.bind(undefined, run.header.resource);
  ignoringFullDisk(() => void (isMore = run.settlePending(problemOf)));
  return isMore;
}

/** Prints the warnings about the rows, while a person can still stop the command. Returns them. */
function printWarnings(
  runs: readonly Reading[],
  sending: Sending,
  { progress, checks }: { progress: Progress; checks: readonly ProblemGroup[] },
): readonly ProblemGroup[] {
  const groups = [...runs.flatMap((run) => run.warnings(viewOf(run, sending))), ...checks];
  if (groups.length > 0) progress.above(() => sending.ports.output.emit({ kind: 'row_warnings', groups }));
  return groups;
}

/** A run as it is reported after sending. */
function endedRun(
  run: Reading,
  { end, unsent, saysWhy }: { end: DrainEnd; unsent: UnsentPart; saysWhy: boolean },
  sending: Sending,
) {
  const { commands, interruption, again } = sending;
  const { header, isOpen } = run;
  const counted = run.report(viewOf(run, sending));
  assertConserved(counted);
  const { code, facts } = end.reason ?? {};
  // Where nothing ended the run early, the problems of the rows say why it is open.
  const reason = isOpen && code ? { code, facts: { resume: again, ...facts } } : null;
  const file = header.sources[0]!.name;
  const report = reportWithReason(counted, saysWhy ? reason : null, { file, resume: again });
  const stop = stopOf(end, interruption.exit()) ?? (unsent.waits ? 'UNFINISHED' : null);
  const ending = endingOf(report, stop, { again, unresolved: commands.unresolved(header), isOpen });
  const asked = unsent.counts.flatMap((group) => group.asked ?? [])[0];
  if (isOpen && ending.exit !== 'OK')
    ignoringFullDisk(() =>
      run.recordEnd({ exit: ending.exit, reason, ...(asked !== undefined && { asked }) }),
    );
  return { run: header.id, report, ending };
}

/** Every row has one outcome, and the totals are those that were read. */
function assertConserved(report: RunReport): void {
  const [unequal] = unequalTotals(report);
  if (addsUp(report.rows) && !unequal) return;
  const detail = unequal
    ? `${unequal.type ?? 'all'}: read ${unequal.read}, accepted ${unequal.accepted}`
    : JSON.stringify(report.rows);
  throw totalsUnequal(`the run ${report.run}`, detail);
}

/** The result is shown although the disk is full. */
function ignoringFullDisk(act: () => void): void {
  try {
    act();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
  }
}

/** Sends the records of accounts as they become ready, side by side, with one limit for all runs. */
async function drainCohort(
  parts: readonly Part[],
  sending: Sending,
  { progress, cohort }: { progress: Progress; cohort: CohortSending },
) {
  const { ports, interruption, settings } = sending;
  const runs = parts.map(({ run }) => run);
  const accounts = cohortAccounts(runs);
  const operations = parts.map((part) => drainingOf(part, sending));
  const whole = cohortRun({
    parts: runs.map((run, part) => ({
      run: operations[part]!,
      accountIn: (account) => accounts.numberIn(part, account),
      hasFailed: (account) => run.cohort.hasFailed(account),
    })),
    accounts: accounts.count,
    continuesAfterFailure: cohort.continuesAfterFailure,
  });
  const queue = new WaitingAccounts();
  const over = new AbortController();
  /** Asks the platform which accounts are imported, and lets those be sent. Returns the others. */
  const watch = async (): Promise<ReadonlyMap<number, NotReady>> => {
    try {
      const notReady = await watchAccounts({
        accounts: openAccounts(whole),
        keyOf: accounts.keyOf,
        questions: cohort.questions,
        timing: ports.io.timing,
        waitMs: cohort.waitMs,
        retryForMs: settings.need('retryFor'),
        stopping: AbortSignal.any([interruption.stopping, over.signal]),
        wasUnderWay: accounts.wasUnderWay,
        onUnderWay: accounts.rememberUnderWay,
        onReady: (account) => queue.add(account),
        onWait: (wait) => progress.emit({ kind: 'not_imported', ...wait }),
      });
      const limit = '--wait-for-accounts';
      progress.emit({ kind: 'not_imported', accounts: notReady.size, leftMs: 0, answered: true, limit });
      queue.close();
      return notReady;
    } catch (error) {
      queue.close(error);
      return new Map();
    }
  };
  const watching = watch();
  const end = await drainRuns(runs, sending, { run: whole, accounts: queue, progress }).finally(() =>
    over.abort(),
  );
  return { end, ofCohort: { accounts, notReady: await watching } };
}

function* openAccounts(run: Pick<DrainRun, 'nextAccount'>): Generator<number> {
  for (let account = run.nextAccount(0); account !== undefined; account = run.nextAccount(account))
    yield account;
}

/** An account is done when each of its valid records has arrived, in all runs. */
function doneAccounts(runs: readonly Reading[], accounts: CohortAccounts): { total: number; done: number } {
  const isOpen = (account: number): boolean =>
    runs.some((run, part) => {
      const number = accounts.numberIn(part, account);
      return number !== undefined && !run.cohort.isDone(number);
    });
  let done = accounts.count;
  for (let account = 1; account <= accounts.count; account++) if (isOpen(account)) done--;
  return { total: accounts.count, done };
}
