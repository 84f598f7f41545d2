import { AppError } from '../../core/app-error.ts';
import { preciseInstantOfClock } from '../../core/values/instant.ts';
import type { SourceFlags } from '../command/flags.ts';
import type { EventSink } from '../push/events.ts';
import type { RunChoice, RunCohort } from '../push/ports/run.ts';
import { CHECK_ONLY, stageRun, type CountEnd, type StageEnd } from '../push/stage/stage.ts';
import type { History } from '../run-file/history/history.ts';
import type { IndexedRun } from '../run-file/history/history-index.ts';
import { RunFile } from '../run-file/run-file.ts';
import { warnOfSmallDisk } from './disk-of-runs.ts';
import { openedRun } from '../ending/opened-run.ts';
import { assertAnswersReadable } from '../sources/applied-contract.ts';
import { openSources, type RunSources } from '../sources/sources.ts';
import { batchLimits } from './batch-limits.ts';
import { compareAgain, finishComparison, viewFor } from './history-of-run.ts';
import { restoreTexts } from './restore-texts.ts';
import { keepsRuns, type Sending } from './sending.ts';
import { cohortPlace, headerOf, placeOf, type NewRunHeader, type VersionFlags } from '../sources/version.ts';

/** Flags about the files of one resource. */
export interface PartFlags extends SourceFlags, VersionFlags {
  /** Files that these files replace, as they were named. */
  readonly replaces?: readonly string[];
}

/** The files of one resource, opened, and the run that they belong to. */
export type OpenedPart = Readonly<{
  flags: PartFlags;
  sources: RunSources;
  header: NewRunHeader;
  cohort: RunCohort | undefined;
}>;

/** The run of one resource, ready to be sent. */
export interface Part {
  readonly run: RunFile;
  /** Undefined for a run that goes on without its files. */
  readonly sources: RunSources | undefined;
  /** `begun`: by this command. `continued`: an earlier command has begun it. `finished`: everything has arrived before. */
  readonly kind: 'begun' | 'continued' | 'finished';
  readonly staged: StageEnd;
}

/** What a part is prepared with, beside its files. */
export interface PartChoice {
  readonly cohort?: RunCohort;
  readonly emit: EventSink;
  /** Whether rows that were sent before are kept, because checks between files have to see them. */
  readonly keepsAll: boolean;
  /** The words of the command. */
  readonly words: readonly string[];
}

/** Opens the files of a resource and finds out which version they are. @throws AppError those of `openSources` and `assertAnswersReadable`, `file_named_twice` */
export async function openPart(sending: Sending, flags: PartFlags, cohort?: RunCohort): Promise<OpenedPart> {
  const { settings, ports, contract, scopeOf } = sending;
  if (sending.reached) assertAnswersReadable(contract, flags.resource);
  const sources = await openSources(flags, settings, ports, contract);
  const place = {
    scope: scopeOf(flags.resource),
    supplier: settings.get('supplier'),
    io: ports.io,
  };
  const header = headerOf(flags, sources, place);
  return { flags, sources, header, cohort };
}

/**
 * The run of a version, ready to be sent: an earlier one is continued, and a new one is read, checked and compared with the history.
 * @throws AppError those of `RunsFolder.open`, `run_rolled_back`, `replaced_file_unknown`
 */
export async function preparePart(sending: Sending, opened: OpenedPart, choice: PartChoice): Promise<Part> {
  const { history, reached } = sending;
  const anew = async (): Promise<Part> => ({ ...(await begin(sending, opened, choice)), kind: 'begun' });
  if (!reached || !history) return anew();
  const found = runOfVersion(history, opened.header);
  if (found && !found.isStaged) removeUnsent(sending, found.id);
  if (!found?.isStaged) return anew();
  const run = openRun(sending, history, found.id, (opening) => isFinished(sending, opening, found));
  const isForgotten = run.condition === 'forgotten';
  if (!isForgotten) {
    remember(run, opened, sending);
    if (isFinished(sending, run, found))
      return { run, sources: opened.sources, kind: 'finished', staged: STAGED };
  }
  if (isForgotten || !history.holds(run)) {
    run.close();
    return anew();
  }
  if (sending.flags.again && !(await restoreTexts(run, sending, opened.sources)))
    return { run, sources: opened.sources, kind: 'continued', staged: { kind: 'interrupted' } };
  return { ...takenUp(sending, run, choice), sources: opened.sources };
}

/** The choices of a command that says nothing else. */
const DEFAULTS = {
  onReject: 'stop',
  onExisting: 'reject',
  skipInvalid: false,
} as const;

/** The choices of a command. `before`: those that it keeps unless its flags say otherwise. */
function chosenBy(
  { flags, settings, ports: { io } }: Sending,
  { cohort, words }: { cohort?: RunCohort | undefined; words: readonly string[] },
  before: Pick<RunChoice, keyof typeof DEFAULTS> = DEFAULTS,
): RunChoice {
  const source = settings.resolved('baseUrl')?.source;
  return {
    onReject: flags.onReject ?? before.onReject,
    onExisting: flags.onExisting ?? before.onExisting,
    skipInvalid: flags.skipInvalid ?? before.skipInvalid,
    words,
    ...(cohort && { cohort }),
    ...(io.userName !== undefined && { user: io.userName }),
    ...(source?.kind === 'file' && source.profile !== undefined && { profile: source.profile }),
  };
}

/**
 * A run that an earlier command has begun, ready to be sent again. Its files are not needed. `before`: the choices that the command
 * keeps unless its flags say otherwise.
 */
export function takenUp(
  sending: Sending,
  run: RunFile,
  choice: Pick<PartChoice, 'cohort' | 'words'>,
  before?: RunChoice,
): Omit<Part, 'sources'> {
  const { flags, ports } = sending;
  const history = sending.history!;
  const chosen = chosenBy(sending, { ...choice, cohort: choice.cohort ?? run.choice.cohort }, before);
  run.takeUp({
    now: preciseInstantOfClock(ports.io.timing.nowMs()),
    turn: history.nextTurn,
    choice: chosen,
    again: flags.again ?? false,
    resendsRefused: flags.resendRefused ?? false,
  });
  if (!flags.again) compareAgain({ ...sending, history }, run);
  history.learn(run);
  return { run, kind: 'continued', staged: chosen.skipInvalid ? STAGED : stagedWhole(run) };
}

/**
 * Opens a run that is to be continued, unless `isLeft`. It is closed when the command ends.
 * @throws AppError those of `RunsFolder.open`, `run_rolled_back`
 */
export function openRun(
  { folder, ports }: Sending,
  history: History,
  id: string,
  isLeft?: (run: RunFile) => boolean,
): RunFile {
  const run = openedRun(folder, id, ports, isLeft);
  history.assertCurrent(run);
  return run;
}

const STAGED: StageEnd = { kind: 'staged' };

/** Whether a run has rows that keep the others from being sent without `--skip-invalid`. */
function stagedWhole(run: RunFile): StageEnd {
  if (run.hasInvalidRows) return { kind: 'invalid', unusable: false };
  return run.hasConflicts ? { kind: 'conflicting' } : STAGED;
}

/** The newest run of a version. */
function runOfVersion(history: History, header: NewRunHeader): IndexedRun | undefined {
  const found = history.runs(header).find(({ version }) => version === header.version);
  if (found) {
    const error = history.unreadable.get(found.id);
    if (error) throw error;
  }
  return found;
}

/** Whether everything of a version has arrived, and nothing that other runs have done since says otherwise. */
function isFinished({ flags, history }: Sending, run: RunFile, { turn, places }: IndexedRun): boolean {
  const isReplaced = ({ turn: other, places: its }: IndexedRun): boolean =>
    other > turn && its.some((place) => places.includes(place));
  return hasArrived(run, flags) && !history!.runs(run.header).some(isReplaced) && !history!.isOverruled(run);
}

/** Whether nothing of a run is left, and nothing is to be sent again. */
export function hasArrived({ summary }: RunFile, { again, resendRefused }: Sending['flags']): boolean {
  return summary !== undefined && !again && !resendRefused;
}

/** Remembers other names of the files of a version, their place in a cohort, and the files that they replace. */
function remember(run: RunFile, { header, flags, cohort }: OpenedPart, { ports, history }: Sending): void {
  const replaced = (flags.replaces ?? []).map((file) => {
    const place = placeOf(file, ports.io.cwd);
    const isKnown = history!.runs(header).some(({ places }) => place !== null && places.includes(place));
    if (!isKnown) throw new AppError('replaced_file_unknown', { file });
    return place!;
  });
  const known = run.history.places();
  const inCohort = cohort ? [cohortPlace(cohort.name, header.resource)] : [];
  const added = [...header.sources.flatMap(({ place }) => place ?? []), ...inCohort, ...replaced];
  if (added.some((place) => !known.has(place)))
    run.history.replace(added.filter((place) => !known.has(place)));
}

/** Begins the run of a version, and reads its files. */
async function begin(sending: Sending, opened: OpenedPart, choice: PartChoice): Promise<Omit<Part, 'kind'>> {
  let begun = await beginOnce(sending, opened, choice);
  const again = async (keepsAll: boolean, seesOtherShards: boolean): Promise<void> => {
    discard(sending, begun.run);
    const job = { ...(await opened.sources.jobAgain()), seesOtherShards };
    begun = await beginOnce(
      sending,
      { ...opened, sources: { ...opened.sources, job } },
      { ...choice, keepsAll },
    );
  };
  if (begun.staged.kind === 'records_needed') await again(true, false);
  // A record that is missing here may be on an account of another shard.
  if (sending.shard && begun.run.history.missesRecords()) await again(begun.keepsAll, true);
  if (isStaged(begun.staged) && keepsRuns(sending)) sending.history!.register(begun.run);
  return begun as Omit<Part, 'kind'>;
}

const isStaged = ({ kind }: CountEnd): boolean => kind === 'staged' || kind === 'conflicting';

async function beginOnce(
  sending: Sending,
  opened: OpenedPart,
  choice: PartChoice,
): Promise<Readonly<{ run: RunFile; sources: RunSources; staged: CountEnd; keepsAll: boolean }>> {
  const { sources, header } = opened;
  const { history, interruption, settings, contract, ports } = sending;
  const { emit, keepsAll } = choice;
  const chosen = chosenBy(sending, choice);
  const { skipInvalid } = chosen;
  if (keepsRuns(sending)) warnOfSmallDisk(sending.folder, sources, ports);
  const run = createRun(sending, header, chosen);
  ports.onClose(() => run.close());
  if (history) remember(run, opened, sending);
  const view = sending.flags.again ? undefined : viewFor(sending, header);
  const now = preciseInstantOfClock(ports.io.timing.nowMs());
  if (view) run.compareWhileStaging({ view, keepsAll, now, idOf: history!.idOf });
  const limits = batchLimits(header.resource, settings, contract);
  try {
    const staged = await stageRun(sources.job, { ...CHECK_ONLY, limits, skipInvalid }, run, {
      emit,
      stopping: interruption.stopping,
    });
    if (history && isStaged(staged)) finishComparison({ ...sending, history }, run, view);
    return { run, sources, staged, keepsAll };
  } catch (error) {
    discard(sending, run);
    if (!(error instanceof AppError) || error.code !== 'run_write_failed') throw error;
    const { reason, remedy } = error.facts as Record<'reason' | 'remedy', string>;
    throw new AppError('run_not_writable', { folder: sending.folder.path, reason, remedy }, error);
  }
}

function createRun({ folder, history, reached }: Sending, header: NewRunHeader, choice: RunChoice): RunFile {
  const shard = header.options.selection.shard;
  const { createdAt, resource, contentSha256 } = header;
  const idOf = (): string => folder.newId(createdAt, resource, contentSha256, shard);
  if (!reached || !history) return RunFile.scratch({ ...header, id: idOf() });
  return folder.alone(() => folder.create({ ...header, id: idOf() }, { turn: history.nextTurn, choice }));
}

/** Whether a run of which this command sends nothing stays: an earlier command has begun it, or a person has to settle its rows. */
export function isKept({ kind, staged }: Part, sending: Pick<Sending, 'reached' | 'history'>): boolean {
  return keepsRuns(sending) && (kind !== 'begun' || staged.kind === 'conflicting');
}

/** Removes a run that has sent nothing: half a run is of no use, contains customer data, and may have filled the disk. */
export function discard(sending: Pick<Sending, 'folder' | 'history' | 'reached'>, run: RunFile): void {
  run.close();
  if (keepsRuns(sending)) removeUnsent(sending, run.header.id);
}

function removeUnsent({ folder, history }: Pick<Sending, 'folder' | 'history'>, id: string): void {
  history?.forget(id);
  folder.remove(id);
}
