import type { Resource } from '../../core/contract/resources.ts';
import type { CheckContext } from '../../core/rules/rule.ts';
import type { CalendarDate } from '../../core/values/calendar-date.ts';
import type { ReadItem } from '../csv/source-row.ts';
import type { PlanResult } from '../mapping/mapping-plan.ts';

/** What is staged, and by which rules. */
export interface StageJob {
  readonly resource: Resource;
  readonly sources: readonly StageSource[];
  readonly check: CheckContext;
  /** The first day that a date is believed to be (`--earliest-date`). */
  readonly earliestDate: CalendarDate;
  /** What becomes of rows that repeat an earlier one in every field (`--exact-duplicates`). */
  readonly exactDuplicates: ExactDuplicates;
  /** Rows of the run that are left out from the first, and how many are taken after that (`--skip-records`, `--max-records`). */
  readonly window: { readonly skip: number; readonly max: number };
  /** Whether an account belongs to this process (`--shard`). */
  readonly inShard: (accountNumber: string) => boolean;
}

/** `error`: both rows are refused, as all that repeat an id. `skip`: the later ones are left out. */
export const EXACT_DUPLICATES = ['error', 'skip'] as const;
export type ExactDuplicates = (typeof EXACT_DUPLICATES)[number];

/** A file of the job. */
export interface StageSource {
  /** Its name in problems. */
  readonly name: string;
  readonly items: AsyncIterable<ReadItem>;
  /** Makes the mapping once the header is known. */
  readonly mapping: (header: readonly string[]) => PlanResult;
}

/** What the sources of one job count together. */
export interface StageCounts {
  rows: number;
  invalid: number;
  errors: number;
}
