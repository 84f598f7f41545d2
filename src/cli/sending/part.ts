import { AppError } from '../../core/app-error.ts';
import { preciseInstantOfClock } from '../../core/values/instant.ts';
import type { SourceFlags } from '../command/flags.ts';
import { openRows } from '../ending/ending.ts';
import { Journal } from '../journal/journal.ts';
import { scopeOf, type JournalScope } from '../journal/database/run-header.ts';
import { nameOf } from '../journal/journals-folder.ts';
import { scratchReading, type Reading } from '../journal/reading.ts';
import type { EventSink } from '../push/events.ts';
import type { RunChoice, RunCohort } from '../push/ports/run.ts';
import { stage, type StageEnd } from '../push/stage/stage.ts';
import { openSources, type RunSources } from '../sources/sources.ts';
import { accountsOfIds, firstSupplier } from '../sources/second-reading.ts';
import { headerOf, newId, type NewRunHeader, type VersionFlags } from '../sources/version.ts';
import type { Sending } from './sending.ts';
import type { MovedRow } from '../journal/merge/comparison.ts';
import { cellOf } from '../mapping/column-map.ts';
import { locateOwnProblem } from '../push/own-problem.ts';
import { conflictProblem, vanishedProblem } from '../push/stage/history-conflicts.ts';
import { DESCRIPTORS, type Resource } from '../../core/contract/resources.ts';
import type { BatchLimits } from '../push/ports/staging.ts';
import type { AppliedContract } from '../sources/applied-contract.ts';
import type { Settings } from '../settings/settings.ts';

export type PartFlags = SourceFlags & VersionFlags;

export type OpenedPart = Awaited<ReturnType<typeof openPart>>;

/** The reading of one resource, ready to be sent. */
export interface Part {
  readonly run: Reading;
  /** Undefined for a reading that no journal keeps: nothing of it is sent. */
  readonly journal: Journal | undefined;
  readonly sources: RunSources;
  /** `begun`: read by this command. `continued`: an earlier command has read the files. `finished`: everything has arrived before. */
  readonly kind: 'begun' | 'continued' | 'finished';
  readonly staged: StageEnd;
}

/** A part whose files are read, checked and compared with the journal. */
export interface ReadPart extends Part {
  /** Brings the journal to the state of the files. Undefined for a part that its journal has already, or must not have. */
  readonly takeOver?: () => Promise<Part>;
  /** Says of each row what the journal knows, where it is not taken over. */
  readonly giveOutcomes?: () => void;
}

/** Opens the files of a resource and finds out which version they are. */
export async function openPart(sending: Sending, flags: PartFlags, cohort?: RunCohort) {
  const { settings, ports, contract, scopeOf: targetOf } = sending;
  const sources = await openSources(flags, settings, ports, contract);
  const supplier = settings.get('supplier');
  const place = {
    scope: targetOf(flags.resource),
    supplier,
    io: ports.io,
    ...(cohort && { cohort: cohort.name }),
  };
  const header = headerOf(flags, sources, place);
  // With the setting a row of another supplier is invalid.
  const scope = scopeOf(header, supplier ?? (await firstSupplier(sources)));
  const { onReject = 'stop', onExisting = 'reject', skipInvalid = false } = sending.flags;
  const { userName: user } = ports.io;
  const of = { ...(cohort && { cohort }), ...(user !== undefined && { user }) };
  const choice: RunChoice = { onReject, onExisting, skipInvalid, words: sending.words, ...of };
  return { sources, header, scope, choice };
}

/** Takes what was read over into its journal, from which it can be sent. */
export async function takenOver(sending: Sending, part: ReadPart): Promise<Part> {
  const { listed, folder } = sending;
  const taken = (await part.takeOver?.()) ?? part;
  const { journal, run } = taken;
  if (journal) listed?.reads({ journal: nameOf(folder, journal.path), reading: run.header.id });
  return taken;
}

/** Finds the reading of the files, or reads them beside the journal. */
export async function readPart(sending: Sending, opened: OpenedPart, emit: EventSink): Promise<ReadPart> {
  const { sources, header, scope, choice } = opened;
  if (!sending.reached) return readBeside(sending, opened, emit);
  const journal = sending.folder.open(scope);
  assertShards(sending, scope);
  if (!journal) return readFirst(sending, opened, emit);
  sending.ports.onClose(() => journal.close());
  journal.assertWhole();
  journal.endEarlier(nowOf(sending));
  const readings = journal.readings().filter((reading) => reading.isStaged());
  const known = knownReading(header, { readings, again: sending.flags.again ?? false });
  const isFinished = known !== undefined && hasNothingLeft(known);
  // Later readings may have brought records of its rows to other accounts.
  const isNewest = known?.number === readings[0]?.number;
  if (!known || !(isFinished || isNewest)) return readAgain(sending, opened, { emit, journal });
  // A row that the platform has otherwise is an error each time.
  if (isFinished && (choice.skipInvalid || known.changedRows() === 0)) {
    known.holdOthers();
    return { run: known, journal, sources, kind: 'finished', staged: STAGED };
  }
  return { ...takenUp(sending, known, journal, choice), sources };
}

/** The reading of the very version, when its rows are still those of the files and can be sent. */
function knownReading(
  { version }: NewRunHeader,
  { readings, again }: { readings: readonly Reading[]; again: boolean },
): Reading | undefined {
  if (again) return undefined;
  const reading = readings.find(({ header }) => header.version === version);
  return reading?.isWhole() && reading.condition !== 'forgotten' ? reading : undefined;
}

/** Whether the same command would send nothing of a reading, and erase nothing. */
function hasNothingLeft(run: Reading): boolean {
  const rows = run.rows();
  return openRows(rows) === rows.invalid && !run.hasTextsToErase();
}

/** A reading of an earlier command, ready to be sent again. Its files are not needed. */
function takenUp(sending: Sending, run: Reading, journal: Journal, choice: RunChoice): Omit<Part, 'sources'> {
  run.takeUp({ now: nowOf(sending), choice, again: sending.flags.again ?? false });
  return { run, journal, kind: 'continued', staged: choice.skipInvalid ? STAGED : stagedWhole(run) };
}

const STAGED: StageEnd = { kind: 'staged' };

/** Whether a reading has rows that keep the others from being sent without `--skip-invalid`. */
function stagedWhole(run: Reading): StageEnd {
  if (run.hasInvalidRows()) return { kind: 'invalid', unusable: false };
  return run.changedRows() > 0 ? { kind: 'conflicting' } : STAGED;
}

const isStaged = ({ kind }: StageEnd): boolean => kind === 'staged' || kind === 'conflicting';

/** Reads the files into a journal of their own, because there is none of them yet. It gets its name when it is taken over. */
async function readFirst(sending: Sending, opened: OpenedPart, emit: EventSink): Promise<ReadPart> {
  const { folder } = sending;
  const { sources, scope, choice } = opened;
  const header = { ...opened.header, id: newId(opened.header) };
  const path = folder.fileOf(scope);
  if (folder.beside(scope).length > 0) {
    const journal = Journal.empty(path, scope, header);
    sending.ports.onClose(() => journal.close());
    return readAgain(sending, opened, { emit, journal });
  }
  const run = Journal.begin(path, scope, header, choice);
  sending.ports.onClose(() => Journal.discard(path, run));
  const staged = await stagedInto(sending, opened, { run, emit });
  const read = { run, journal: undefined, sources, kind: 'begun', staged } as const;
  if (!isStaged(staged)) return read;
  const takeOver = async (): Promise<Part> => {
    run.finish(nowOf(sending));
    const journal = Journal.placed(path, run);
    sending.ports.onClose(() => journal.close());
    journal.see();
    return { ...read, run: journal.reading(1), journal };
  };
  return { ...read, takeOver };
}

/** Reads the files, and compares them with the journal that has their records, into which they are taken over. */
async function readAgain(
  sending: Sending,
  opened: OpenedPart,
  { emit, journal }: { readonly emit: EventSink; readonly journal: Journal },
): Promise<ReadPart> {
  const { folder, flags } = sending;
  const { sources, choice } = opened;
  const again = flags.again ?? false;
  const run = scratchOf(
    sending,
    opened.header,
    journal.readings().map(({ header }) => header.id),
  );
  const { path, scope } = journal;
  const others = again ? [] : folder.beside(scope);
  const comparison = journal.comparedWith(run, { others, again });
  run.compareWith(comparison);
  let staged = await stagedInto(sending, opened, { run, emit });
  const moved = isStaged(staged) ? await movedRows(sources, comparison.mayHaveMoved()) : [];
  if (moved.length > 0) {
    comparison.keepMoved(moved);
    if (!choice.skipInvalid) staged = { kind: 'conflicting' };
  }
  const read = { run, journal: undefined, sources, kind: 'begun', staged } as const;
  if (!isStaged(staged)) {
    comparison.giveOutcomes();
    return read;
  }
  const takeOver = async (): Promise<Part> => {
    const merging = { comparison, choice, now: nowOf(sending), again };
    const merged = Journal.merged(path, run, merging);
    sending.ports.onClose(() => merged.journal.close());
    run.close();
    reportMoved(merged.reading, moved);
    await reportVanished(merged.reading, sources);
    const { staged: whole } = takenUp(sending, merged.reading, merged.journal, choice);
    // Invalid rows have been seen and accepted (`--skip-invalid`).
    return {
      ...read,
      run: merged.reading,
      journal: merged.journal,
      staged: staged.kind === 'staged' ? STAGED : whole,
    };
  };
  return { ...read, takeOver, giveOutcomes: () => comparison.giveOutcomes() };
}

/** Reads the files of a command that keeps no journal: a dry run, which is compared with the journal. */
async function readBeside(sending: Sending, opened: OpenedPart, emit: EventSink): Promise<Part> {
  const { folder, flags } = sending;
  const { sources, scope } = opened;
  const run = scratchOf(sending, opened.header);
  const journal = folder.open(scope);
  if (!journal)
    for (const { error } of folder.removedOf(scope)) {
      const { file = '', head = '', resource = '', target = '', links = 0 } = error.facts;
      const facts = { file, head, resource, target, links };
      sending.ports.output.emit({ kind: 'warning', code: 'run_removed', facts });
    }
  const comparison = journal?.comparedWith(run, {
    others: [],
    again: flags.again ?? false,
    isForgotten: true,
  });
  if (comparison) run.compareWith(comparison);
  const staged = await stagedInto(sending, opened, { run, emit });
  comparison?.giveOutcomes();
  if (isStaged(staged)) run.finish(nowOf(sending));
  return { run, journal: undefined, sources, kind: 'begun', staged };
}

function scratchOf(sending: Sending, header: NewRunHeader, taken: readonly string[] = []): Reading {
  const run = scratchReading({ ...header, id: newId(header, taken) });
  sending.ports.onClose(() => run.close());
  return run;
}

async function stagedInto(
  { settings, contract, interruption }: Sending,
  { sources, header, choice }: OpenedPart,
  { run, emit }: { readonly run: Reading; readonly emit: EventSink },
): Promise<StageEnd> {
  const limits = batchLimits(header.resource, settings, contract);
  const policy = { limits, skipInvalid: choice.skipInvalid };
  try {
    return (await stage(sources.job, policy, run, { emit, stopping: interruption.stopping }))!;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'run_write_failed') throw error;
    const { reason, remedy } = error.facts as Record<'reason' | 'remedy', string>;
    throw new AppError('run_not_writable', { folder: run.db.name, reason, remedy }, error);
  }
}

/** Another number of shards has to wait until nothing of the earlier one is open. */
function assertShards({ folder }: Sending, scope: JournalScope): void {
  for (const { path, kind, name } of folder.beside(scope)) {
    if (kind !== 'count') continue;
    const journal = Journal.open(path);
    const isOpen = journal.isOpen();
    journal.close();
    if (!isOpen) continue;
    const reason = 'it has records that have not arrived, and another number of shards';
    throw new AppError('run_inaccessible', { file: name, reason, remedy: 'Finish it first' });
  }
}

const nowOf = ({ ports }: Pick<Sending, 'ports'>): string => preciseInstantOfClock(ports.io.timing.nowMs());

// Problems that only the journal and all rows of the files show together.

/** The rows of `found` whose record is no row of its old account any more, so that it has moved. */
async function movedRows(sources: RunSources, found: readonly MovedRow[]): Promise<readonly MovedRow[]> {
  const accounts = await accountsOfIds(
    sources,
    found.map(({ id }) => id),
  );
  const moved = found.filter(({ account, id }) => !accounts.get(id)!.has(account));
  // Journals of several numbers of shards may have the same record.
  return [...new Map(moved.map((row) => [`${row.account}\0${row.id}`, row])).values()];
}

/** Reports the rows whose records have moved here from accounts of other shards. */
function reportMoved(run: Reading, rows: readonly MovedRow[]): void {
  const sources = run.mappedSources();
  const problems = rows.map(({ seq, source, line, file, earlierLine, run: since }) => {
    const earlier = { file, line: earlierLine, run: since, wasCompared: true };
    const moved = { seq, source, line, kind: 'moved', earlier, differs: [] } as const;
    const problem = conflictProblem(run.header.resource, moved);
    const { name, columns } = sources[source - 1]!;
    return locateOwnProblem(problem, { ...cellOf(columns, problem.path), file: name, line });
  });
  run.keepProblems(problems);
}

/** Warns of records on the platform that no row is any more. The row of a shard may be one of another shard by now. */
async function reportVanished(run: Reading, files: RunSources): Promise<void> {
  const { sources, options } = run.header;
  const vanished = [...run.vanished()];
  const ids = options.selection.shard ? vanished.flatMap(({ id }) => id ?? []) : [];
  const accounts = await accountsOfIds(files, ids);
  // An id that several accounts have is no sign of a move.
  const gone = vanished.filter(({ id }) => id === null || accounts.get(id)?.size !== 1);
  const problems = gone.map((record) => {
    const named = sources.find((source) => (source.place ?? source.name) === record.place) ?? sources[0]!;
    return locateOwnProblem(vanishedProblem(record), { file: named.name });
  });
  run.keepProblems(problems);
}

/** Most bytes in one request. A request that a platform finds too large is cut in halves. */
const MAX_BATCH_BYTES = 1_048_576;

/** The limits of a request. A resource without a list is sent one by one. */
function batchLimits(
  resource: Resource,
  settings: Settings,
  contract: AppliedContract | undefined,
): BatchLimits {
  const { list, maxRecords = Infinity } = (contract?.descriptors ?? DESCRIPTORS)[resource];
  return {
    records: list === null ? 1 : Math.min(settings.need('batchSize'), maxRecords),
    bytes: MAX_BATCH_BYTES,
  };
}
