import { AppError } from '../../core/app-error.ts';
import { DESCRIPTORS } from '../../core/contract/resources.ts';
import { instantOfClock } from '../../core/values/instant.ts';
import type { Io } from '../io.ts';
import { rowsSentence } from '../output/run-summary.ts';
import type { RunReport } from '../push/ports/report.ts';
import type { OnReject } from '../push/ports/run.ts';
import type { RunFile } from '../run-file/run-file.ts';
import type { RunHeader } from '../run-file/run-header.ts';
import { RETRIED, type Retried } from '../run-file/retrying.ts';
import type { RunsFolder } from '../run-file/runs-folder.ts';
import { newRunId } from './begin.ts';
import { copyOfRejects, type NextCommands } from './next-commands.ts';
import type { BatchLimits } from '../push/ports/staging.ts';
import { planRetried } from '../push/plan.ts';

/** Which records a new run takes over from an earlier one. */
export interface TakeOverChoice {
  /** All that may be retried when left out. */
  readonly only?: Retried | undefined;
  /**
   * Takes records that another run has taken over already. For payment instructions it takes refused records instead, which the
   * interface forbids to send again unchanged (interface.md 4.5).
   */
  readonly again: boolean;
  readonly onReject?: OnReject | undefined;
  readonly limits: BatchLimits;
}

interface TakeOverPorts {
  readonly folder: RunsFolder;
  readonly commands: NextCommands;
  readonly io: Pick<Io, 'timing' | 'version'>;
}

/**
 * Makes a new run of records of an earlier one. They are marked in the earlier run first. If the process dies before the
 * new run is whole, the same command takes them again, and at no moment two runs can send them.
 * @throws AppError `run_never_staged`, `run_nothing_to_retry`, `run_rows_final`, `run_forgotten`, `run_retried`
 */
export function takeOver(parent: RunFile, choice: TakeOverChoice, ports: TakeOverPorts): RunFile {
  const { folder, io } = ports;
  if (parent.condition === 'never_staged') throw new AppError('run_never_staged', { run: parent.header.id });
  const header = {
    ...parent.header,
    createdAt: instantOfClock(io.timing.nowMs()),
    toolVersion: io.version(),
    parent: parent.header.id,
    options: { ...parent.header.options, onReject: choice.onReject ?? parent.header.options.onReject },
  };
  const id = newRunId(header, folder);
  const unborn = parent.retrying.takers().filter((taker) => takerOf(taker, folder) === undefined);
  const outcomes = choice.only === undefined ? RETRIED : [choice.only];
  // Removed before their records are passed on: a process that dies in between leaves no file that nobody knows.
  for (const from of unborn) folder.remove(from);
  for (const from of unborn) parent.retrying.passOn(from, id);
  const taken = parent.retrying.giveAway({
    outcomes,
    by: id,
    // A command that died is typed again, and its records must not be sent from two runs.
    again: choice.again && !isFinal(parent),
    exceptFinal: !choice.again && isFinal(parent),
  });
  if (taken === 0 && unborn.length === 0) throw nothingToTake(parent, outcomes, ports);

  const run = folder.create({ ...header, id });
  try {
    stageTaken(run, parent, choice.limits);
    return run;
  } catch (error) {
    run.close();
    throw error;
  }
}

/** Whether refused records of a run must not be sent again in the same form (interface.md 4.5). */
function isFinal({ header }: RunFile): boolean {
  return DESCRIPTORS[header.resource].refusal.final !== null;
}

function stageTaken(run: RunFile, parent: RunFile, limits: BatchLimits): void {
  const doubtful = run.retrying.take(parent.retrying.givenTo(run.header.id));
  const staging = run.staging();
  run.index();
  planRetried(staging, limits);
  staging.commit();
  run.retrying.markInDoubt(doubtful);
  run.finishStaging(parent.mappedSources);
}

/** Why no record can be taken: none ended so, another run took them, or their payloads are erased. */
function nothingToTake(
  parent: RunFile,
  outcomes: readonly Retried[],
  { folder, commands }: TakeOverPorts,
): AppError {
  const run = parent.header.id;
  const { rows } = parent.report();
  if (outcomes.every((outcome) => rows[outcome] === 0))
    return new AppError('run_nothing_to_retry', { run, outcomes: outcomes.join(' or ') });
  const by = parent.retrying.takers().at(-1);
  if (by === undefined && outcomes.includes('rejected') && isFinal(parent) && parent.state !== 'cleared') {
    const copy = copyOfRejects(parent.header, commands) ?? commands.show(parent.header);
    return new AppError('run_rows_final', { run, copy });
  }
  const taker = by === undefined ? undefined : takerOf(by, folder);
  if (by === undefined || !taker) return new AppError('run_forgotten', { run });
  const { header, isOpen, report } = taker;
  const state = isOpen ? 'is unfinished' : `has ended with ${rowsSentence(report)}`;
  const next = isOpen ? commands.resumeById(header) : commands.show(header);
  // Once the other run has ended, its records are not here any more, so --new cannot take them.
  const again = isOpen && !isFinal(parent) ? '; --new takes them once more' : '';
  return new AppError('run_retried', { run, by, state, next, again });
}

/** A run that took records over. */
interface Taker {
  readonly header: RunHeader;
  readonly isOpen: boolean;
  readonly report: RunReport;
}

/** Undefined when the run was never whole. @throws AppError `run_locked` while another process sends it, `run_damaged` */
function takerOf(id: string, folder: RunsFolder): Taker | undefined {
  if (!folder.ids().includes(id)) return undefined;
  const run = folder.open(id);
  try {
    if (run.condition === 'never_staged') return undefined;
    return { header: run.header, isOpen: run.isOpen, report: run.report() };
  } finally {
    run.close();
  }
}

/**
 * Records that another run took over are sent before the rest of their accounts.
 * @throws AppError `run_taken_over` while the other run is unfinished, `run_locked` while it is being sent
 */
export function assertTakersDone(run: RunFile, folder: RunsFolder, commands: NextCommands): void {
  for (const by of run.retrying.takers()) {
    const taker = takerOf(by, folder);
    if (!taker?.isOpen) continue;
    const resume = commands.resumeById(taker.header);
    throw new AppError('run_taken_over', { run: run.header.id, by, resume });
  }
}

/**
 * Erases the records of a finished run from the run that it took them from. This run has what is left of them. Every command
 * that ends or shows the run does that, because the command that sent the last record may have been killed.
 */
export function releaseParent(run: RunFile, folder: RunsFolder): void {
  const { parent, id } = run.header;
  if (parent === null || run.isOpen) return;
  try {
    const earlier = folder.open(parent);
    try {
      earlier.retrying.eraseGivenTo(id);
    } finally {
      earlier.close();
    }
  } catch (error) {
    // Only tidying up: a run that is gone, damaged or in use stays as it is.
    if (!(error instanceof AppError)) throw error;
  }
}
