import { total } from '../../core/values/counts.ts';
import type { CommandPorts } from '../command/command-ports.ts';
import type { Cohort } from './read-cohort.ts';
import type { SendingFlags } from '../command/flags.ts';
import type { CohortResult } from '../output/run/cohort-result.ts';
import type { ProblemReport } from '../push/ports/listed-problems.ts';
import type { Progress } from '../output/progress/progress.ts';
import type { Ending } from '../output/run/run-document.ts';
import type { EventSink } from '../push/events.ts';
import type { RunCohort, Shard } from '../push/ports/run.ts';
import { duration } from '../settings/parsers.ts';
import { accountNumberField, existingStatuses } from '../sources/applied-contract.ts';
import { shardOf } from '../sources/shard.ts';
import { checkedCohort, UNCHECKED } from './checked-cohort.ts';
import { resourceFlags } from './cohort-files.ts';
import { furthestFromDone } from '../ending/ending.ts';
import { nextCommands, sameCommand } from '../ending/next-commands.ts';
import type { StageEnd } from '../push/stage/stage.ts';
import {
  lockParts,
  openPart,
  readPart,
  takenOver,
  type OpenedPart,
  type Part,
  type ReadPart,
} from '../sending/part.ts';
import { planned } from '../sending/planned.ts';
import { viewOf } from '../sending/report-view.ts';
import { sendingPlan, unsentEnding } from '../sending/results.ts';
import { sendParts } from '../sending/send-parts.ts';
import {
  elapsedMs,
  openProgress,
  openSending,
  type CommandChoice,
  type Sending,
} from '../sending/sending.ts';
import { AppError } from '../../core/app-error.ts';
import { entryOf } from '../../core/error-codes/table.ts';
import type { RunEnd } from '../push/ports/report.ts';
import { importProcesses, transferStatus, type QueryTarget } from '../client/account-queries.ts';
import type { AccountQuestions } from '../push/send/account-watch.ts';

export interface MigrateFlags extends SendingFlags {
  readonly cohort: string;
  readonly dryRun?: boolean;
  readonly shard?: Shard | 'auto';
  /** In milliseconds; the cohort file decides when left out. */
  readonly waitForAccounts?: number;
}

/** How a cohort goes on. `again`: the command. */
interface CohortCommand {
  readonly cohort: RunCohort;
  readonly again: string;
  readonly checks?: ProblemReport;
  readonly progress?: Progress;
}

/** Sends what has not arrived of the files of a cohort, as `pushFiles` does of one resource. */
export async function migrateFiles(
  given: MigrateFlags,
  { cohort, settings, globals, words, listed }: CommandChoice & { readonly cohort: Cohort },
  ports: CommandPorts,
): Promise<CohortResult> {
  const { io } = ports;
  const flags = {
    ...given,
    ...(cohort.document.on_reject && !given.onReject && { onReject: cohort.document.on_reject }),
  };
  const shard = shardOf(flags.shard, io.env);
  const commands = nextCommands(settings, globals, io.cwd);
  const resources = resourceFlags(cohort, io.cwd);
  const sending = await openSending({ flags, settings, commands, shard, listed }, ports);
  const again = sameCommand(words, shard);
  const opened: OpenedPart[] = [];
  for (const [index, of] of resources.entries())
    opened.push(await openPart(sending, { ...of, ...(shard && { shard }) }, placeIn(cohort, flags, index)));
  lockParts(sending, opened);
  const progress = await openProgress(sending);
  const read = await readParts(sending, opened, { cohort, flags, words, progress });
  const whole = { cohort: placeIn(cohort, flags, 0), again, progress };
  const isStaged = read.every(({ staged }) => staged.kind === 'staged');
  // Files that a journal has were checked before, unless a conflict kept them from it.
  const isUnchecked = read.some(
    ({ kind, run }) => kind === 'begun' || (kind === 'continued' && run.changedRows() > 0),
  );
  const checks = isStaged && isUnchecked ? await checkedOrLeft(cohort, read, sending) : UNCHECKED;
  const isSendable = isStaged && checks.errorsTotal === 0;
  const parts: Part[] = [];
  for (const part of read)
    // A conflict is kept, so that it can be shown. Other files that are not sent are as if they had not been read.
    parts.push(isSendable || part.staged.kind === 'conflicting' ? await takenOver(sending, part) : part);
  if (sending.reached && isSendable) return sentCohort(parts, sending, { ...whole, checks });
  progress.stop();
  return unsentCohort(cohort, parts, { checks, again }, sending);
}

function placeIn(cohort: Cohort, { waitForAccounts }: MigrateFlags, index: number): RunCohort {
  const { after_failure, wait_for_accounts } = cohort.document;
  const wait = duration(wait_for_accounts ?? '');
  return {
    name: cohort.name,
    file: cohort.file,
    place: index + 1,
    continuesAfterFailure: after_failure === 'continue',
    waitMs: waitForAccounts ?? ('value' in wait ? wait.value : 0),
  };
}

/** Every resource is read, also when rows of an earlier one are invalid, so that all problems are reported at once. */
async function readParts(
  sending: Sending,
  opened: readonly OpenedPart[],
  {
    cohort,
    flags,
    words,
    progress,
  }: { cohort: Cohort; flags: MigrateFlags; words: readonly string[]; progress: Progress },
): Promise<readonly ReadPart[]> {
  const parts: ReadPart[] = [];
  let [rows, invalid] = [0, 0];
  try {
    for (const [index, part] of opened.entries()) {
      const { resource } = part.header;
      const ofPart = (rowsOfPart: number, invalidOfPart: number) =>
        ({ kind: 'staging', resource, rows: rows + rowsOfPart, invalid: invalid + invalidOfPart }) as const;
      // The plan of the cohort is reported once, when every resource is read.
      const emit: EventSink = (event) => {
        if (event.kind === 'staging') progress.emit({ ...event, ...ofPart(event.rows, event.invalid) });
        else if (event.kind !== 'planned') progress.emit(event);
      };
      const prepared = await readPart(sending, part, {
        cohort: placeIn(cohort, flags, index),
        emit,
        words,
      });
      parts.push(prepared);
      const read = prepared.run.rows();
      progress.emit(ofPart(read.read, read.invalid));
      rows += read.read;
      invalid += read.invalid;
    }
    return parts;
  } catch (error) {
    throw left(parts, error);
  }
}

async function checkedOrLeft(
  cohort: Cohort,
  parts: readonly Part[],
  sending: Sending,
): Promise<ProblemReport> {
  try {
    const runs = parts.map(({ run }) => run);
    return await checkedCohort(cohort, runs, sending.ports, sending.flags.showValues ?? false);
  } catch (error) {
    throw left(parts, error);
  }
}

/** Sends the runs of a cohort, account by account. */
async function sentCohort(
  parts: readonly Part[],
  sending: Sending,
  { cohort, again, checks = UNCHECKED, ...given }: CohortCommand,
): Promise<CohortResult> {
  const runs = parts.map(({ run }) => run);
  const progress = given.progress ?? (await openProgress(sending, planned(runs)));
  if (given.progress) progress.emit(planned(runs));
  const { continuesAfterFailure, waitMs } = cohort;
  const sent = await sendParts(parts, sending, {
    progress,
    again,
    cohort: { continuesAfterFailure, waitMs, questions: questionsOf(sending) },
    checks: checks.warningGroups,
  });
  const endings = sent.runs.map(({ ending }) => ending);
  return resultOf(cohort.name, sent.runs, {
    checks,
    accounts: sent.accounts,
    unsent: sent.unsent,
    ending: cohortEnding(endings, {
      again,
      unresolved: runs.map(({ header }) => sending.commands.unresolved(header)),
      verify: sending.commands.verify(cohort.file),
    }),
    durationMs: elapsedMs(sending),
  });
}

/** The exit of the resource that is furthest from done. `verify` names the steps that only a person can take, of all resources. */
function cohortEnding(
  endings: readonly Ending[],
  {
    again,
    unresolved,
    verify,
  }: { readonly again: string; readonly unresolved: readonly string[]; readonly verify: string },
): Ending {
  const { exit, next } = furthestFromDone(endings);
  const resumable = endings.some((ending) => ending.resumable);
  const steps = new Set(endings.flatMap((ending) => ending.next ?? []));
  if (exit === 'OK') return { exit, resumable, next: null };
  return {
    exit,
    resumable,
    next: steps.has(again) ? again : steps.size > 1 || unresolved.includes(next ?? '') ? verify : next,
  };
}

/** What was found while reading, the one that keeps most rows back first. */
const WORST_FIRST: readonly StageEnd['kind'][] = ['interrupted', 'invalid', 'conflicting', 'staged'];

/** The result of a cohort of which nothing was sent. Runs that no later command needs are discarded. */
function unsentCohort(
  cohort: Cohort,
  parts: readonly Part[],
  { checks = UNCHECKED, again }: { checks?: ProblemReport; again: string },
  sending: Sending,
): CohortResult {
  const worst = WORST_FIRST.flatMap((kind) => parts.find(({ staged }) => staged.kind === kind) ?? [])[0]!;
  const isContradictory = worst.staged.kind === 'staged' && checks.errorsTotal > 0;
  const runs = parts.map(({ run }) => run);
  const plans = runs.map((run) => sendingPlan(run, sending));
  const end: StageEnd = isContradictory ? { kind: 'invalid', unusable: false } : worst.staged;
  const records = total(plans, (plan) => plan.records);
  const kept = worst.journal ? worst.run : null;
  const reports = runs.map((run) => run.report(viewOf(run, sending)));
  const ofWorst = unsentEnding(end, sending, {
    again,
    run: kept,
    records,
  });
  const isConflict = end.kind === 'conflicting' && kept !== null;
  // `verify` names the conflicts of all resources.
  const ending = isConflict ? { ...ofWorst, next: sending.commands.verify(cohort.file) } : ofWorst;
  const isPlan = ending.exit === 'OK';
  const ofParts = parts.map((part, index) => ({
    run: part.journal ? part.run.header.id : null,
    report: reports[index]!,
    ending,
    ...(isPlan && { plan: plans[index]! }),
  }));
  const result = resultOf(cohort.name, ofParts, { checks, ending, durationMs: elapsedMs(sending) });
  leave(parts, { exit: ending.exit, reason: null });
  return result;
}

/** Leaves readings of which this command has sent nothing. Those in a journal remember how it ended. */
function leave(parts: readonly Part[], end: RunEnd): void {
  for (const part of parts) if (part.journal && part.kind !== 'finished') part.run.recordEnd(end);
}

/** Leaves runs because of an error. Returns the error. */
function left(parts: readonly Part[], error: unknown): unknown {
  const reason = error instanceof AppError ? error : null;
  leave(parts, {
    exit: reason ? entryOf(reason.code).exit : 'BUG',
    reason: reason && { code: reason.code, facts: reason.facts },
  });
  return error;
}

/** The result of a cohort of which nothing was sent, but for what `rest` says. */
function resultOf(
  name: string,
  parts: CohortResult['parts'],
  rest: Pick<CohortResult, 'ending' | 'durationMs'> & Partial<CohortResult>,
): CohortResult {
  const unsent = { checks: UNCHECKED, accounts: null, unsent: [] };
  return { name, parts, ...unsent, ...rest };
}

function questionsOf({ reached, baseUrl, settings, contract }: Sending) {
  const ask = (of: Parameters<typeof accountNumberField>[0]) => ({
    platform: reached!.platform,
    baseUrl,
    accountNumberField: accountNumberField(of, settings, contract),
  });
  const existing = existingStatuses(settings, contract);
  return accountQuestions(ask('account-import-processes'), { ...ask('account-transfer-status'), existing });
}

/** Asks the platform about accounts, by its lists and by the status of single accounts. */
function accountQuestions(lists: QueryTarget, status: QueryTarget): AccountQuestions {
  return {
    list: (supplier) =>
      importProcesses(lists, supplier, 'all').then(
        (accounts) =>
          new Map(accounts.map(({ external_account_number: number, isImported }) => [number, isImported])),
        // A supplier without accounts may be answered so (interface.md 4.7).
        (error: unknown) =>
          codeOf(error) === 'account_list_not_found' ? new Map<string, boolean>() : unlessPassing(error),
      ),
    status: ({ import_supplier: supplier, external_account_number: number }) =>
      transferStatus(status, supplier, number).then(
        // A deployment may have another status for an account that exists.
        (answer) => (status.existing?.includes(answer.status) ? 'COMPLETED' : answer.status),
        (error: unknown) =>
          codeOf(error) === 'import_process_does_not_exist' ? 'missing' : unlessPassing(error),
      ),
  };
}

/**
 * A failure that may pass is no answer. Any other ends the watch. A refused token may pass: after the third in a row it has another code
 * (ports/platform.ts).
 */
function unlessPassing(error: unknown): undefined {
  if (['connection_failed', 'authentication_failed'].includes(codeOf(error) ?? '')) return undefined;
  throw error;
}

const codeOf = (error: unknown): string | undefined => (error instanceof AppError ? error.code : undefined);
