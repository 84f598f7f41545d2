import type { CommandPorts } from '../command/command-ports.ts';
import type { SourceFlags } from '../command/flags.ts';
import { CHECK_ONLY, stage } from '../push/stage/stage.ts';
import { Look } from '../push/look/look.ts';
import { scratchReading } from '../journal/reading.ts';
import type { Settings } from '../settings/settings.ts';
import type { Interruption } from '../command/interruption.ts';
import type { RunSources } from '../sources/sources.ts';
import { headerOf } from '../sources/version.ts';

/** Files that were checked and not sent. `run` keeps no records where these were counted alone. */
export type CheckedFiles = Awaited<ReturnType<typeof checkedSources>>;

interface CheckPorts {
  readonly ports: Pick<CommandPorts, 'io' | 'output' | 'onClose'>;
  readonly interruption: Interruption;
}

/**
 * Stages files as a push does, into a journal that is thrown away when the command ends. `isCounted`: whether rows are only counted. As long
 * as that is enough, no record is kept; otherwise the files are read a second time.
 */
export async function checkedSources(
  sources: RunSources,
  { flags, settings }: { flags: SourceFlags; settings: Settings },
  { ports: { io, output, onClose }, interruption }: CheckPorts,
  isCounted = false,
) {
  const { resource } = flags;
  const scope = { resource, target: '', database: null };
  const place = { scope, supplier: settings.get('supplier'), io };
  const header = { ...headerOf({ ...flags, ...UNUSED_OPTIONS }, sources, place), id: 'check' };
  const { stopping } = interruption;
  const progress = await output.progress();
  onClose(progress.stop);
  const staged = async ({ job }: Pick<RunSources, 'job'>, counts: boolean) => {
    const look = new Look(resource, job.check.descriptors);
    const run = scratchReading(header, counts ? look : undefined);
    onClose(() => run.close());
    const end = await stage(job, CHECK_ONLY, run, { emit: progress.emit, stopping, look });
    return { run, end, look };
  };
  let { run, end, look } = await staged(sources, isCounted);
  if (!end) {
    run.close();
    ({ run, end, look } = await staged({ job: await sources.jobAgain() }, false));
  }
  progress.stop();
  return { sources, run, staged: end!, look };
}

/** A check sends no requests, so their options do not matter. */
const UNUSED_OPTIONS = { checkPreviouslyAdded: true, forceAddToCurrentStatement: true };
