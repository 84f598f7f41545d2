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
 * @throws AppError `run_unfinished_exists`, `run_finished_exists`, `run_locked`, `run_damaged`, `run_not_writable`
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
  const newId = (): string => folder.newId(createdAt, options.resource, contentSha256);
  // What is not to be sent is not to be resumed either.
  if (options.dryRun) return RunFile.scratch(headerOf(newId()));
  const begun = folder.alone(() => {
    const second = options.new ? undefined : runToRefuseFor(folder, { ...options, contentSha256, target });
    return second ?? folder.create(headerOf(newId()));
  });
  if (begun instanceof RunFile) return begun;
  if (begun.isOpen)
    throw new AppError('run_unfinished_exists', { resume: await resumeLine(begun.header, context) });
  const show = await showLine(begun.header, context);
  throw new AppError('run_finished_exists', { run: begun.header.id, show });
}

interface EarlierRun {
  readonly header: RunHeader;
  readonly isOpen: boolean;
}

/**
 * A run of the same content to the same target, where a second one would send that twice: an unfinished one, or one that
 * has sent something which nobody is to look for.
 * @throws AppError `run_locked`, `run_damaged`
 */
function runToRefuseFor(
  folder: RunsFolder,
  wanted: Pick<RunHeader, 'resource' | 'contentSha256' | 'target'> & RequestOptions,
): EarlierRun | undefined {
  const addsAgain = wanted.resource === 'transactions' && !wanted.checkPreviouslyAdded;
  for (const listed of folder.runsOf(wanted)) {
    if (listed.state === 'damaged') throw listed.error;
    if (listed.state === 'in_use') throw new AppError('run_locked', { run: listed.id });
    const { id, state, header, run } = listed;
    if (state === 'open') return { header, isOpen: true };
    // Its process died while it read the file: nothing of it was sent.
    if (state === 'never_staged') folder.remove(id);
    else if (addsAgain && run.report().requests.total > 0) return { header, isOpen: false };
  }
  return undefined;
}
