import { onTestFinished } from 'vitest';
import { readCsv } from '../../src/cli/csv/read-csv.ts';
import { openSourceFile } from '../../src/cli/csv/source-file.ts';
import type { SourceFormat } from '../../src/cli/csv/source-format.ts';
import type { ReadItem } from '../../src/cli/csv/source-row.ts';
import type { MappingPlan } from '../../src/cli/mapping/mapping-plan.ts';
import { planByHeader } from '../../src/cli/mapping/compile/plan-by-header.ts';

import type { PushEvent } from '../../src/cli/push/events.ts';
import type { RunChoice, RunOptions } from '../../src/cli/push/ports/run.ts';
import type { BatchLimits } from '../../src/cli/push/ports/staging.ts';
import type { FileRow, StageSource } from '../../src/cli/push/stage-job.ts';
import { stageRun, type StageEnd } from '../../src/cli/push/stage/stage.ts';
import type { RunFile } from '../../src/cli/run-file/run-file.ts';
import type { NewRunState, RunHeader } from '../../src/cli/run-file/database/run-header.ts';
import { RunsFolder } from '../../src/cli/run-file/runs-folder.ts';
import type { StagingHistory } from '../../src/cli/run-file/stage/staging.ts';
import type { TakingUp } from '../../src/cli/run-file/send/taking-up.ts';
import type { Resource } from '../../src/core/contract/resources.ts';
import { mapResources, SAMPLES, TODAY } from './push-records.ts';
import { fileWith } from './push-rows.ts';
import { temporaryFolder } from './temporary-folder.ts';

export const NOW = '2026-11-21T10:15:02Z';
export const RUN_ID = '20261121-101502-run-0000';

type StageJob = Parameters<typeof stageRun>[0];

/** Options of staging that differ from those of a plain push. */
export interface StagedRunOptions {
  readonly supplier?: string;
  readonly limits?: BatchLimits | null;
  readonly skipInvalid?: boolean;
  readonly options?: Partial<RunOptions>;
  readonly choice?: Partial<RunChoice>;
  /** Changes the header of the run. */
  readonly header?: (header: RunHeader) => RunHeader;
  readonly turn?: number;
  /** Files of `--corrections`, which are read after the others and named `fixed-1.csv` and so on. */
  readonly corrections?: readonly TestCorrections[];
  /** Name of its only file. */
  readonly name?: string;
  /** Compares the records with what other runs know. */
  readonly compared?: StagingHistory;
  /** The folder of the run. Default: one of its own. */
  readonly folder?: RunsFolder;
  readonly format?: SourceFormat;
  readonly earliestDate?: StageJob['earliestDate'];
  readonly maxRecords?: number;
  readonly inShard?: StageJob['inShard'];
  readonly stopping?: AbortSignal;
  /** Stages into this run and not into a file. */
  readonly into?: (header: RunHeader) => RunFile;
  /** Changes the plan that maps columns by their names. */
  readonly plan?: (plan: MappingPlan) => MappingPlan;
  /** Lists of what is read of each file, in the place of its rows. */
  readonly items?: readonly (readonly ReadItem[])[];
  /** Documents of the file store. */
  readonly documents?: StageJob['documents'];
  readonly seesOtherShards?: boolean;
}

/** A file of corrected rows. `corrects`: the rows that its rows are tied to, by its lines. */
export interface TestCorrections {
  readonly csv: string;
  readonly corrects?: ReadonlyMap<number, FileRow>;
}

/** A run file, staged from the text of CSV files. */
export interface StagedRun {
  readonly run: RunFile;
  readonly folder: RunsFolder;
  readonly end: StageEnd;
  readonly events: readonly PushEvent[];
}

/** Stages a run as a push does. Each text is one file. The run is closed when the test has finished. */
export async function stagedRun(
  resource: Resource,
  csv: string | Uint8Array | readonly string[],
  options: StagedRunOptions = {},
): Promise<StagedRun> {
  const { corrections = [] } = options;
  const texts = typeof csv === 'string' || csv instanceof Uint8Array ? [csv] : csv;
  const nameOf = (index: number): string =>
    index < texts.length
      ? (options.name ?? `${resource}-${index + 1}.csv`)
      : `fixed-${index + 1 - texts.length}.csv`;
  const files = await Promise.all(
    [...texts, ...corrections.map((each) => each.csv)].map((text, index) =>
      openSourceFile(fileWith(text, nameOf(index))),
    ),
  );
  const folder = options.folder ?? new RunsFolder(temporaryFolder());
  const fingerprints = files.map(({ fingerprint }) => fingerprint);
  const usual = headerOf(resource, options.options, fingerprints);
  const header = options.header?.(usual) ?? usual;
  const run = options.into?.(header) ?? folder.create(header, newRun(options.choice, options.turn));
  onTestFinished(() => run.close());
  if (options.compared) run.compareWhileStaging(options.compared);
  const events: PushEvent[] = [];
  const job: StageJob = {
    resource,
    sources: files.map((file, index): StageSource => {
      const corrects = corrections[index - texts.length]?.corrects;
      return {
        name: nameOf(index),
        sha256: file.fingerprint.sha256,
        isCorrection: index >= texts.length,
        ...(corrects && { corrects }),
        items: options.items ? listed(options.items) : readCsv(file, options.format),
        mapping: (header) => {
          const planned = planByHeader(resource, header, options.supplier);
          return { ...planned, plan: options.plan?.(planned.plan) ?? planned.plan };
        },
      };
    }),
    check: { today: TODAY },
    earliestDate: options.earliestDate ?? '1970-01-01',
    maxRecords: options.maxRecords ?? Infinity,
    inShard: options.inShard ?? null,
    documents: options.documents,
    seesOtherShards: options.seesOtherShards ?? false,
  };
  const { limits = { records: 2, bytes: 1_000_000 }, skipInvalid = false } = options;
  try {
    const ports = {
      emit: (event: PushEvent) => void events.push(event),
      stopping: options.stopping ?? new AbortController().signal,
    };
    const end = await stageRun(job, { limits, skipInvalid }, run, ports);
    if (end.kind === 'records_needed') {
      run.close();
      throw new RecordsNeeded();
    }
    return { run, folder, end, events };
  } finally {
    for (const file of files) await file.close();
  }
}

async function* listed(lists: readonly (readonly ReadItem[])[]): AsyncGenerator<readonly ReadItem[]> {
  yield* lists;
}

/** Rules between rows need a run that keeps all records. */
export class RecordsNeeded extends Error {}

/** The header of a run of a resource from its sources. */
export function headerOf(
  resource: Resource,
  options: Partial<RunOptions> = {},
  sources: readonly { readonly bytes: number; readonly sha256: string }[] = [],
): RunHeader {
  return {
    id: RUN_ID,
    resource,
    target: 'https://platform.example',
    database: null,
    version: sources[0]?.sha256 ?? '0'.repeat(64),
    options: {
      checkPreviouslyAdded: true,
      forceAddToCurrentStatement: true,
      selection: {},
      ...options,
    },
    toolVersion: '0.0.0',
    createdAt: NOW,
    sources: sources.map((fingerprint, index) => {
      const name = `${resource}-${index + 1}.csv`;
      return { name, place: `/in/${name}`, isCorrection: false, ...fingerprint };
    }),
    inputs: [],
    contentSha256: sources[0]?.sha256 ?? '0'.repeat(64),
  };
}

/** What a plain push begins a run with. */
export function newRun(choice: Partial<RunChoice> = {}, turn = 1): NewRunState {
  return {
    turn,
    choice: {
      onReject: 'stop',
      onExisting: 'reject',
      skipInvalid: false,
      words: ['push', 'FILE'],
      ...choice,
    },
  };
}

/** Takes a run up as the same command does when it is run again. */
export function takenUp(run: RunFile, taking: Partial<TakingUp> = {}): RunFile {
  const { turn, choice } = run;
  run.takeUp({ now: NOW, turn: turn + 1, choice, again: false, resendsRefused: false, ...taking });
  return run;
}

/** Opens the run as another process would after this one died. The caller has closed the run before. */
export function reopened(folder: RunsFolder, id = RUN_ID, taking: Partial<TakingUp> = {}): RunFile {
  const run = folder.open(id);
  onTestFinished(() => run.close());
  return takenUp(run, taking);
}

/** CSV text with one column for each key of the rows. */
export function csvOf(rows: readonly Readonly<Record<string, string>>[]): string {
  const header = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const quoted = (cell: string): string => (/[",\n\r]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
  const lines = [header, ...rows.map((row) => header.map((name) => row[name] ?? ''))];
  return lines.map((cells) => `${cells.map(quoted).join(',')}\n`).join('');
}

/** One valid row of each resource. Its `id` is unique in the account. */
export const row: Readonly<
  Record<Resource, (account: string, id: string) => Readonly<Record<string, string>>>
> = mapResources((resource) => (account, id) => ({
  import_supplier: 'ACME',
  external_account_number: account,
  ...SAMPLES[resource].cells(id),
}));

/** CSV text from `A1:x A1:y A2:z`, the account and id of each row in order. */
export function csvFrom(resource: Resource, rows: string): string {
  return csvOf(
    rows.split(/\s+/).map((word) => {
      const [account, id] = word.split(':') as [string, string];
      return row[resource](account, id);
    }),
  );
}
