import type { Resource } from '../../core/contract/resources.ts';
import { failure, warning } from '../../core/problem.ts';
import type { MappingPlan } from '../mapping/candidate.ts';
import { placeOf } from '../mapping/column-map.ts';
import type { EventSink } from './events.ts';
import { locate } from './locate.ts';
import type { StagingRun } from './ports/run.ts';
import type { StageCounts, StageJob } from './stage-job.ts';
import { SourceStaging } from './stage-source.ts';

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
      if (item.kind === 'unreadable') staging.stop(item.line, item.problem);
      else staging.accept(item.row);
    }
    staging.finish();
  }
  const usable = stagings.every((staging) => staging.usable);
  if (usable) reportRepetitions(job, stagings, run, counts);
  emit({ kind: 'staging', rows: counts.rows, invalid: counts.invalid });
  return {
    usable,
    interrupted: false,
    errors: counts.errors,
    plans: stagings.flatMap(({ plan }) => (plan ? [plan] : [])),
  };
}

/** Rules between rows (reliability.md, "Before the first POST"): nobody but the supplier knows which row is right. */
function reportRepetitions(
  job: StageJob,
  stagings: readonly SourceStaging[],
  run: StagingRun,
  counts: StageCounts,
): void {
  const { field, code } = REPEATED[job.resource];
  for (const { seq, source, line, other } of run.repetitions()) {
    const file = job.sources[source - 1]!.name;
    const facts = { other_file: job.sources[other.source - 1]!.name, other_line: other.line };
    const place = placeOf(stagings[source - 1]!.plan?.columns ?? [], [field]);
    if (code === 'identical_notes') {
      const isFirst = source < other.source || (source === other.source && line < other.line);
      if (!isFirst) run.appendProblem(locate(warning(code, [field], facts), file, line, place));
    } else {
      run.invalidate(seq);
      counts.invalid++;
      counts.errors++;
      run.appendProblem(locate(failure(code, [field], facts), file, line, place));
    }
  }
}

/** Which field repeats and what that is called; only notes may repeat, because the platform keeps one of them. */
const REPEATED = {
  notes: { field: 'body', code: 'identical_notes' },
  transactions: { field: 'transaction_id', code: 'duplicate_transaction_ids' },
  statements: { field: 'statement_id', code: 'duplicate_statement_ids' },
  'payment-instructions': { field: 'external_account_number', code: 'duplicate_payment_instructions' },
} as const satisfies Record<Resource, { field: string; code: string }>;
