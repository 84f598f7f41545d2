import { AppError } from '../../core/app-error.ts';
import type { CommandPorts } from '../command/command-ports.ts';
import { targetOf } from '../command/connection.ts';
import { openSourceFile } from '../csv/source-file.ts';
import type { SendingFlags } from '../command/flags.ts';
import type { CohortResult } from '../output/run/cohort-result.ts';
import type { RunResult } from '../output/run/run-document.ts';
import type { Shard } from '../push/ports/run.ts';
import type { IndexedRun } from '../run-file/history/history-index.ts';
import { History } from '../run-file/history/history.ts';
import type { RunFile } from '../run-file/run-file.ts';
import { platformOf } from '../run-file/database/run-header.ts';
import { RunsFolder } from '../run-file/runs-folder.ts';
import { assertAnswersReadable, assertSameContract } from '../sources/applied-contract.ts';
import { rejectsAfterSending, rejectsOfRun } from '../rejects/rejects.ts';
import { sentCohort, unsentCohort } from '../migrate/migrate-files.ts';
import { assertSameTarget, nextCommands, sameCommand } from '../ending/next-commands.ts';
import { hasArrived, openRun, takenUp, type Part } from '../sending/part.ts';
import { planned } from '../sending/planned.ts';
import { viewOf, viewOfFiles } from '../sending/report-view.ts';
import { finishedResult, keepUnsent, sendingPlan, unsentEnding } from '../sending/results.ts';
import { sendRuns } from '../sending/send-parts.ts';
import {
  elapsedMs,
  lock,
  openProgress,
  openSending,
  type CommandChoice,
  type Sending,
} from '../sending/sending.ts';

export interface ResumeFlags extends SendingFlags {
  /** The newest run when left out. */
  readonly run?: string;
  /** File for copies of the refused rows of the run. */
  readonly rejects?: string;
}

/** Goes on with a run, or with the cohort that it belongs to, from the run files. */
export async function resumed(
  flags: ResumeFlags,
  { settings, globals }: Omit<CommandChoice, 'words'>,
  ports: CommandPorts,
): Promise<RunResult | CohortResult> {
  const { io, onClose } = ports;
  const commands = nextCommands(settings, globals, io.cwd);
  const folder = new RunsFolder(settings.need('runDir'));
  const history = History.openKnown(folder);
  onClose(() => history.close());
  const found = runsToResume(history, flags.run, settings.get('baseUrl'));
  const [{ target, shard }] = found as [IndexedRun];
  assertSameTarget(found[0]!, settings, commands);
  const choice = {
    flags,
    settings,
    commands,
    shard: shardOfText(shard),
    target: targetOf(settings, io, target),
    history,
  };
  const sending = await openSending(choice, ports);
  const runs = found.map(({ id, resource }) => {
    lock(sending, resource);
    const run = openRun(sending, history, id);
    assertResumable(run, sending);
    return run;
  });
  await warnOfChangedFiles(runs, ports);
  const again = commands.resume(found[0]!);
  const named = runs.find(({ header }) => header.id === flags.run) ?? runs[0]!;
  const rejects = await rejectsOfRun(flags.rejects, named, { cwd: io.cwd, onClose });
  const notes = () => rejectsAfterSending(named, { ...rejects, view: viewOfFiles(named, sending) });
  const parts = runs.map((run) => resumedPart(run, sending));
  const { cohort } = runs[0]!.choice;
  if (!cohort) return { ...(await sentAlone(parts[0]!, sending, again)), notes: await notes() };
  const inOrder = parts.toSorted(byPlace);
  const result = inOrder.every(({ staged }) => staged.kind === 'staged')
    ? await sentCohort(inOrder, sending, { cohort, again })
    : unsentCohort(cohort.name, inOrder, { again }, sending);
  const ofNamed = { notes: await notes() };
  return {
    ...result,
    parts: result.parts.map((part) => (part.run === named.header.id ? { ...part, ...ofNamed } : part)),
  };
}

/**
 * The newest run, or the named one, with the newest runs of its cohort.
 * @throws AppError `run_none`, `run_not_found`, and why a run cannot be read
 */
function runsToResume(
  history: History,
  id: string | undefined,
  target: string | undefined,
): readonly IndexedRun[] {
  const all = history.runs();
  const first =
    id === undefined
      ? (all.find((run) => run.target === target) ?? all[0])
      : all.find((run) => run.id === id);
  const unreadable = id === undefined ? [...history.unreadable.values()][0] : history.unreadable.get(id);
  if (unreadable && (first === undefined || id !== undefined)) throw unreadable;
  if (first === undefined) throw history.missing(id);
  if (first.cohort === null) return [first];
  const isOfCohort = (run: IndexedRun): boolean =>
    run.cohort === first.cohort && platformOf(run) === platformOf(first) && run.shard === first.shard;
  // The newest run of each resource. The first one is the named one.
  const byResource = new Map(
    [first, ...all.filter(isOfCohort)].toReversed().map((run) => [run.resource, run]),
  );
  return [...byResource.values()];
}

function shardOfText(text: string | null): Shard | undefined {
  const [index, count] = text?.split('/').map((part) => Number.parseInt(part, 10)) ?? [];
  return index === undefined || count === undefined ? undefined : { index, count };
}

/** @throws AppError `run_never_staged`, `run_forgotten`, `texts_erased`, `run_other_contract`, `contract_answers_unreadable` */
function assertResumable(run: RunFile, { flags, contract }: Sending): void {
  const { condition, header, choice } = run;
  if (condition === 'never_staged') throw new AppError('run_never_staged', { run: header.id });
  if (condition === 'forgotten') throw new AppError('run_forgotten', { run: header.id });
  if (flags.again && !run.hasAllTexts) {
    const command = sameCommand(choice.words, header.options.selection.shard);
    throw new AppError('texts_erased', { run: header.id, command });
  }
  assertSameContract(header, contract);
  assertAnswersReadable(contract, header.resource);
}

function resumedPart(run: RunFile, sending: Sending): Part {
  const part = hasArrived(run, sending.flags)
    ? ({ run, kind: 'finished', staged: { kind: 'staged' } } as const)
    : takenUp(sending, run, run.choice, run.choice);
  return { sources: undefined, ...part };
}

const byPlace = (a: Part, b: Part): number => placeOf(a) - placeOf(b);

/** The place of a resource in its cohort. */
const placeOf = ({ run }: Part): number => run.choice.cohort?.place ?? 0;

/** Says that a file is not what a run has read, and how the new version is sent. */
async function warnOfChangedFiles(runs: readonly RunFile[], { io, output }: CommandPorts): Promise<void> {
  for (const run of runs) {
    const { sources, inputs } = run.header;
    for (const { name, sha256 } of [...sources.filter(({ place }) => place !== null), ...inputs]) {
      const now = await hashOf(name, io.cwd);
      if (now === sha256) continue;
      const command = sameCommand(run.choice.words, run.header.options.selection.shard);
      const what = now === undefined ? 'is not there any more' : 'is not what this run has read';
      output.emit({
        kind: 'notice',
        text: `${name} ${what}; \`${command}\` sends the present version`,
      });
    }
  }
}

/** The hash of the content of a file; undefined when it cannot be read. */
async function hashOf(name: string, cwd: string): Promise<string | undefined> {
  try {
    const file = await openSourceFile(name, cwd);
    await file.close();
    return file.fingerprint.sha256;
  } catch {
    return undefined;
  }
}

async function sentAlone(part: Part, sending: Sending, again: string): Promise<RunResult> {
  const { run, staged, kind } = part;
  if (kind === 'finished') return finishedResult(part, sending, again);
  if (staged.kind !== 'staged') {
    const { records } = sendingPlan(run, sending);
    const report = run.report(viewOf(run, sending));
    const ending = unsentEnding(staged, sending, { again, run, records, report });
    keepUnsent(run, sending, { exit: ending.exit, reason: null });
    return { run: run.header.id, report, ending, durationMs: elapsedMs(sending) };
  }
  const progress = await openProgress(sending, planned([run]));
  const sent = await sendRuns([run], sending, { progress, again });
  return { ...sent.runs[0]!, durationMs: elapsedMs(sending), speed: sent.speed };
}
