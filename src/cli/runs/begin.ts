import { AppError } from '../../core/app-error.ts';
import { DESCRIPTORS, type Resource } from '../../core/contract/resources.ts';
import { instantOfClock } from '../../core/values/instant.ts';
import type { Io } from '../io.ts';
import type { RequestOptions, RunOptions } from '../push/ports/run.ts';
import { RunFile } from '../run-file/run-file.ts';
import type { RunHeader } from '../run-file/run-header.ts';
import type { RunsFolder } from '../run-file/runs-folder.ts';
import type { NextCommands } from './next-commands.ts';
import type { RunSources } from './sources.ts';

/** Flags that are written down with a run. */
export interface RunFlags extends RequestOptions, Partial<Pick<RunOptions, 'onReject' | 'onAmbiguous'>> {
  readonly resource: Resource;
}

/** The header of a new run, except its id. `target`: base URL; empty when nothing is to be sent. */
export function newRunHeader(
  flags: RunFlags,
  { files, inputs, contentSha256 }: RunSources,
  { target, io }: { readonly target: string; readonly io: Pick<Io, 'timing' | 'version'> },
): Omit<RunHeader, 'id'> {
  return {
    resource: flags.resource,
    target,
    options: {
      checkPreviouslyAdded: flags.checkPreviouslyAdded,
      forceAddToCurrentStatement: flags.forceAddToCurrentStatement,
      onReject: flags.onReject ?? 'stop',
      onAmbiguous: flags.onAmbiguous ?? 'resend',
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
 * Begins a run in a file of the folder. `evenIfUnfinished`: an earlier run of the same content does not matter (`--new`).
 * @throws AppError `run_unfinished_exists`, `run_finished_exists`, `run_of_file_exists`, `run_locked`, `run_inaccessible`,
 * `run_version_differs`, `run_damaged`, `run_not_writable`
 */
export function beginRun(
  header: Omit<RunHeader, 'id'>,
  folder: RunsFolder,
  { evenIfUnfinished, commands }: { readonly evenIfUnfinished: boolean; readonly commands: NextCommands },
): RunFile {
  return folder.alone(() => {
    const earlier = evenIfUnfinished ? undefined : earlierRun(folder, header);
    if (earlier) throw refusalFor(earlier, commands);
    return folder.create({ ...header, id: newRunId(header, folder) });
  });
}

/** A run that is thrown away: a run that is not to be sent is not to be resumed either. */
export function scratchRun(header: Omit<RunHeader, 'id'>, folder: RunsFolder): RunFile {
  return RunFile.scratch({ ...header, id: newRunId(header, folder) });
}

export function newRunId(header: Omit<RunHeader, 'id'>, folder: RunsFolder): string {
  return folder.newId(header.createdAt, header.resource, header.contentSha256);
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
  for (const listed of folder.runsOf(wanted)) {
    if ('error' in listed) throw listed.error;
    if (listed.state === 'in_use') throw new AppError('run_locked', { run: listed.id });
    const { id, state, header, run } = listed;
    if (state === 'open') return { header, kind: 'unfinished' };
    // Its process died while it read the file, so nothing was sent.
    if (state === 'never_staged') folder.remove(id);
    else if (addsAgain && hasSent(run)) return { header, kind: 'finished' };
  }
  return addsAgain ? runOfOtherVersion(folder, wanted) : undefined;
}

/** A corrected file has the name of the earlier version, and rows of it that the platform has. */
function runOfOtherVersion(folder: RunsFolder, wanted: Omit<RunHeader, 'id'>): EarlierRun | undefined {
  const names = wanted.sources.map(({ name }) => name);
  for (const listed of folder.list()) {
    // A run that cannot be read has no names.
    if (listed.header === undefined) continue;
    const { header, run } = listed;
    const isOfFile =
      header.resource === wanted.resource &&
      header.target === wanted.target &&
      header.sources.some(({ name }) => names.includes(name));
    if (isOfFile && hasSent(run)) return { header, kind: 'of another version' };
  }
  return undefined;
}

function hasSent(run: RunFile): boolean {
  return run.report().requests.total > 0;
}
