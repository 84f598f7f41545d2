import { AppError } from '../../core/app-error.ts';
import { importProcesses, transferStatus } from '../client/account-queries.ts';
import type { CommandPorts } from '../command/command-ports.ts';
import type { SendingFlags } from '../command/flags.ts';
import { furthestFromDone } from '../ending/ending.ts';
import type { CohortResult } from '../output/run/cohort-result.ts';
import type { Ending } from '../output/run/run-document.ts';
import type { RunCohort, Shard } from '../push/ports/run.ts';
import type { AccountQuestions } from '../push/send/account-watch.ts';
import { sendFiles } from '../sending/send-files.ts';
import { openSending, type CommandChoice, type Sending } from '../sending/sending.ts';
import { duration } from '../settings/parsers.ts';
import { accountNumberField, existingStatuses } from '../sources/applied-contract.ts';
import { checkedCohort } from './checked-cohort.ts';
import { resourceFlags } from './cohort-files.ts';
import type { Cohort } from './read-cohort.ts';

export interface MigrateFlags extends SendingFlags {
  readonly cohort: string;
  readonly dryRun?: boolean;
  readonly shard?: Shard | 'auto';
  /** In milliseconds; the cohort file decides when left out. */
  readonly waitForAccounts?: number;
}

/** Sends what has not arrived of the files of a cohort, as `pushFiles` does of one resource. */
export async function migrateFiles(
  given: MigrateFlags,
  { cohort, ...choice }: CommandChoice & { readonly cohort: Cohort },
  ports: CommandPorts,
): Promise<CohortResult> {
  const flags = {
    ...given,
    ...(cohort.document.on_reject && !given.onReject && { onReject: cohort.document.on_reject }),
  };
  const resources = resourceFlags(cohort, ports.io.cwd);
  const sending = await openSending(flags, choice, ports);
  const { shard, again, commands } = sending;
  const files = resources.map((of, index) => ({
    flags: { ...of, ...(shard && { shard }) },
    cohort: placeIn(cohort, flags, index),
  }));
  const {
    parts,
    runs,
    isSent: _,
    ...rest
  } = await sendFiles(sending, files, {
    check: (read) => checkedCohort(cohort, read, ports, flags.showValues ?? false),
    questions: questionsOf,
  });
  const ending = cohortEnding(
    runs.map(({ ending: ofRun }) => ofRun),
    {
      again,
      unresolved: parts.map(({ run }) => commands.unresolved(run.header)),
      verify: commands.verify(cohort.file),
    },
  );
  return { ...rest, name: cohort.name, parts: runs, ending };
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
  return {
    exit,
    resumable,
    next: steps.has(again) ? again : steps.size > 1 || unresolved.includes(next ?? '') ? verify : next,
  };
}

/** Asks the platform about accounts, by its lists and by the status of single accounts. */
function questionsOf({ reached, baseUrl, settings, contract }: Sending): AccountQuestions {
  const targetOf = (answer: Parameters<typeof accountNumberField>[0]) => ({
    platform: reached!.platform,
    baseUrl,
    accountNumberField: accountNumberField(answer, settings, contract),
  });
  const existing = existingStatuses(settings, contract);
  return {
    list: (supplier) =>
      importProcesses(targetOf('account-import-processes'), supplier, 'all').then(
        (accounts) =>
          new Map(accounts.map(({ external_account_number: number, isImported }) => [number, isImported])),
        // A supplier without accounts may be answered so (interface.md 4.7).
        (error: unknown) =>
          codeOf(error) === 'not_found' ? new Map<string, boolean>() : unlessPassing(error),
      ),
    status: ({ import_supplier: supplier, external_account_number: number }) =>
      transferStatus(targetOf('account-transfer-status'), supplier, number).then(
        // A deployment may have another status for an account that exists.
        ({ status }) => (existing.includes(status) ? 'COMPLETED' : status),
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
