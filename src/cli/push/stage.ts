import type { EventSink } from './events.ts';
import { IdentifierShapes } from './identifier-shapes.ts';
import { takeOnlyNew } from './only-new.ts';
import { planRun } from './plan.ts';
import type { BatchLimits, EarlierRecord, NewRun } from './ports/staging.ts';
import type { StageCounts, StageJob } from './stage-job.ts';
import { RecordTallies } from './record-tallies.ts';
import { SourceStaging } from './stage-source.ts';
import { checkWholeFile } from './whole-file.ts';

/** When the staged records may be sent, and in which batches. */
export interface StagePolicy {
  /** How the records are cut into batches; null when they are only checked. */
  readonly limits: BatchLimits | null;
  /** Whether valid rows may be sent although others are invalid (`--skip-invalid`). */
  readonly skipInvalid: boolean;
  /** The records that earlier runs have brought to the platform; only other records are sent (`--only-new`). */
  readonly since?: Iterable<EarlierRecord> | undefined;
}

/** Where staging reports its progress, and the signal that ends it between two rows. */
export interface StagePorts {
  readonly emit: EventSink;
  readonly stopping: AbortSignal;
}

/**
 * Whether the run may be sent. `invalid`: no record may be sent. `unusable`: a header or a file as a whole is wrong, so that
 * more than rows has to be corrected. `interrupted`: a file was not read to its end.
 */
export type StageEnd =
  | { readonly kind: 'staged' | 'interrupted' }
  | { readonly kind: 'invalid'; readonly unusable: boolean };

/** `records_needed`: identifiers repeat, and only a run that keeps records can answer the rules between rows. */
export type CountEnd = StageEnd | { readonly kind: 'records_needed' };

/**
 * Reads, maps and checks every row, appends it to the run file and cuts the records into batches. Sends nothing: every row
 * is read before anything may be sent.
 */
export async function stageRun(
  job: StageJob,
  policy: StagePolicy,
  run: NewRun,
  ports: StagePorts,
): Promise<StageEnd> {
  const end = await stage(job, policy, run, ports);
  if (end.kind === 'records_needed') throw new TypeError('a run that is sent keeps its records');
  return end;
}

/** Reads, maps and checks every row in a run that keeps no valid record. */
export function countRun(job: StageJob, run: NewRun, ports: StagePorts): Promise<CountEnd> {
  return stage(job, CHECK_ONLY, run, ports);
}

/** The policy for records that are not sent. */
export const CHECK_ONLY: StagePolicy = { limits: null, skipInvalid: false };

async function stage(
  job: StageJob,
  policy: StagePolicy,
  run: NewRun,
  { emit, stopping }: StagePorts,
): Promise<CountEnd> {
  const staging = run.staging();
  const { keepsRecords } = run;
  const tallies = new RecordTallies(job, staging.repeatedHashes());
  const counts: StageCounts = { rows: 0, parts: 0, ofOtherShards: 0, invalid: 0, errors: 0 };
  const shapes = new IdentifierShapes(job.resource);
  const sources: SourceStaging[] = [];
  for (const [index, source] of job.sources.entries()) {
    const staged = new SourceStaging({
      job,
      source,
      number: index + 1,
      run: staging,
      keepsRecords,
      tallies,
      shapes,
      emit,
      counts,
    });
    sources.push(staged);
    for await (const items of source.items) {
      for (const item of items) {
        if (stopping.aborted) {
          staging.commit();
          return { kind: 'interrupted' };
        }
        staged.accept(item);
        if (!keepsRecords && !tallies.mayBeEnough) return { kind: 'records_needed' };
      }
    }
    staged.finish();
  }
  const empty = sources.filter((source) => source.isAllFiltered);
  const isEmpty = counts.rows > 0 && empty.length === sources.length;
  for (const source of empty) source.reportAllFiltered(isEmpty);
  const usable = sources.every((source) => source.report.usable);
  const columns = sources.map(({ plan }) => plan?.columns ?? []);
  const conditional = new Set(sources.flatMap(({ plan }) => plan?.conditional ?? []));
  if (usable) {
    const questions = tallies.areEnough() ? tallies : staging;
    if (questions === staging && !keepsRecords) return { kind: 'records_needed' };
    const file = { job, run: staging, questions, counts, columns, conditional };
    checkWholeFile(file);
    shapes.report(file);
    if (policy.since) takeOnlyNew(file, policy.since);
  }
  emit({ kind: 'staging', rows: counts.rows, invalid: counts.invalid });
  staging.commit();

  if (!usable || (counts.errors > 0 && !policy.skipInvalid)) return { kind: 'invalid', unusable: !usable };
  if (policy.limits === null) return { kind: 'staged' };
  run.index();
  emit({ kind: 'planned', ...planRun(staging, job, policy.limits) });
  staging.commit();
  run.finishStaging(sources.flatMap(({ plan }) => plan ?? []));
  return { kind: 'staged' };
}
