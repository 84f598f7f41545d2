import { AppError } from '../../core/app-error.ts';
import type { Resource } from '../../core/contract/resources.ts';
import { instantOfClock } from '../../core/values/instant.ts';
import type { CommandContext } from '../command.ts';
import type { RequestOptions, RunOptions } from '../push/ports/run.ts';
import { RunFile } from '../run-file/run-file.ts';
import type { RunHeader } from '../run-file/run-header.ts';
import type { RunsFolder } from '../run-file/runs-folder.ts';
import type { RejectedSource } from './rejects-file.ts';
import { resumeLine } from './runs-folder.ts';
import { contentHash } from './stage-sources.ts';

/** What of a command line is written down with a run, and whether it may begin. */
export interface BegunRun extends RequestOptions, Partial<Pick<RunOptions, 'onReject' | 'onAmbiguous'>> {
  readonly resource: Resource;
  readonly dryRun?: boolean;
  /** Whether an unfinished run of the same content is no reason to stop. */
  readonly new?: boolean;
}

/** Begins a run in its file. @throws AppError `run_unfinished_exists`, `run_locked`, `run_not_writable` */
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
  if (!options.new && !options.dryRun)
    await refuseSecondRun(folder, { ...options, contentSha256, target }, context);
  const createdAt = instantOfClock(io.timing.nowMs());
  const header: RunHeader = {
    id: folder.newId(createdAt, options.resource, contentSha256),
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
  };
  // What is not to be sent is not to be resumed either.
  return options.dryRun ? RunFile.scratch(header) : folder.create(header);
}

/** Two runs of the same content to the same target would send it twice. @throws AppError `run_unfinished_exists` */
async function refuseSecondRun(
  folder: RunsFolder,
  wanted: Pick<RunHeader, 'resource' | 'contentSha256' | 'target'>,
  context: CommandContext,
): Promise<void> {
  for (const listed of folder.runsOf(wanted)) {
    const { id, state } = listed;
    if (listed.state === 'damaged') throw listed.error;
    if (state === 'in_use') throw new AppError('run_locked', { run: id });
    if (listed.state === 'open') {
      const resume = await resumeLine(listed.header, context);
      throw new AppError('run_unfinished_exists', { resume });
    }
    // Its process died while it read the file: nothing of it was sent.
    if (state === 'never_staged') folder.remove(id);
  }
}
