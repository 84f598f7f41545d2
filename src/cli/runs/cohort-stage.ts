import { AppError } from '../../core/app-error.ts';
import type { CommandPorts } from '../command-ports.ts';
import type { ExactDuplicates } from '../push/stage-job.ts';
import type { EventSink } from '../push/events.ts';
import { areDisjoint, type OnAmbiguous, type OnReject, type Shard } from '../push/ports/run.ts';
import type { StageEnd } from '../push/stage.ts';
import type { RunFile } from '../run-file/run-file.ts';
import type { RunHeader } from '../run-file/run-header.ts';
import type { RunsFolder } from '../run-file/runs-folder.ts';
import type { Settings } from '../settings/settings.ts';
import type { AppliedContract } from './applied-contract.ts';
import { newRunHeader, runOfFiles, scratchRun, type ContinuedRun } from './begin.ts';
import type { ResourceFlags } from './cohort-files.ts';
import type { Interruption } from './interruption.ts';
import type { NextCommands } from './next-commands.ts';
import { openSources, type RunSources } from './sources.ts';
import { batchLimits, stageForSending } from './stage.ts';

/** The run of one resource of a cohort. */
export interface CohortPartRun {
  readonly run: RunFile;
  readonly sources: RunSources;
  /** `begun`: by this command. */
  readonly kind: ContinuedRun['kind'];
  /** A run of an earlier command is staged already. */
  readonly staged: StageEnd;
}

/** How the files of a cohort are read. */
export interface CohortReading {
  /** Its name. */
  readonly cohort: string;
  readonly resources: readonly ResourceFlags[];
  readonly settings: Settings;
  readonly contract: AppliedContract | undefined;
  readonly commands: NextCommands;
  readonly folder: RunsFolder;
  /** Base URL; undefined when nothing is to be sent. */
  readonly target: string | undefined;
  readonly options: {
    readonly onReject: OnReject;
    readonly onAmbiguous?: OnAmbiguous;
    readonly shard?: Shard | 'auto';
    readonly skipInvalid: boolean;
    readonly exactDuplicates?: ExactDuplicates;
    readonly continues: boolean;
    /** Whether to begin although unfinished runs of the same files exist. */
    readonly begins: boolean;
  };
}

/**
 * Opens the run of every resource, or reads its files into a new one. Every resource is read, also when rows of an earlier
 * one are invalid, so that all problems are reported at once.
 * @throws AppError `cohort_changed`, and those of `runOfFiles` and `openSources`
 */
export async function stageCohort(
  reading: CohortReading,
  ports: Pick<CommandPorts, 'io' | 'onClose'>,
  { emit, interruption }: { readonly emit: EventSink; readonly interruption: Interruption },
): Promise<readonly CohortPartRun[]> {
  const opened: Pick<CohortPartRun, 'run' | 'sources' | 'kind'>[] = [];
  for (const flags of reading.resources) opened.push(await openPart(flags, reading, ports));
  const parts: CohortPartRun[] = [];
  for (const part of opened)
    parts.push({ ...part, staged: await stagedPart(part, reading, { emit, interruption }) });
  return parts;
}

/** Every run is opened before the first is read, so that a second process finds the cohort in use. */
async function openPart(
  flags: ResourceFlags,
  { cohort, resources, settings, contract, commands, folder, target, options }: CohortReading,
  ports: Pick<CommandPorts, 'io' | 'onClose'>,
): Promise<Pick<CohortPartRun, 'run' | 'sources' | 'kind'>> {
  const { shard } = options;
  const sources = await openSources({ ...flags, ...(shard && { shard }) }, settings, ports, contract);
  const supplier = settings.get('supplier');
  const cohortPlace = resources.indexOf(flags) + 1;
  const header = newRunHeader({ ...flags, onReject: options.onReject, cohort, cohortPlace }, sources, {
    target: target ?? '',
    supplier,
    io: ports.io,
  });
  const { kind, run } = openRun(header);
  ports.onClose(() => run.close());
  return { run, sources, kind };

  function openRun(wanted: Omit<RunHeader, 'id'>): ContinuedRun {
    if (target === undefined) return { kind: 'begun', run: scratchRun(wanted, folder) };
    if (!options.begins) assertUnchanged(wanted, folder);
    const { continues, begins } = options;
    return runOfFiles(wanted, folder, { continues, evenIfUnfinished: begins, commands });
  }
}

async function stagedPart(
  { run, sources, kind }: Pick<CohortPartRun, 'run' | 'sources' | 'kind'>,
  { settings, contract, folder, options }: CohortReading,
  { emit, interruption }: { readonly emit: EventSink; readonly interruption: Interruption },
): Promise<StageEnd> {
  if (kind !== 'begun') return { kind: 'staged' };
  const policy = {
    limits: batchLimits(run.header.resource, settings, contract),
    skipInvalid: options.skipInvalid,
  };
  // The plan of the cohort is reported once, when every resource is read.
  const progress = {
    emit: (event) => (event.kind === 'planned' ? undefined : emit(event)),
    stop: () => undefined,
  } as const satisfies Parameters<typeof stageForSending>[3]['progress'];
  return stageForSending(sources.job, policy, run, { folder, progress, interruption });
}

/**
 * Other files than those of which a part was sent would be another cohort. A run that has sent nothing is of no use once
 * its files have changed.
 * @throws AppError `cohort_changed`, and those of `RunsFolder.list`
 */
function assertUnchanged(wanted: Omit<RunHeader, 'id'>, folder: RunsFolder): void {
  const { resource, target, contentSha256, options } = wanted;
  for (const listed of folder.list()) {
    if (listed.header === undefined || listed.state !== 'open') continue;
    const { id, run, header } = listed;
    const isOther =
      header.parent === null &&
      header.resource === resource &&
      header.target === target &&
      header.contentSha256 !== contentSha256 &&
      !areDisjoint(header.options.selection?.shard, options.selection?.shard);
    if (!isOther) continue;
    if (run.report().requests.total > 0) throw new AppError('cohort_changed', { resource, run: id });
    run.close();
    folder.remove(id);
  }
}
