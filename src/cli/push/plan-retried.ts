import { planBatches } from './plan.ts';
import type { BatchLimits } from './ports/batch.ts';
import type { StagingRun } from './ports/run.ts';
import { everyPlannable } from './stage-run.ts';

/** Cuts records that another run had into batches; they were checked there. */
export function planRetried(run: Pick<StagingRun, 'plannable' | 'appendBatch'>, limits: BatchLimits): void {
  for (const batch of planBatches(everyPlannable(run), limits)) run.appendBatch(batch);
}
