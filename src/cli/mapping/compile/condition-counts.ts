import { warning } from '../../../core/problem.ts';
import type { ConditionSpec } from '../language/conditions.ts';
import { conditionLists } from '../language/field-visits.ts';
import type { Mapping } from '../language/mapping.ts';
import type { CellProblem } from '../mapping-plan.ts';

/** How often a list of conditions was tested. */
interface ListCount {
  tested: number;
  /** How often each of its conditions held. A condition is not tested when one before it did not hold. */
  readonly heldEach: number[];
}

/** Fewer rows than this need not have every kind of row that a mapping knows. */
const LEAST = 20;

/** Counts how often the conditions of a mapping hold. A condition that never holds is most likely a mistake. */
export class ConditionCounts {
  private readonly counts = new Map<readonly ConditionSpec[], ListCount>();

  /** The count of a list, which its test has to keep. */
  of(list: readonly ConditionSpec[]): ListCount {
    const known = this.counts.get(list) ?? { tested: 0, heldEach: list.map(() => 0) };
    this.counts.set(list, known);
    return known;
  }

  /** Whether a list of conditions held for no row, and was tested on many. */
  neverHeld(list: readonly ConditionSpec[]): boolean {
    const { tested, heldEach } = this.of(list);
    return tested >= LEAST && heldEach.at(-1) === 0;
  }

  /** Warnings about the conditions of a mapping, each at its place in the mapping file. */
  *warnings({ document, positionOf }: Pick<Mapping, 'document' | 'positionOf'>): Generator<CellProblem> {
    for (const { list, path } of conditionLists(document)) {
      if (!this.neverHeld(list)) continue;
      const { tested, heldEach } = this.of(list);
      const at = heldEach.indexOf(0);
      const { column = null, field = null } = list[at]!;
      const { file, line, column: mapColumn } = positionOf([...path, at]);
      yield {
        problem: warning('condition_doubtful', [], {
          found: 'held for none of the rows that it was tested on',
          count: tested,
        }),
        cell: { file, line, column: mapColumn, header: column ?? field },
      };
    }
  }
}
