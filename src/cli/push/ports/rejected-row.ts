import type { SourceRow } from '../../csv/source-row.ts';
import type { LocatedProblem } from './located-problem.ts';

/** The rows of one record that was not taken, as one span of lines and bytes of its source. */
export interface RejectedRow extends Omit<SourceRow, 'cells'> {
  /** What is wrong with it; empty when what is wrong stands in another file. */
  readonly problems: readonly LocatedProblem[];
}
