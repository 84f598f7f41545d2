import { warning } from '../../../core/problem.ts';
import { NO_CELL } from '../column-map.ts';
import type { CellProblem, RecordRows } from '../mapping-plan.ts';
import type { Columns } from './columns.ts';
import { counted } from '../../../core/values/counts.ts';
import type { LineTally } from './level.ts';

/** Counts records that have two rows with equal cells. A join that finds a row twice makes such records. */
export function equalRows({ names, isUsed }: Columns): RowOddities {
  let found: LineTally | undefined;
  return {
    see(rows) {
      if (rows.length > 1 && new Set(rows.map(({ cells }) => cells.join('\0'))).size < rows.length)
        found = counted(found, rows[0].firstLine);
    },
    *warnings() {
      // Without a column that is read in each row nothing is added up.
      if (!found || !names.some((_, index) => isUsed(index, 'row'))) return;
      const problem = warning('rows_equal_in_record', [], { count: found.count });
      yield { problem, cell: { ...NO_CELL, line: found.first } };
    },
  };
}

/** Oddities of the rows of the records of a file. They are known once all rows were seen. `made`: the record of the rows, where it was made. */
export type RowOddities = {
  see(rows: RecordRows, made?: Readonly<Record<string, unknown>>): void;
  warnings(): Iterable<CellProblem>;
};
