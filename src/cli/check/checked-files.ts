import { warnOfClock } from '../command/clock.ts';
import type { CommandPorts } from '../command/command-ports.ts';
import type { SourceFlags } from '../command/flags.ts';
import { countRun, stageRun, type StageEnd } from '../push/stage/stage.ts';
import type { BatchLimits } from '../push/ports/staging.ts';
import { CountedRows } from '../run-file/read/counted-rows.ts';
import { RunFile } from '../run-file/run-file.ts';
import type { Settings } from '../settings/settings.ts';
import type { AppliedContract } from '../sources/applied-contract.ts';
import type { Interruption } from '../ending/interruption.ts';
import { openSources, type RunSources } from '../sources/sources.ts';
import { headerOf } from '../sources/version.ts';

type CheckPorts = Pick<CommandPorts, 'io' | 'output' | 'onClose'>;

/** Files that were checked and not sent. */
export type CheckedFiles = { readonly sources: RunSources; readonly run: RunFile; readonly staged: StageEnd };

/** Rows that a check keeps: all records, the rows that are left out, or only rows with problems. */
type KeptRows = 'records' | 'left_out' | 'invalid';

/**
 * Stages files as a push does, into a run file that is thrown away when the command ends. Records are kept only when `keeps`
 * asks for them, or when identifiers repeat. Then the files are read a second time. `limits`: how the valid records are cut into
 * requests; left out when nobody asks for requests. `skipInvalid`: whether they are cut although other rows are invalid.
 */
export async function checkedFiles(
  flags: SourceFlags,
  settings: Settings,
  { ports, interruption }: { ports: CheckPorts; interruption: Interruption },
  {
    contract,
    keeps,
    limits = null,
    skipInvalid = false,
  }: {
    contract: AppliedContract | undefined;
    keeps: KeptRows;
    limits?: BatchLimits | null;
    skipInvalid?: boolean;
  },
): Promise<CheckedFiles> {
  const { io, output, onClose } = ports;
  warnOfClock(ports);
  const sources = await openSources(flags, settings, ports, contract);
  const { resource } = flags;
  const scope = { resource, target: '', database: null };
  const place = { scope, supplier: settings.get('supplier'), cohort: undefined, io };
  const header = { ...headerOf({ ...flags, ...UNUSED_OPTIONS }, sources, place), id: 'check' };
  const progress = await output.progress();
  onClose(progress.stop);
  const stagePorts = { emit: progress.emit, stopping: interruption.stopping };
  let { job } = sources;
  if (keeps !== 'records') {
    const run = RunFile.scratch(header, new CountedRows({ keepsLeftOut: keeps === 'left_out' }));
    onClose(() => run.close());
    const staged = await countRun(job, run, stagePorts);
    if (staged.kind !== 'records_needed') {
      progress.stop();
      return { sources, run, staged };
    }
    run.close();
    job = await sources.jobAgain();
  }
  const run = RunFile.scratch(header);
  onClose(() => run.close());
  const staged = await stageRun(job, { limits, skipInvalid }, run, stagePorts);
  progress.stop();
  if (staged.kind === 'records_needed') throw new TypeError('the run keeps all records');
  return { sources, run, staged };
}

/** A check sends no requests, so their options do not matter. */
const UNUSED_OPTIONS = { checkPreviouslyAdded: true, forceAddToCurrentStatement: true };
