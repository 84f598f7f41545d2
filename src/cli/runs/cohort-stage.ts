import type { Cohort } from '../cohort/read-cohort.ts';
import type { CommandPorts } from '../command-ports.ts';
import type { ExactDuplicates } from '../push/stage-job.ts';
import type { EventSink } from '../push/events.ts';
import type { OnAmbiguous, OnReject, Shard } from '../push/ports/run.ts';
import type { StageEnd } from '../push/stage.ts';
import type { RunFile } from '../run-file/run-file.ts';
import type { RunHeader } from '../run-file/run-header.ts';
import type { RunsFolder } from '../run-file/runs-folder.ts';
import type { Settings } from '../settings/settings.ts';
import type { AppliedContract } from './applied-contract.ts';
import { newRunHeader, runOfFiles, scratchRun, type ContinuedRun } from './begin.ts';
import type { ResourceFlags } from './cohort-files.ts';
import { assertSameCohort } from './cohort-guard.ts';
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
  readonly cohort: Pick<Cohort, 'name' | 'file'>;
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
 * @throws AppError those of `assertSameCohort`, `runOfFiles` and `openSources`
 */
export async function stageCohort(
  reading: CohortReading,
  ports: Pick<CommandPorts, 'io' | 'onClose'>,
  { emit, interruption }: { readonly emit: EventSink; readonly interruption: Interruption },
): Promise<readonly CohortPartRun[]> {
  const opened: Pick<CohortPartRun, 'run' | 'sources' | 'kind'>[] = [];
  try {
    for (const flags of reading.resources) opened.push(await openPart(flags, reading, ports));
    const parts: CohortPartRun[] = [];
    let [rows, invalid] = [0, 0];
    for (const part of opened) {
      const { resource } = part.run.header;
      const ofPart = (rowsOfPart: number, invalidOfPart: number) =>
        ({ kind: 'staging', resource, rows: rows + rowsOfPart, invalid: invalid + invalidOfPart }) as const;
      const counting: EventSink = (event) =>
        emit(event.kind === 'staging' ? { ...event, ...ofPart(event.rows, event.invalid) } : event);
      const staged = await stagedPart(part, reading, { emit: counting, interruption });
      parts.push({ ...part, staged });
      const read = part.run.rows();
      emit(ofPart(read.read, read.invalid));
      rows += read.read;
      invalid += read.invalid;
    }
    return parts;
  } catch (error) {
    if (reading.target !== undefined) discardBegun(opened, reading.folder);
    throw error;
  }
}

/** Removes the runs that this command has begun, which have sent nothing. */
export function discardBegun(
  parts: readonly Pick<CohortPartRun, 'run' | 'kind'>[],
  folder: RunsFolder,
): void {
  for (const { run, kind } of parts) {
    if (kind !== 'begun') continue;
    run.close();
    folder.remove(run.header.id);
  }
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
  const header = newRunHeader(
    { ...flags, onReject: options.onReject, cohort: cohort.name, cohortFile: cohort.file, cohortPlace },
    sources,
    { target: target ?? '', supplier, io: ports.io },
  );
  const { kind, run } = openRun(header);
  ports.onClose(() => run.close());
  return { run, sources, kind };

  function openRun(wanted: Omit<RunHeader, 'id'>): ContinuedRun {
    if (target === undefined) return { kind: 'begun', run: scratchRun(wanted, folder) };
    const { continues, begins } = options;
    const line = commands.resume({ id: '', target });
    if (!begins) assertSameCohort(wanted, { folder, continues, line, flags, settings, cwd: ports.io.cwd });
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
