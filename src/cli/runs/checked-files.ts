import type { CommandPorts } from '../command-ports.ts';
import type { SourceFlags } from '../flags.ts';
import type { BatchLimits } from '../push/ports/staging.ts';
import { stageRun, type StageEnd } from '../push/stage.ts';
import { RunFile } from '../run-file/run-file.ts';
import type { Settings } from '../settings/settings.ts';
import type { AppliedContract } from './applied-contract.ts';
import { newRunHeader } from './begin.ts';
import type { Interruption } from './interruption.ts';
import { openSources, type RunSources } from './sources.ts';

type CheckPorts = Pick<CommandPorts, 'io' | 'output' | 'onClose'>;

/** Files that were checked and not sent. */
export interface CheckedFiles {
  readonly sources: RunSources;
  readonly run: RunFile;
  readonly staged: StageEnd;
}

/**
 * Stages files as a push does, into a run file that is thrown away when the command ends. `limits`: how the records are cut into
 * requests; left out when nobody asks for requests.
 */
export async function checkedFiles(
  flags: SourceFlags,
  settings: Settings,
  { ports, interruption }: { readonly ports: CheckPorts; readonly interruption: Interruption },
  contract: AppliedContract | undefined,
  limits: BatchLimits | null = null,
): Promise<CheckedFiles> {
  const { io, output, onClose } = ports;
  const sources = await openSources(flags, settings, ports, contract);
  const header = newRunHeader({ ...flags, ...UNUSED_OPTIONS }, sources, { target: '', io });
  const run = RunFile.scratch({ ...header, id: 'check' });
  onClose(() => run.close());
  const progress = await output.progress();
  onClose(progress.stop);
  const staged = await stageRun(sources.job, { limits, skipInvalid: false }, run, {
    emit: progress.emit,
    stopping: interruption.stopping,
  });
  progress.stop();
  return { sources, run, staged };
}

/** A check sends no requests, so their options do not matter. */
const UNUSED_OPTIONS = { checkPreviouslyAdded: true, forceAddToCurrentStatement: true };
