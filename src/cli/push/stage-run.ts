import { warning } from '../../core/problem.ts';
import type { MappingPlan } from '../mapping/mapping-plan.ts';
import { NO_CELL } from '../mapping/column-map.ts';
import type { BatchLimits, PlannableRecord } from './ports/batch.ts';
import type { EventSink } from './events.ts';
import { locate } from './locate.ts';
import { planBatches } from './plan.ts';
import type { StagingRun } from './ports/run.ts';
import { stage, type StagePorts } from './stage.ts';
import type { StageJob } from './stage-job.ts';

/** A run file in the making. */
export interface RunInTheMaking {
  staging(): StagingRun & { commit(): void };
  index(): void;
  /** Takes the mapping of each source, in their order. */
  finishStaging(plans: readonly Pick<MappingPlan, 'columns'>[]): void;
}

/** How a file is staged and cut into batches. */
export interface StagePolicy {
  /** How the records are cut into batches; null when they are only checked. */
  readonly limits: BatchLimits | null;
  /** Whether valid rows may be sent although others are invalid (`--skip-invalid`). */
  readonly skipInvalid: boolean;
}

/**
 * Whether the run may be sent. `invalid`: nothing of it may. `unusable`: a header or a file as a whole is
 * wrong, so that more than its rows has to be corrected. `interrupted`: it was not read to its end.
 */
export type StageEnd =
  | { readonly kind: 'staged' | 'interrupted' }
  | { readonly kind: 'invalid'; readonly unusable: boolean };

/** Records that are planned at once, so that memory stays bounded. */
const PLAN_PAGE = 10_000;

/** CSV → mapped → checked → in the run file → cut into batches. Every row is read before anything may be sent. */
export async function stageRun(
  job: StageJob,
  policy: StagePolicy,
  run: RunInTheMaking,
  ports: StagePorts,
): Promise<StageEnd> {
  const verbs = run.staging();
  const result = await stage(job, verbs, ports);
  verbs.commit();
  if (result.interrupted) return { kind: 'interrupted' };
  if (!result.usable || (result.errors > 0 && !policy.skipInvalid))
    return { kind: 'invalid', unusable: !result.usable };
  if (policy.limits === null) return { kind: 'staged' };
  run.index();
  plan(policy.limits, verbs, job, ports.emit);
  verbs.commit();
  run.finishStaging(result.plans);
  return { kind: 'staged' };
}

function plan(limits: BatchLimits, run: StagingRun, job: StageJob, emit: EventSink): void {
  let records = 0;
  let batches = 0;
  const accounts = { count: 0, last: 0 };
  for (const batch of planBatches(tellingLargeOnes(everyPlannable(run), limits, run, job), limits)) {
    run.appendBatch(batch);
    records += batch.records;
    batches++;
    if (batch.accountId !== accounts.last) accounts.count++;
    accounts.last = batch.accountId;
  }
  emit({ kind: 'planned', records, batches, accounts: accounts.count });
}

/** Names the records that break the byte limit by themselves, on their way into the plan. */
function* tellingLargeOnes(
  records: Iterable<PlannableRecord>,
  limits: BatchLimits,
  run: StagingRun,
  job: StageJob,
): Generator<PlannableRecord> {
  for (const record of records) {
    const { bytes, source, line } = record;
    if (bytes > limits.bytes) {
      const place = { ...NO_CELL, file: job.sources[source - 1]!.name, line };
      run.appendProblem(
        locate(warning('record_over_batch_bytes', [], { bytes, limit: limits.bytes }), place),
      );
    }
    yield record;
  }
}

/** Every valid record, page by page. */
export function* everyPlannable(run: Pick<StagingRun, 'plannable'>): Generator<PlannableRecord> {
  let page = run.plannable(undefined, PLAN_PAGE);
  while (page.length > 0) {
    yield* page;
    page = run.plannable(page.at(-1), PLAN_PAGE);
  }
}
