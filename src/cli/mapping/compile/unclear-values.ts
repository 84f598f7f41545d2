import { warning } from '../../../core/problem.ts';
import { LOST_VALUE, NO_VALUE } from '../../csv/lost-values.ts';
import { NO_CELL } from '../column-map.ts';
import { conditionLists } from '../language/field-visits.ts';
import type { Mapping } from '../language/mapping.ts';
import type { CellProblem } from '../mapping-plan.ts';
import type { BoundColumn } from './columns.ts';
import type { LineTally } from './level.ts';

/** Stands for a text that a condition lists. */
export const LISTED = Symbol('listed');

/** Fewer rows than this need not all have a value that means something. */
const LEAST = 20;

/** The most rows without such a value before it is usual to have none. */
const FEW = 3;
const FEW_SHARE = 0.02;

/** How a cell fails to say what its condition asks. A spreadsheet never shows a lost value on purpose, however often. */
const KINDS = {
  empty: { what: 'are empty', isAlwaysOdd: false },
  none: { what: 'have a text that means "no value"', isAlwaysOdd: false },
  lost: { what: 'have what a spreadsheet shows for a lost value', isAlwaysOdd: true },
} as const;
type Kind = keyof typeof KINDS;

/** The cells of a column that conditions look at. */
interface LookedAt {
  readonly column: BoundColumn;
  rows: number;
  readonly kinds: Map<Kind, LineTally & { leftOut: number }>;
}

/** Cells that say nothing, in columns whose texts decide about rows: no condition names them, so they fall on one side by chance. */
export function unclearValues({ document }: Mapping): {
  see(
    column: BoundColumn,
    text: string | typeof LISTED | undefined,
    row: { line: number; isLeftOut: boolean },
  ): void;
  warnings(): readonly CellProblem[];
} {
  // Conditions on emptiness say what an empty cell means.
  const mayBeEmpty = new Set(
    conditionLists(document)
      .flatMap(({ list }) => list)
      .flatMap(({ column, is }) => (is === 'empty' || is === 'present' ? (column ?? []) : [])),
  );
  const columns = new Map<number, LookedAt>();
  return {
    see(column, text, { line, isLeftOut }) {
      const known: LookedAt = columns.get(column.index) ?? { column, rows: 0, kinds: new Map() };
      columns.set(column.index, known);
      known.rows++;
      const kind = text === LISTED ? undefined : kindOf(text);
      if (kind === undefined) return;
      if (kind === 'empty' && mayBeEmpty.has(column.header)) return;
      const tally = known.kinds.get(kind) ?? { count: 0, leftOut: 0, line };
      known.kinds.set(kind, tally);
      tally.count++;
      if (isLeftOut) tally.leftOut++;
    },
    warnings: () =>
      [...columns.values()].flatMap(({ column: { index, header }, rows, kinds }) =>
        [...kinds].flatMap(([kind, { count, leftOut, line }]): CellProblem | readonly CellProblem[] => {
          const { what, isAlwaysOdd } = KINDS[kind];
          if (!isAlwaysOdd && (rows < LEAST || count > Math.max(FEW, rows * FEW_SHARE))) return [];
          const facts = { what, count, rows, left_out: leftOutFact(leftOut) };
          const cell = { ...NO_CELL, line, column: index + 1, header };
          return { problem: warning('condition_value_unclear', [], facts), cell };
        }),
      ),
  };
}

/** Says how many of the rows the filter leaves out, if it leaves out any. */
export function leftOutFact(count: number): string {
  return count === 0 ? '' : `; the filter leaves out ${count} of them`;
}

function kindOf(text: string | undefined): Kind | undefined {
  if (text === undefined || text.trim() === '') return 'empty';
  if (LOST_VALUE.test(text)) return 'lost';
  return NO_VALUE.test(text.trim()) ? 'none' : undefined;
}
