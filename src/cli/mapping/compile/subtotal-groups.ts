import { failure } from '../../../core/problem.ts';
import type { SourceRow } from '../../csv/source-row.ts';
import { NO_CELL } from '../column-map.ts';
import { replacer } from '../language/replacement.ts';
import type { TotalSpec } from '../language/source.ts';
import type { CellProblem } from '../mapping-plan.ts';
import { boundColumn, sourceCell, type Level } from './level.ts';
import type { RunningSum } from './running-sum.ts';

/** What is known of the rows of a total. */
export interface SubtotalTally {
  /** Rows that count, and rows that the filter leaves out. */
  rows: number;
  filtered: number;
  readonly sums: readonly RunningSum[];
}

/** The rows that a row of totals is about. */
export interface Groups {
  tallyFor(row: SourceRow): SubtotalTally;
  count(row: SourceRow): void;
  /** The tally of a row of totals, and what is wrong with its rows; undefined when it has none. */
  at(total: SourceRow): {
    readonly tally: SubtotalTally | undefined;
    readonly problems: readonly CellProblem[];
  };
  close(total: SourceRow): void;
  /** The problems of groups without a row of totals, once the file has ended. */
  left(): Iterable<CellProblem>;
}

/** The rows since the last row of totals; with `by` these have to be of one group, and with `by_cell` the row names its group. */
export function subtotalGroups(spec: TotalSpec, level: Level, newTally: () => SubtotalTally): Groups {
  if (spec.by === undefined) return oneGroup(newTally);
  const column = boundColumn(level, spec.by);
  const read = sourceCell(level, column);
  const keyOf = ({ cells }: SourceRow): string => read(cells) ?? '';
  return spec.by_cell === undefined
    ? adjoiningGroups(spec.by, keyOf, newTally)
    : namedGroups({ by: spec.by, cell: spec.by_cell, replace: spec.replace }, keyOf, newTally);
}

function oneGroup(newTally: () => SubtotalTally): Groups {
  let tally = newTally();
  return {
    tallyFor: () => tally,
    count: () => undefined,
    at: () => ({ tally, problems: [] }),
    close: () => void (tally = newTally()),
    left: () => [],
  };
}

/** Each row of totals follows the rows of its group. */
function adjoiningGroups(
  by: string,
  keyOf: (row: SourceRow) => string,
  newTally: () => SubtotalTally,
): Groups {
  let tally = newTally();
  let key: string | undefined;
  let firstLine = 0;
  /** The first line of another group. */
  let otherLine = 0;
  return {
    tallyFor: () => tally,
    count(row) {
      if (key === undefined) [key, firstLine] = [keyOf(row), row.firstLine];
      else if (otherLine === 0 && keyOf(row) !== key) otherLine = row.firstLine;
    },
    at(total) {
      const problem = failure('subtotal_mixed', [], { column: by, line: otherLine });
      return { tally, problems: otherLine === 0 ? [] : [inRow(total, null, problem)] };
    },
    close() {
      [tally, key, otherLine] = [newTally(), undefined, 0];
    },
    *left() {
      if (key !== undefined) yield missing(by, firstLine, tally.rows);
    },
  };
}

/** Groups without a row of totals that are reported one by one. */
const MOST_LEFT = 20;

/** Each row of totals names its group, wherever in the file the rows of the group are. */
function namedGroups(
  { by, cell, replace }: { by: string; cell: number; replace: TotalSpec['replace'] },
  keyOf: (row: SourceRow) => string,
  newTally: () => SubtotalTally,
): Groups {
  const groups = new Map<string, { tally: SubtotalTally; firstLine: number }>();
  const replaced = replacer(replace);
  const nameIn = ({ cells }: SourceRow): string => replaced((cells[cell - 1] ?? '').trim());
  return {
    tallyFor(row) {
      const key = keyOf(row);
      const known = groups.get(key) ?? { tally: newTally(), firstLine: row.firstLine };
      groups.set(key, known);
      return known.tally;
    },
    count: () => undefined,
    at(total) {
      const tally = groups.get(nameIn(total))?.tally;
      const problem = failure('subtotal_without_rows', [], { column: by });
      return { tally, problems: tally ? [] : [inRow(total, cell, problem)] };
    },
    close: (total) => void groups.delete(nameIn(total)),
    *left() {
      const counted = [...groups.values()].filter(({ tally }) => tally.rows > 0);
      for (const { tally, firstLine } of counted.slice(0, MOST_LEFT))
        yield missing(by, firstLine, tally.rows);
      const more = counted.slice(MOST_LEFT);
      const rows = more.reduce((total, { tally }) => total + tally.rows, 0);
      if (more.length > 0) yield missing(by, more[0]!.firstLine, rows);
    },
  };
}

function missing(column: string, line: number, count: number): CellProblem {
  const problem = failure('subtotal_missing', [], { column, count });
  return { problem, cell: { ...NO_CELL, line, header: column } };
}

function inRow(total: SourceRow, column: number | null, problem: CellProblem['problem']): CellProblem {
  return { problem, cell: { ...NO_CELL, line: total.firstLine, column } };
}
