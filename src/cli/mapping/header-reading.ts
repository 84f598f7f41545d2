import type { Problem } from '../../core/problem.ts';
import type { MappingPlan } from './candidate.ts';

/** What is wrong with one column; paths name nothing, `column` its place. */
export interface HeaderProblem {
  readonly problem: Problem;
  readonly column: number | null;
  readonly header: string | null;
}

/** What the header says: a plan, and what is wrong with single columns. */
export interface HeaderReading {
  readonly plan: MappingPlan;
  readonly problems: readonly HeaderProblem[];
}
