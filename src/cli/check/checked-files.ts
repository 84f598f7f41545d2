import type { CommandPorts } from '../command/command-ports.ts';
import type { SourceFlags } from '../command/flags.ts';
import { CHECK_ONLY, stage, stageRun, type StageEnd } from '../push/stage/stage.ts';
import { Look } from '../push/look/look.ts';
import type { BatchLimits } from '../push/ports/staging.ts';
import { scratchReading, type Reading } from '../journal/reading.ts';
import type { Settings } from '../settings/settings.ts';
import type { AppliedContract } from '../sources/applied-contract.ts';
import type { Interruption } from '../command/interruption.ts';
import { openSources, type RunSources } from '../sources/sources.ts';
import { headerOf } from '../sources/version.ts';

type CheckPorts = Pick<CommandPorts, 'io' | 'output' | 'onClose'>;

/** Files that were checked and not sent. `run` keeps no records where these were counted alone. */
export type CheckedFiles = {
  readonly sources: RunSources;
  readonly run: Reading;
  readonly staged: StageEnd;
  readonly look: Look;
};

/** How files are checked. */
interface CheckingChoice {
  /** Whether rows are only counted. As long as that is enough, no record is kept; otherwise the files are read a second time. */
  readonly isCounted?: boolean;
  /** How the valid records are cut into requests. Left out when nobody asks for requests. */
  readonly limits?: BatchLimits | null;
}

interface CheckingPorts {
  readonly ports: CheckPorts;
  readonly interruption: Interruption;
}

/** Opens files and checks them; see `checkedSources`. */
export async function checkedFiles(
  flags: SourceFlags,
  settings: Settings,
  { ports, interruption }: CheckingPorts,
  { contract, ...choice }: CheckingChoice & { contract: AppliedContract | undefined },
): Promise<CheckedFiles> {
  const sources = await openSources(flags, settings, ports, contract);
  return checkedSources(sources, { flags, settings }, { ports, interruption }, choice);
}

/** Stages files as a push does, into a journal that is thrown away when the command ends. */
export async function checkedSources(
  sources: RunSources,
  { flags, settings }: { flags: SourceFlags; settings: Settings },
  { ports: { io, output, onClose }, interruption }: CheckingPorts,
  { isCounted = false, limits = null }: CheckingChoice,
): Promise<CheckedFiles> {
  const { resource } = flags;
  const scope = { resource, target: '', database: null };
  const place = { scope, supplier: settings.get('supplier'), io };
  const header = { ...headerOf({ ...flags, ...UNUSED_OPTIONS }, sources, place), id: 'check' };
  const progress = await output.progress();
  onClose(progress.stop);
  const stagePorts = { emit: progress.emit, stopping: interruption.stopping };
  let { job } = sources;
  if (isCounted) {
    const look = new Look(resource, job.check.descriptors);
    const run = scratchReading(header, look);
    onClose(() => run.close());
    const staged = await stage(job, CHECK_ONLY, run, { ...stagePorts, look });
    if (staged.kind !== 'records_needed') {
      progress.stop();
      return { sources, run, staged, look };
    }
    run.close();
    job = await sources.jobAgain();
  }
  const run = scratchReading(header);
  onClose(() => run.close());
  const look = new Look(resource, job.check.descriptors);
  const staged = await stageRun(job, { ...CHECK_ONLY, limits }, run, { ...stagePorts, look });
  progress.stop();
  return { sources, run, staged, look };
}

/** A check sends no requests, so their options do not matter. */
const UNUSED_OPTIONS = { checkPreviouslyAdded: true, forceAddToCurrentStatement: true };
