import type { Resource } from '../../core/contract/resources.ts';
import { failure, warning } from '../../core/problem.ts';
import type { CheckContext } from '../../core/rules/rule.ts';
import type { ReadItem } from '../csv/read-csv.ts';
import type { MappingPlan } from '../mapping/candidate.ts';
import { placeOf } from '../mapping/column-map.ts';
import type { HeaderReading } from '../mapping/plan-by-header.ts';
import type { EventSink } from './events.ts';
import { locate } from './located-problem.ts';
import type { StagingRun } from './run.ts';
import { SourceStaging } from './stage-source.ts';

/** What is staged, and by which rules. */
export interface StageJob {
  readonly resource: Resource;
  readonly sources: readonly StageSource[];
  readonly check: CheckContext;
  /** Rows of the run that are left out from the first, and how many are taken after that (`--skip-records`, `--max-records`). */
  readonly window: { readonly skip: number; readonly max: number };
  /** Whether an account belongs to this process (`--shard`). */
  readonly inShard: (accountNumber: string) => boolean;
}

/** A file of the job. */
export interface StageSource {
  /** Its name in problems. */
  readonly name: string;
  readonly items: AsyncIterable<ReadItem>;
  /** Makes the mapping once the header is known. */
  readonly mapping: (header: readonly string[]) => HeaderReading;
}

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

/** What the sources of one job count together. */
export interface StageCounts {
  rows: number;
  invalid: number;
  errors: number;
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
  return { usable, interrupted: false, errors: counts.errors, plans: stagings.flatMap(({ plan }) => (plan ? [plan] : [])) };
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
