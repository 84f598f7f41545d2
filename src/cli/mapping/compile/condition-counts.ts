import { warning } from '../../../core/problem.ts';
import type { TextPosition } from '../../../core/yaml/yaml-text.ts';
import type { ConditionSpec } from '../language/conditions.ts';
import { conditionLists, type ConditionList } from '../language/field-visits.ts';
import type { Mapping } from '../language/mapping.ts';
import type { CellProblem } from '../mapping-plan.ts';

/** How often a list of conditions was tested, and how often it held. */
interface ListCount {
  tested: number;
  held: number;
  /** How often each of its conditions held. A condition is not tested when one before it did not hold. */
  readonly heldEach: number[];
}

/** Fewer rows than `always` decide nothing, and fewer than `never` need not have every kind of row that a mapping knows. */
const LEAST = { always: 2, never: 20 };

/** Counts how often the conditions of a mapping hold. A condition that never or always holds is most likely a mistake. */
export class ConditionCounts {
  private readonly counts = new Map<readonly ConditionSpec[], ListCount>();

  /** The count of a list, which its test has to keep. */
  of(list: readonly ConditionSpec[]): ListCount {
    const known = this.counts.get(list) ?? { tested: 0, held: 0, heldEach: list.map(() => 0) };
    this.counts.set(list, known);
    return known;
  }

  /** Whether a list of conditions never held, or always held where that is odd. */
  oddity({ list, mayAlwaysHold }: ConditionList): 'never' | 'always' | undefined {
    const count = this.counts.get(list);
    if (count === undefined || count.tested < LEAST.always) return undefined;
    if (count.held === 0) return count.tested < LEAST.never ? undefined : 'never';
    return count.held === count.tested && !mayAlwaysHold ? 'always' : undefined;
  }

  /** Warnings about the conditions of a mapping, each at its place in the mapping file. */
  *warnings({ document, positionOf }: Pick<Mapping, 'document' | 'positionOf'>): Generator<CellProblem> {
    for (const conditions of conditionLists(document)) {
      const oddity = this.oddity(conditions);
      if (oddity === undefined) continue;
      const { list, path } = conditions;
      const { tested, heldEach } = this.counts.get(list)!;
      const at = oddity === 'never' ? Math.max(heldEach.indexOf(0), 0) : 0;
      yield {
        problem: warning('condition_doubtful', [], {
          found: `held for ${oddity === 'never' ? 'none' : 'all'} of the rows that it was tested on`,
          count: tested,
        }),
        cell: placeOf(list[at]!, positionOf([...path, at])),
      };
    }
  }
}

function placeOf({ column, field }: ConditionSpec, position: TextPosition): CellProblem['cell'] {
  return {
    file: position.file,
    line: position.line,
    column: position.column,
    header: column ?? field ?? null,
  };
}
