import { preciseInstantOfClock } from '../../core/values/instant.ts';
import type { Ending } from '../output/run-document.ts';
import type { UnsentRows } from '../output/cohort-result.ts';
import { WaitingAccounts } from '../push/account-queue.ts';
import { watchAccounts, type AccountQuestions, type NotReady } from '../push/account-watch.ts';
import { cohortRun } from '../push/cohort-run.ts';
import { drain, type DrainEnd } from '../push/drain.ts';
import type { RunReport } from '../push/ports/report.ts';
import type { DrainRun } from '../push/ports/run.ts';
import type { RunFile } from '../run-file/run-file.ts';
import type { RunsFolder } from '../run-file/runs-folder.ts';
import { cohortAccounts } from './cohort-accounts.ts';
import { endReasonOf, reportWithReason } from './end-reason.ts';
import { assertConserved, endingAfter } from './ending.ts';
import { holdsOfRetries } from './holds.ts';
import { commandsAfter } from './next-commands.ts';
import { reportWithRetries } from './retried-report.ts';
import {
  afterErasing,
  deliveryOf,
  errorBudget,
  logged,
  paceOf,
  recordEnd,
  viewOf,
  type SendingChoice,
  type SendingPorts,
} from './send.ts';
import { keepUnsentRows, type UnsentPart } from './unsent-rows.ts';

/** How a cohort is sent. */
export interface CohortSending extends SendingChoice {
  readonly questions: AccountQuestions;
  /** How long accounts that are not imported are waited for, in milliseconds. */
  readonly waitMs: number;
  readonly continueAfterFailure: boolean;
  /** The folder of the runs, and of their retries. */
  readonly folder: RunsFolder;
}

/** A cohort after sending. */
export interface SentCohort {
  /** In the order of the runs. */
  readonly parts: readonly {
    readonly run: string;
    readonly report: RunReport;
    readonly ending: Ending;
    readonly earlierRequests: number;
  }[];
  readonly accounts: { readonly total: number; readonly done: number };
  readonly unsent: readonly UnsentRows[];
}

/**
 * Sends what is open in the runs of a cohort, as accounts become ready. An account's records of one run are settled before
 * those of the next begin. Accounts are sent side by side, with one limit for all runs.
 * @throws AppError `totals_unequal`, `run_write_failed`, and those of the questions about accounts
 */
export async function sendCohort(
  runs: readonly RunFile[],
  choice: CohortSending,
  ports: SendingPorts,
): Promise<SentCohort> {
  const { timing, interruption, progress, log, platform } = ports;
  const accounts = cohortAccounts(runs);
  // A retry that another process continues meanwhile holds its accounts until the next command.
  const holds = runs.map((run) => holdsOfRetries(run, choice));
  const earlier = runs.map((run) => run.requestsSoFar());
  const operations = runs.map((run) => run.draining(() => preciseInstantOfClock(timing.nowMs())));
  const whole = cohortRun({
    parts: runs.map((run, part) => ({
      run: operations[part]!,
      accountIn: (account) => accounts.numberIn(part, account),
      waitsForRetry: (account) => holds[part]!.get(account)?.isOpen ?? false,
      hasFailed: (account) => holds[part]!.has(account) || run.cohort.hasFailed(account),
    })),
    accounts: accounts.count,
    continueAfterFailure: choice.continueAfterFailure,
  });
  const pace = paceOf(runs[0]!, choice, timing);
  const queue = new WaitingAccounts({
    count: pace.concurrency,
    onIdle: (isIdle) => progress.emit({ kind: 'idle', isIdle }),
  });
  const over = new AbortController();
  const watching = watchAccounts({
    accounts: openAccounts(whole),
    keyOf: accounts.keyOf,
    questions: choice.questions,
    timing,
    waitMs: choice.waitMs,
    retryForMs: choice.settings.need('retryFor'),
    stopping: AbortSignal.any([interruption.stopping, over.signal]),
    wasUnderWay: accounts.wasUnderWay,
    onUnderWay: accounts.rememberUnderWay,
    onReady: (account) => queue.add(account),
    onWait: (wait) => progress.emit({ kind: 'not_imported', ...wait }),
  }).then(
    (notReady) => {
      const [accounts, limit] = [notReady.size, '--wait-for-accounts'] as const;
      progress.emit({ kind: 'not_imported', accounts, leftMs: 0, answered: true, limit });
      queue.close();
      return notReady;
    },
    (error: unknown) => {
      queue.fail(error);
      return new Map<number, NotReady>();
    },
  );
  const deliveries = runs.map((run) => deliveryOf(run, choice));
  const { end } = await drain(
    {
      delivery: ({ part }) => deliveries[part!]!,
      onReject: runs[0]!.header.options.onReject,
      ...pace,
      errors: errorBudget(runs, choice.flags.maxErrors),
    },
    {
      run: whole,
      accounts: queue,
      platform,
      timing,
      emit: logged(progress.emit, log),
      stopping: interruption.stopping,
      abort: interruption.abort,
    },
  ).finally(() => over.abort());
  const notReady = await watching;
  progress.stop();
  const erased = runs.reduce((ended, run) => afterErasing(run, ended), end);
  const parts = keepUnsentRows(runs, accounts, {
    notReady,
    end: erased,
    continueAfterFailure: choice.continueAfterFailure,
    holds,
    commands: choice.commands,
  });
  const left = openAccountsCount(accounts.count, (account) =>
    runs.some((run, part) => {
      const number = accounts.numberIn(part, account);
      if (number === undefined) return false;
      return operations[part]!.nextAccount(number - 1) === number || run.cohort.isStopped(number);
    }),
  );
  const firstOpen = runs.findIndex((run) => run.isOpen);
  return {
    parts: runs.map((run, index) => ({
      ...endedPart(run, { unsent: parts[index]!, saysWhy: index === firstOpen }, erased, { choice, ports }),
      earlierRequests: earlier[index]!,
    })),
    accounts: { total: accounts.count, done: accounts.count - left },
    unsent: parts.flatMap(({ counts }) => counts),
  };
}

function* openAccounts(run: Pick<DrainRun, 'nextAccount'>): Generator<number> {
  for (let account = run.nextAccount(0); account !== undefined; account = run.nextAccount(account))
    yield account;
}

function openAccountsCount(count: number, isOpen: (account: number) => boolean): number {
  let open = 0;
  for (let account = 1; account <= count; account++) if (isOpen(account)) open++;
  return open;
}

/** A run of the cohort as it is reported. `saysWhy`: whether it reports why the command ended early, because one of them is enough. */
function endedPart(
  run: RunFile,
  { unsent, saysWhy }: { readonly unsent: UnsentPart; readonly saysWhy: boolean },
  end: DrainEnd,
  { choice, ports }: { readonly choice: CohortSending; readonly ports: SendingPorts },
): Omit<SentCohort['parts'][number], 'earlierRequests'> {
  const { commands, folder } = choice;
  const resume = commands.resume(run.header);
  const { report: counted, ending: ended } = reportWithRetries(run, {
    folder,
    commands,
    view: viewOf(run, choice),
  });
  assertConserved(counted);
  if (!run.isOpen) return { run: run.header.id, report: counted, ending: ended };
  const reason = endReasonOf(end, counted.rows, resume);
  const file = run.header.sources[0]!.name;
  const report = reportWithReason(counted, saysWhy ? reason : null, { file, resume });
  const ending =
    end.kind === 'finished'
      ? ({ exit: unsent.waits ? 'UNFINISHED' : 'PARTIAL', resumable: true, next: resume } as const)
      : endingAfter(end, report, {
          resume,
          after: commandsAfter(run, commands),
          isOpen: true,
          interrupted: ports.interruption.exit(),
        });
  recordEnd(run, { exit: ending.exit, reason });
  return { run: run.header.id, report, ending };
}
