import { AppError } from '../../core/app-error.ts';
import { DESCRIPTORS, type Resource } from '../../core/contract/resources.ts';
import { instantOfClock } from '../../core/values/instant.ts';
import type { Io } from '../io.ts';
import type { RequestOptions, RunOptions } from '../push/ports/run.ts';
import { RunFile } from '../run-file/run-file.ts';
import type { RunHeader } from '../run-file/run-header.ts';
import type { RunsFolder } from '../run-file/runs-folder.ts';
import { otherCohort, rememberCohort } from './cohort.ts';
import type { NextCommands } from './next-commands.ts';
import { isSelectedOtherwise, otherInput } from './same-input.ts';
import type { RunSources } from './sources.ts';

/** Flags that are written down with a run. */
export interface RunFlags extends RequestOptions, Partial<Pick<RunOptions, 'onReject' | 'onAmbiguous'>> {
  readonly resource: Resource;
  readonly skipRecords?: number;
  readonly maxRecords?: number;
  /** Name of the cohort; left out for a run of its own. */
  readonly cohort?: string;
  /** The cohort file as it was typed. */
  readonly cohortFile?: string;
  /** The place of the resource in the order of the cohort. */
  readonly cohortPlace?: number;
  /** Ids of the runs whose records are left out (`--only-new`). */
  readonly since?: readonly string[];
}

/** The header of a new run, except its id. `target`: base URL; empty when nothing is to be sent. `supplier`: the setting. */
export function newRunHeader(
  { skipRecords, maxRecords, since, ...flags }: RunFlags,
  { files, inputs, contentSha256, shard, contract }: RunSources,
  {
    target,
    supplier,
    io,
  }: {
    readonly target: string;
    readonly supplier?: string | undefined;
    readonly io: Pick<Io, 'timing' | 'version'>;
  },
): Omit<RunHeader, 'id'> {
  return {
    resource: flags.resource,
    target,
    options: {
      checkPreviouslyAdded: flags.checkPreviouslyAdded,
      forceAddToCurrentStatement: flags.forceAddToCurrentStatement,
      onReject: flags.onReject ?? 'stop',
      onAmbiguous: flags.onAmbiguous ?? 'resend',
      ...(contract && { contract }),
      ...(flags.cohort !== undefined && { cohort: flags.cohort, cohortPlace: flags.cohortPlace }),
      ...(flags.cohortFile !== undefined && { cohortFile: flags.cohortFile }),
      selection: {
        ...(shard && { shard }),
        ...(skipRecords !== undefined && { skipRecords }),
        ...(maxRecords !== undefined && { maxRecords }),
        ...(supplier !== undefined && { supplier }),
        ...(since !== undefined && { since }),
      },
    },
    toolVersion: io.version(),
    createdAt: instantOfClock(io.timing.nowMs()),
    sources: files.map(({ file, mappedBy }) => ({ name: file.name, ...file.fingerprint, mappedBy })),
    inputs,
    contentSha256,
    parent: null,
  };
}

/**
 * Begins a run in a file of the folder. `evenIfUnfinished`: earlier runs do not matter, nor other shards (`--new`).
 * @throws AppError `cohort_differs`, `cohort_unreadable`, `run_unfinished_exists`, `run_finished_exists`, `run_of_file_exists`, `run_locked`, `run_inaccessible`,
 * `run_version_differs`, `run_damaged`, `run_not_writable`
 */
function beginRun(
  header: Omit<RunHeader, 'id'>,
  folder: RunsFolder,
  { evenIfUnfinished, commands }: { readonly evenIfUnfinished: boolean; readonly commands: NextCommands },
): RunFile {
  return folder.alone(() => {
    if (!evenIfUnfinished) {
      const refusal = otherCohort(header, folder);
      if (refusal) throw refusal;
      const earlier = earlierRun(folder, header);
      if (earlier) throw refusalFor(earlier, commands);
    }
    return createRun(header, folder);
  });
}

/** A run of this command line. `begun`: new. `unfinished`, `finished`: begun by an earlier command. */
export interface ContinuedRun {
  readonly kind: 'begun' | 'unfinished' | 'finished';
  readonly run: RunFile;
}

/**
 * The run of `push --continue`. The newest run of the same content, target and shard decides: it is continued when it is
 * unfinished, and its report is shown when it is finished. Without such a run a new one begins. All this happens while no
 * other process begins a run, and the run stays open, so a second process finds it in use.
 * @throws AppError `run_other_input`, `run_folder_busy`, and those of `beginRun`
 */
function beginOrContinue(
  header: Omit<RunHeader, 'id'>,
  folder: RunsFolder,
  commands: NextCommands,
): ContinuedRun {
  return folder.alone(() => {
    const refusal = otherCohort(header, folder);
    if (refusal) {
      // A finished shard sends nothing, so the shards of another number that came after it do not matter.
      const finished = finishedRun(folder, header);
      if (finished === undefined) throw refusal;
      return { kind: 'finished', run: folder.open(finished) };
    }
    const found = runToContinue(folder, header, commands);
    if (found) return { kind: found.kind, run: folder.open(found.id) };
    const earlier = earlierRun(folder, header);
    if (earlier) throw refusalFor(earlier, { ...commands, resume: commands.resumeById });
    return { kind: 'begun', run: createRun(header, folder) };
  });
}

function createRun(header: Omit<RunHeader, 'id'>, folder: RunsFolder): RunFile {
  rememberCohort(header, folder);
  return folder.create({ ...header, id: newRunId(header, folder) });
}

/** The newest run of the same input and shard, when it has nothing left to do. */
function finishedRun(folder: RunsFolder, wanted: Omit<RunHeader, 'id'>): string | undefined {
  for (const { id, state, header } of folder.runsOf(wanted, wanted.options.selection?.shard)) {
    // What the run of another process has read and sent is not known.
    if (header === undefined) return undefined;
    if (header.parent === null && otherInput(header, wanted).length === 0)
      return state === 'done' ? id : undefined;
  }
  return undefined;
}

function runToContinue(
  folder: RunsFolder,
  wanted: Omit<RunHeader, 'id'>,
  commands: NextCommands,
): { readonly id: string; readonly kind: 'unfinished' | 'finished' } | undefined {
  const whole = [];
  for (const listed of folder.runsOf(wanted, wanted.options.selection?.shard)) {
    if ('error' in listed) throw listed.error;
    // A run of any age: two processes must not send one account.
    if (listed.state === 'in_use') throw new AppError('run_locked', { run: listed.id });
    const { id, state, header } = listed;
    // Its process died while it read the file, so nothing was sent.
    if (state === 'never_staged') folder.remove(id);
    else whole.push({ id, state, header });
  }
  const headers = new Map(whole.map(({ id, header }) => [id, header]));
  const retries: RunHeader[] = [];
  for (const { id, state, header } of whole) {
    // A person has erased what was left of it, so that the file may be pushed again.
    if (state === 'forgotten') return undefined;
    if (header.parent !== null) {
      if (state !== 'done') retries.push(header);
      continue;
    }
    // Of a cohort only the accounts of the retry wait for it (holds.ts).
    const retry = retries.find((each) => header.options.cohort === undefined || rootOf(each, headers) !== id);
    if (retry) throw new AppError('run_unfinished_exists', { resume: commands.resumeById(retry) });
    const differences = otherInput(header, wanted);
    if (differences.length === 0) return { id, kind: state === 'open' ? 'unfinished' : 'finished' };
    // Another part of the rows, such as a trial of ten. A cohort has no trials.
    const isTrial = wanted.options.cohort === undefined && isSelectedOtherwise(differences);
    if (state === 'done' && isTrial) continue;
    throw new AppError('run_other_input', {
      run: id,
      what: differences.join(', '),
      show: commands.show(header),
    });
  }
  return undefined;
}

/** The run that a retry took its records from, directly or not. */
function rootOf({ id, parent }: RunHeader, headers: ReadonlyMap<string, RunHeader>): string {
  const earlier = parent === null ? undefined : headers.get(parent);
  return earlier ? rootOf(earlier, headers) : id;
}

/** The run that files are sent in: the run of an earlier command where `continues`, else a new one. */
export function runOfFiles(
  header: Omit<RunHeader, 'id'>,
  folder: RunsFolder,
  {
    continues,
    ...choice
  }: { readonly continues: boolean; readonly evenIfUnfinished: boolean; readonly commands: NextCommands },
): ContinuedRun {
  if (continues) return beginOrContinue(header, folder, choice.commands);
  return { kind: 'begun', run: beginRun(header, folder, choice) };
}

/** A run that is thrown away: a run that is not to be sent is not to be resumed either. */
export function scratchRun(header: Omit<RunHeader, 'id'>, folder: RunsFolder): RunFile {
  return RunFile.scratch({ ...header, id: newRunId(header, folder) });
}

export function newRunId(header: Omit<RunHeader, 'id'>, folder: RunsFolder): string {
  return folder.newId(
    header.createdAt,
    header.resource,
    header.contentSha256,
    header.options.selection?.shard,
  );
}

/** An earlier run that forbids a new one. */
interface EarlierRun {
  readonly header: RunHeader;
  readonly kind: 'unfinished' | 'finished' | 'of another version';
}

function refusalFor({ header, kind }: EarlierRun, commands: NextCommands): AppError {
  if (kind === 'unfinished')
    return new AppError('run_unfinished_exists', { resume: commands.resume(header) });
  const facts = { run: header.id, show: commands.show(header) };
  return new AppError(kind === 'finished' ? 'run_finished_exists' : 'run_of_file_exists', facts);
}

/**
 * A run to the same target after which a second one would send something twice: an unfinished run of the same content, or
 * a run that has sent records which the platform is asked not to look for.
 * @throws AppError `run_locked`, `run_inaccessible`, `run_version_differs`, `run_damaged`
 */
function earlierRun(folder: RunsFolder, wanted: Omit<RunHeader, 'id'>): EarlierRun | undefined {
  const { query } = DESCRIPTORS[wanted.resource].endpoint;
  const addsAgain = query?.check_previously_added !== undefined && !wanted.options.checkPreviouslyAdded;
  for (const listed of folder.runsOf(wanted, wanted.options.selection?.shard)) {
    if ('error' in listed) throw listed.error;
    if (listed.state === 'in_use') throw new AppError('run_locked', { run: listed.id });
    const { id, state, header, run } = listed;
    if (state === 'open') return { header, kind: 'unfinished' };
    // Its process died while it read the file, so nothing was sent.
    if (state === 'never_staged') folder.remove(id);
    else if (addsAgain && run.hasSent) return { header, kind: 'finished' };
  }
  return addsAgain ? runOfOtherVersion(folder, wanted) : undefined;
}

/** A corrected file has the name of the earlier version, and rows of it that the platform has. */
function runOfOtherVersion(folder: RunsFolder, wanted: Omit<RunHeader, 'id'>): EarlierRun | undefined {
  const names = wanted.sources.map(({ name }) => name);
  for (const listed of folder.list({ resource: wanted.resource })) {
    // A run that cannot be read has no names.
    if (listed.header === undefined) continue;
    const { header, run } = listed;
    const isOfFile =
      header.resource === wanted.resource &&
      header.target === wanted.target &&
      header.sources.some(({ name }) => names.includes(name));
    if (isOfFile && run.hasSent) return { header, kind: 'of another version' };
  }
  return undefined;
}
