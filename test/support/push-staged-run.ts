import { join } from 'node:path';
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
import type { StageSource } from '../../src/cli/push/stage-job.ts';
import type { Look } from '../../src/cli/push/look/look.ts';
import { stage, type StageEnd } from '../../src/cli/push/stage/stage.ts';
import { Journal } from '../../src/cli/journal/journal.ts';
import { scopeOf, type RunHeader } from '../../src/cli/journal/database/run-header.ts';
import type { Reading } from '../../src/cli/journal/reading.ts';
import type { TakingUp } from '../../src/cli/journal/send/taking-up.ts';
import type { Resource } from '../../src/core/contract/resources.ts';
import { mapResources, SAMPLES, TODAY } from './push-records.ts';
import { fileWith } from './push-rows.ts';
import { temporaryFolder } from './temporary-folder.ts';

export const NOW = '2026-11-21T10:15:02Z';
const RUN_ID = '20261121-101502-run-0000';

type StageJob = Parameters<typeof stage>[0];

/** Options of staging that differ from those of a plain push. */
export interface StagedRunOptions {
  readonly supplier?: string;
  readonly limits?: BatchLimits | null;
  readonly skipInvalid?: boolean;
  readonly options?: Partial<RunOptions>;
  readonly choice?: Partial<RunChoice>;
  /** Changes the header of the run. */
  readonly header?: (header: RunHeader) => RunHeader;
  /** Name of its only file. */
  readonly name?: string;
  /** The folder of the journal. Default: one of its own. */
  readonly folder?: string;
  readonly format?: SourceFormat;
  readonly earliestDate?: StageJob['earliestDate'];
  readonly maxRecords?: number;
  readonly inShard?: StageJob['inShard'];
  readonly stopping?: AbortSignal;
  readonly look?: Look;
  /** Stages into this reading and not into a journal. */
  readonly into?: (header: RunHeader) => Reading;
  /** Changes the plan that maps columns by their names. */
  readonly plan?: (plan: MappingPlan) => MappingPlan;
  /** Lists of what is read of each file, in the place of its rows. */
  readonly items?: readonly (readonly ReadItem[])[];
  /** Documents of the file store. */
  readonly documents?: StageJob['documents'];
}

/** A reading of CSV files in a journal of its own. */
export interface StagedRun {
  readonly run: Reading;
  /** The folder of the journal. */
  readonly folder: string;
  readonly end: StageEnd;
  readonly events: readonly PushEvent[];
}

/** Stages a run as a push does. Each text is one file. The run is closed when the test has finished. */
export async function stagedRun(
  resource: Resource,
  csv: string | Uint8Array | readonly string[],
  options: StagedRunOptions = {},
): Promise<StagedRun> {
  const texts = typeof csv === 'string' || csv instanceof Uint8Array ? [csv] : csv;
  const nameOf = (index: number): string => options.name ?? `${resource}-${index + 1}.csv`;
  const files = await Promise.all(texts.map((text, index) => openSourceFile(fileWith(text, nameOf(index)))));
  const folder = options.folder ?? temporaryFolder();
  const fingerprints = files.map(({ fingerprint }) => fingerprint);
  const usual = headerOf(resource, options.options, fingerprints);
  const header = options.header?.(usual) ?? usual;
  const path = journalIn(folder);
  const run =
    options.into?.(header) ??
    Journal.begin(path, scopeOf(header, 'ACME'), header, choiceWith(options.choice));
  onTestFinished(() => run.close());
  const events: PushEvent[] = [];
  const job: StageJob = {
    resource,
    sources: files.map((file, index): StageSource => {
      return {
        name: nameOf(index),
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
  };
  const { limits = { records: 2, bytes: 1_000_000 }, skipInvalid = false } = options;
  try {
    const ports = {
      emit: (event: PushEvent) => void events.push(event),
      stopping: options.stopping ?? new AbortController().signal,
      look: options.look ?? null,
    };
    const end = (await stage(job, { limits, skipInvalid }, run, ports))!;
    if (options.into || end.kind !== 'staged' || limits === null) return { run, folder, end, events };
    run.finish(NOW);
    const journal = Journal.placed(path, run);
    onTestFinished(() => journal.close());
    return { run: journal.reading(1), folder, end, events };
  } finally {
    for (const file of files) await file.close();
  }
}

async function* listed(lists: readonly (readonly ReadItem[])[]): AsyncGenerator<readonly ReadItem[]> {
  yield* lists;
}

/** The journal of a folder. */
export const journalIn = (folder: string): string => join(folder, 'transactions.sqlite');

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
      return { name, place: `/in/${name}`, ...fingerprint };
    }),
    inputs: [],
    contentSha256: sources[0]?.sha256 ?? '0'.repeat(64),
    cohort: null,
  };
}

/** The choices of a plain push. */
export const choiceWith = (choice: Partial<RunChoice> = {}): RunChoice => ({
  onReject: 'stop',
  onExisting: 'reject',
  skipInvalid: false,
  words: ['push', 'FILE'],
  ...choice,
});

/** Takes a reading up as the same command does when it is run again. */
export function takenUp(run: Reading, taking: Partial<TakingUp> = {}): Reading {
  run.takeUp({ now: NOW, choice: run.choice, again: false, ...taking });
  return run;
}

/** Makes a journal without a reading. */
export function emptyJournal(folder: string = temporaryFolder(), resource: Resource = 'notes'): string {
  const header = headerOf(resource);
  Journal.empty(journalIn(folder), scopeOf(header, 'ACME'), header).close();
  return folder;
}

/** The first reading of a journal that is not open, as it is. */
export function opened(folder: string, openDatabase?: Parameters<typeof Journal.open>[1]): Reading {
  const journal = Journal.open(journalIn(folder), openDatabase);
  onTestFinished(() => journal.close());
  return journal.reading(1);
}

/** Opens the journal as another process would after this one died. The caller has closed it before. */
export function reopened(folder: string, taking: Partial<TakingUp> = {}): Reading {
  const journal = Journal.open(journalIn(folder));
  onTestFinished(() => journal.close());
  journal.endEarlier(NOW);
  return takenUp(journal.reading(1), taking);
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
