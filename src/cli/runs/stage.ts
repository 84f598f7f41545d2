import { AppError } from '../../core/app-error.ts';
import { DESCRIPTORS, type Resource } from '../../core/contract/resources.ts';
import type { Progress } from '../output/progress.ts';
import type { Ending, SendingPlan } from '../output/run-document.ts';
import type { StageJob } from '../push/stage-job.ts';
import type { RunFile } from '../run-file/run-file.ts';
import type { RunsFolder } from '../run-file/runs-folder.ts';
import type { Settings } from '../settings/settings.ts';
import type { AppliedContract } from './applied-contract.ts';
import type { Interruption } from './interruption.ts';
import { stageRun, type StageEnd, type StagePolicy } from '../push/stage.ts';
import { totalsOfRequests } from '../push/plan.ts';
import type { BatchLimits } from '../push/ports/staging.ts';

/** The limits of a request. A resource without a list is sent one by one. */
export function batchLimits(
  resource: Resource,
  settings: Settings,
  contract: AppliedContract | undefined,
): BatchLimits {
  const { list, maxRecords = Infinity } = (contract?.descriptors ?? DESCRIPTORS)[resource];
  return {
    records: list === null ? 1 : Math.min(settings.need('batchSize'), maxRecords),
    bytes: settings.need('maxBatchBytes'),
  };
}

/**
 * Stages a run that is to be sent, and removes its file when the disk does not take it: half a run is of no use, contains
 * customer data, and may have filled the disk.
 * @throws AppError `run_not_writable`
 */
export async function stageForSending(
  job: StageJob,
  policy: StagePolicy,
  run: RunFile,
  {
    folder,
    progress,
    interruption,
  }: { readonly folder: RunsFolder; readonly progress: Progress; readonly interruption: Interruption },
): Promise<StageEnd> {
  try {
    return await stageRun(job, policy, run, { emit: progress.emit, stopping: interruption.stopping });
  } catch (error) {
    run.close();
    folder.remove(run.header.id);
    if (!(error instanceof AppError) || error.code !== 'run_write_failed') throw error;
    const { reason, remedy } = error.facts as Record<'reason' | 'remedy', string>;
    throw new AppError('run_not_writable', { folder: folder.path, reason, remedy }, error);
  }
}

/** The ending of a command that sent nothing. `next`: the next step for each way in which staging ended. */
export function unsentEnding(
  staged: StageEnd,
  interruption: Interruption,
  next: Readonly<Record<StageEnd['kind'], string | null>>,
): Ending {
  const exits = { staged: 'OK', invalid: 'INPUT_INVALID', interrupted: interruption.exit() } as const;
  return { exit: exits[staged.kind], resumable: false, next: next[staged.kind] };
}

/** What a push of a staged run would send. */
export function sendingPlan(run: RunFile, settings: Settings): SendingPlan {
  const { largest, ...totals } = totalsOfRequests(run.header.resource, run.plannedRequests());
  return { target: settings.get('baseUrl') ?? null, ...totals, largest_request: largest };
}
