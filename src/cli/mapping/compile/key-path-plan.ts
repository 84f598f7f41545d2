import type { MappedColumn, RecordCell } from '../column-map.ts';
import type { CellProblem, MappingPlan, PlanResult } from '../mapping-plan.ts';

/** The plan of a file of JSON Lines. Its problems name the key path of a value, because it has no columns to count. */
export function byKeyPath({ plan, problems }: PlanResult): PlanResult {
  const keyed: MappingPlan = {
    ...plan,
    columns: plan.columns.map((column): MappedColumn => ({ ...column, index: null })),
    candidateOf(rows, isTrial) {
      const candidate = plan.candidateOf(rows, isTrial);
      return {
        ...candidate,
        problems: candidate.problems.map(withKeyPath),
        sourceCells: candidate.sourceCells.map((source) => ({ ...source, cell: cellByKeyPath(source.cell) })),
      };
    },
    *leftOver() {
      for (const problem of plan.leftOver()) yield withKeyPath(problem);
    },
  };
  return { plan: keyed, problems: problems.map(withKeyPath) };
}

function withKeyPath({ problem, cell }: CellProblem): CellProblem {
  return { problem, cell: cell && cellByKeyPath(cell) };
}

/** Cells of other files, such as the mapping file, keep their columns. A column that the file does not have is 0. */
function cellByKeyPath(cell: RecordCell): RecordCell {
  if (cell.file !== null) return cell;
  return { ...cell, column: null, header: cell.column === 0 ? null : cell.header };
}
