import type { Resource } from '../../core/contract/resources.ts';
import type { MappingPlan } from '../mapping/mapping-plan.ts';
import type { EventSink } from './events.ts';
import type { StagingRun } from './ports/run.ts';
import { reportRepetitions } from './repetitions.ts';
import type { StageCounts, StageJob } from './stage-job.ts';
import { SourceStaging } from './stage-source.ts';
import { stagedFile, type StagedFile } from './staged-file.ts';
import { surveyFile } from './survey.ts';

/** What staging found; the rows and the problems are in the run file. */
export interface StageResult {
  /** The mapping of each source. */
  readonly plans: readonly MappingPlan[];
  /** False when a header or a file as a whole cannot be used: then no row may be sent, whatever was asked. */
  readonly usable: boolean;
  /** True when reading was given up on request. */
  readonly interrupted: boolean;
  readonly errors: number;
}

/** What staging is handed beside its job; `interrupt` ends it between two rows. */
export interface StagePorts {
  readonly emit: EventSink;
  readonly interrupt: AbortSignal;
}

/** Reads, maps and checks every row and appends it to the run file. Sends nothing. */
export async function stage(job: StageJob, run: StagingRun, ports: StagePorts): Promise<StageResult> {
  const { emit, interrupt } = ports;
  const counts: StageCounts = { rows: 0, invalid: 0, errors: 0 };
  const stagings: SourceStaging[] = [];
  for (const [index, source] of job.sources.entries()) {
    const staging = new SourceStaging({ job, source, number: index + 1, run, emit, counts });
    stagings.push(staging);
    for await (const item of source.items) {
      if (interrupt.aborted) return { plans: [], usable: false, interrupted: true, errors: counts.errors };
      staging.accept(item);
    }
    staging.finish();
  }
  const usable = stagings.every((staging) => staging.usable);
  if (usable) {
    const columns = stagings.map(({ plan }) => plan?.columns ?? []);
    lookAtWhole(stagedFile({ job, run, counts }, columns));
  }
  emit({ kind: 'staging', rows: counts.rows, invalid: counts.invalid });
  return {
    usable,
    interrupted: false,
    errors: counts.errors,
    plans: stagings.flatMap(({ plan }) => (plan ? [plan] : [])),
  };
}

/** Rules between rows; they need every row of every source. */
function lookAtWhole(file: StagedFile): void {
  // Most files have no id twice: then one look is enough, where each of the others sorts all records.
  const idsAreApart = file.run.idsAreApart();
  if (!idsAreApart || !KEYED_BY_ID[file.job.resource]) reportRepetitions(file);
  surveyFile(file, idsAreApart);
}

/** Whether records are the same by their id alone, so that records with different ids differ. */
const KEYED_BY_ID: Readonly<Record<Resource, boolean>> = {
  notes: false,
  transactions: true,
  statements: true,
  'payment-instructions': false,
};
