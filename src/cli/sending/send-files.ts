import { AppError } from '../../core/app-error.ts';
import { entryOf } from '../../core/error-codes/table.ts';
import { addedByName, total } from '../../core/values/counts.ts';
import { namingCommand } from '../ending/next-commands.ts';
import { lockResource } from '../journal/database/resource-lock.ts';
import type { Reading } from '../journal/reading.ts';
import type { Progress } from '../output/progress/progress.ts';
import type { Ending, RunResult, SendingPlan } from '../output/run/run-document.ts';
import type { EventSink, PushEvent } from '../push/events.ts';
import { NO_PROBLEMS, type ProblemReport } from '../push/ports/listed-problems.ts';
import type { RunEnd } from '../push/ports/report.ts';
import type { RunCohort } from '../push/ports/run.ts';
import type { AccountQuestions } from '../push/send/account-watch.ts';
import type { StageEnd } from '../push/stage/stage.ts';
import {
  openPart,
  readPart,
  takenOver,
  type OpenedPart,
  type Part,
  type PartFlags,
  type ReadPart,
} from './part.ts';
import { sendParts } from './send-parts.ts';
import type { Sending } from './sending.ts';
import { viewOf } from './shown-report.ts';
import { unsentEnding } from './unsent-ending.ts';

/** The checks between the files of a cohort, and what the platform says of its accounts. */
interface CohortChoice {
  readonly check: (runs: readonly Reading[]) => Promise<ProblemReport>;
  readonly questions: (sending: Sending) => AccountQuestions;
}

/**
 * Sends what has not arrived of the files of one resource, or of a cohort: it takes up the readings of these versions or reads the files, and
 * sends once all of them may be sent. Returns how they were sent, or why nothing was.
 */
export async function sendFiles(
  sending: Sending,
  given: readonly { flags: PartFlags; cohort?: RunCohort }[],
  { check, questions }: Partial<CohortChoice> = {},
) {
  const { ports, folder, shard, reached, elapsedMs } = sending;
  const opened: OpenedPart[] = [];
  for (const { flags, cohort } of given) opened.push(await openPart(sending, flags, cohort));
  // Before the files of any part are read.
  if (reached) for (const { scope } of opened) ports.onClose(lockResource(folder.path, scope, shard));
  const progress = await ports.output.progress();
  ports.onClose(progress.stop);
  const read: ReadPart[] = [];
  let checks = NO_PROBLEMS;
  let isSendable: boolean;
  try {
    await readAll(sending, opened, { read, progress });
    isSendable = read.every(({ staged }) => staged.kind === 'staged');
    // Files that a journal has were checked before, unless a conflict kept them from it, which a person may have settled.
    const isUnchecked = read.some(
      ({ kind, run }) =>
        kind === 'begun' || (kind === 'continued' && (run.changedRows() > 0 || run.isConfirmedSince())),
    );
    if (check && isSendable && isUnchecked) checks = await check(read.map(({ run }) => run));
  } catch (error) {
    const { code, facts } = error instanceof AppError ? error : { code: null, facts: {} };
    leave(read, { exit: code ? entryOf(code).exit : 'BUG', reason: code && { code, facts } });
    throw error;
  }
  isSendable &&= checks.errorsTotal === 0;
  const parts: Part[] = [];
  for (const part of read) {
    // A conflict is kept, so that it can be shown. Other files that are not sent are as if they had not been read.
    const isTaken = isSendable || part.staged.kind === 'conflicting';
    if (!isTaken) part.giveOutcomes?.();
    parts.push(isTaken ? await takenOver(sending, part) : part);
  }
  const ended = { parts, checks, accounts: null, unsent: [] };
  if (!reached || !isSendable) {
    progress.stop();
    const runs = unsentRuns(parts, sending, checks.errorsTotal > 0);
    return { ...ended, runs, isSent: false, durationMs: elapsedMs() };
  }
  progress.emit(planned(parts.map(({ run }) => run)));
  const { cohort } = opened[0]!.choice;
  const sent = await namingCommand(sending.again, () =>
    sendParts(parts, sending, {
      progress,
      checks: checks.warningGroups,
      ...(cohort && questions && { cohort: { ...cohort, questions: questions(sending) } }),
    }),
  );
  return { ...ended, ...sent, isSent: true, durationMs: elapsedMs() };
}

/** Every resource is read, also when rows of an earlier one are invalid, so that all problems are reported at once. */
async function readAll(
  sending: Sending,
  opened: readonly OpenedPart[],
  { read, progress }: { read: ReadPart[]; progress: Progress },
): Promise<void> {
  let [rows, invalid] = [0, 0];
  for (const part of opened) {
    const of = opened.length > 1 ? { resource: part.header.resource } : {};
    const ofPart = (rowsOfPart: number, invalidOfPart: number) =>
      ({ kind: 'staging', ...of, rows: rows + rowsOfPart, invalid: invalid + invalidOfPart }) as const;
    const emit: EventSink = (event) =>
      progress.emit(event.kind === 'staging' ? { ...event, ...ofPart(event.rows, event.invalid) } : event);
    const prepared = await readPart(sending, part, emit);
    read.push(prepared);
    const counts = prepared.run.rows();
    progress.emit(ofPart(counts.read, counts.invalid));
    rows += counts.read;
    invalid += counts.invalid;
  }
}

/** Leaves readings of which this command has sent nothing. Those in a journal remember how it ended. */
function leave(parts: readonly Part[], end: RunEnd): void {
  for (const part of parts) if (part.journal && part.kind !== 'finished') part.run.recordEnd(end);
}

/** The work that earlier commands have left in runs, and what answers have settled of it. */
function planned(runs: readonly Reading[]): Extract<PushEvent, { kind: 'planned' }> {
  const settled = runs.map((run) => {
    const { created, existing, uncompared, verify, rejected } = run.rows();
    return { created, existing, uncompared, verify, rejected };
  });
  const records = total(runs, (run) => run.openWork().records);
  return { kind: 'planned', records, settled: addedByName(settled) };
}

/** What was found while reading, the one that keeps most rows back first. */
const WORST_FIRST: readonly StageEnd['kind'][] = ['interrupted', 'invalid', 'conflicting', 'staged'];

/** The results of parts of which nothing was sent. `isContradictory`: a check between their files has failed. */
function unsentRuns(
  parts: readonly Part[],
  sending: Sending,
  isContradictory: boolean,
): readonly RunResult[] {
  const worst = WORST_FIRST.flatMap((kind) => parts.find(({ staged }) => staged.kind === kind) ?? [])[0]!;
  const { baseUrl, again, commands, interruption } = sending;
  const plans = parts.map(({ run }): SendingPlan => ({
    target: baseUrl === '' ? null : baseUrl,
    ...run.openWork(),
  }));
  const kind = isContradictory ? 'invalid' : worst.staged.kind;
  const isKept = kind === 'conflicting' && worst.journal !== undefined;
  const next = {
    staged: plans.every(({ records }) => records === 0) ? null : SENDS_THEM,
    interrupted: again,
    invalid: `correct the invalid rows in their file, then: ${again}`,
    conflicting: isKept ? commands.unresolved(worst.run.header) : LISTS_THEM,
  };
  const ending: Ending = { ...unsentEnding(kind, interruption, next), resumable: isKept };
  const runs = parts.map(({ run, journal }, index): RunResult => ({
    run: journal ? run.header.id : null,
    report: run.report(viewOf(run, sending)),
    ending,
    ...(ending.exit === 'OK' && { plan: plans[index]! }),
  }));
  leave(parts, { exit: ending.exit, reason: null });
  return runs;
}

const SENDS_THEM = 'the same command without --dry-run sends these rows';
const LISTS_THEM =
  'the same command without --dry-run keeps a list of these rows for the operator of the platform';
