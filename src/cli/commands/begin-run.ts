import { AppError } from '../../core/app-error.ts';
import type { Resource } from '../../core/contract/resources.ts';
import { instantOfClock } from '../../core/values/instant.ts';
import type { CommandContext } from '../command.ts';
import type { RequestOptions, RunOptions } from '../push/ports/run.ts';
import { RunFile } from '../run-file/run-file.ts';
import type { RunHeader } from '../run-file/run-header.ts';
import type { RunsFolder } from '../run-file/runs-folder.ts';
import type { RejectedSource } from './rejects-file.ts';
import { resumeLine, showLine } from './runs-folder.ts';
import { contentHash } from './stage-sources.ts';

/** What of a command line is written down with a run, and whether it may begin. */
export interface BegunRun extends RequestOptions, Partial<Pick<RunOptions, 'onReject' | 'onAmbiguous'>> {
  readonly resource: Resource;
  readonly dryRun?: boolean;
  /** Whether an unfinished run of the same content is no reason to stop. */
  readonly new?: boolean;
}

/**
 * Begins a run in its file.
 * @throws AppError `run_unfinished_exists`, `run_finished_exists`, `run_of_file_exists`, `run_locked`, `run_damaged`, `run_not_writable`
 */
export async function beginRun(
  options: BegunRun,
  parts: {
    readonly sources: readonly RejectedSource[];
    readonly inputs: RunHeader['inputs'];
    readonly folder: RunsFolder;
    /** Base URL; empty when nothing is to be sent. */
    readonly target: string;
  },
  context: CommandContext,
): Promise<RunFile> {
  const { sources, inputs, folder, target } = parts;
  const { io } = context;
  const contentSha256 = contentHash(sources.map(({ file }) => file));
  const createdAt = instantOfClock(io.timing.nowMs());
  const headerOf = (id: string): RunHeader => ({
    id,
    resource: options.resource,
    target,
    options: {
      checkPreviouslyAdded: options.checkPreviouslyAdded,
      forceAddToCurrentStatement: options.forceAddToCurrentStatement,
      onReject: options.onReject ?? 'stop',
      onAmbiguous: options.onAmbiguous ?? 'resend',
    },
    toolVersion: io.version(),
    createdAt,
    sources: sources.map(({ file, mappedBy }) => ({ name: file.name, ...file.fingerprint, mappedBy })),
    inputs,
    contentSha256,
    parent: null,
  });
  const wanted = { ...options, contentSha256, target, names: sources.map(({ file }) => file.name) };
  const newId = (): string => folder.newId(createdAt, options.resource, contentSha256);
  // What is not to be sent is not to be resumed either.
  if (options.dryRun) return RunFile.scratch(headerOf(newId()));
  const begun = folder.alone(() => {
    const second = options.new ? undefined : runToRefuseFor(folder, wanted);
    return second ?? folder.create(headerOf(newId()));
  });
  if (begun instanceof RunFile) return begun;
  throw await refusalFor(begun, context);
}

async function refusalFor({ header, is }: EarlierRun, context: CommandContext): Promise<AppError> {
  if (is === 'unfinished')
    return new AppError('run_unfinished_exists', { resume: await resumeLine(header, context) });
  const run = header.id;
  const show = await showLine(header, context);
  return is === 'finished'
    ? new AppError('run_finished_exists', { run, show })
    : new AppError('run_of_file_exists', { run, show });
}

/** Why a run is not to begin, and the one that is there. */
interface EarlierRun {
  readonly header: RunHeader;
  readonly is: 'unfinished' | 'finished' | 'of another version';
}

interface WantedRun extends Pick<RunHeader, 'resource' | 'contentSha256' | 'target'>, RequestOptions {
  /** Of the sources, as they were typed. */
  readonly names: readonly string[];
}

/**
 * A run to the same target, where a second one would send something twice: an unfinished one of the same content, or one
 * that has sent what nobody is to look for.
 * @throws AppError `run_locked`, `run_damaged`
 */
function runToRefuseFor(folder: RunsFolder, wanted: WantedRun): EarlierRun | undefined {
  const addsAgain = wanted.resource === 'transactions' && !wanted.checkPreviouslyAdded;
  for (const listed of folder.runsOf(wanted)) {
    if (listed.state === 'damaged') throw listed.error;
    if (listed.state === 'in_use') throw new AppError('run_locked', { run: listed.id });
    const { id, state, header, run } = listed;
    if (state === 'open') return { header, is: 'unfinished' };
    // Its process died while it read the file: nothing of it was sent.
    if (state === 'never_staged') folder.remove(id);
    else if (addsAgain && hasSent(run)) return { header, is: 'finished' };
  }
  return addsAgain ? runOfOtherVersion(folder, wanted) : undefined;
}

/** A corrected file has the name of the one before, and the rows of it that the platform has. */
function runOfOtherVersion(
  folder: RunsFolder,
  { resource, target, names }: WantedRun,
): EarlierRun | undefined {
  for (const listed of folder.list()) {
    // What cannot be read tells no name.
    if (listed.header === undefined) continue;
    const { header, run } = listed;
    const isOfFile =
      header.resource === resource &&
      header.target === target &&
      header.sources.some(({ name }) => names.includes(name));
    if (isOfFile && hasSent(run)) return { header, is: 'of another version' };
  }
  return undefined;
}

function hasSent(run: RunFile): boolean {
  return run.report().requests.total > 0;
}
