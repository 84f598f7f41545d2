import type { ItemCell } from '../csv/source-row.ts';
import {
  withoutAlternative,
  type MappedColumn,
  type RecordCell,
  type RecordPart,
} from '../mapping/column-map.ts';
import type { Candidate, CellProblem, MappingPlan, PlanResult, RecordRows } from '../mapping/mapping-plan.ts';

/** Where the columns of the result of a query come from, and the place of the query. */
export interface QueryOrigin {
  /** The cells of each column of the result: their file, column and header. The line is null. */
  readonly columns: readonly ItemCell[];
  readonly place: Readonly<{ file: string; line: number }>;
}

/** The plan of the result of a query. Its problems name the cells of the tables, and the query for what is wrong with its columns. */
export function byQuery({ plan, problems }: PlanResult, { columns, place }: QueryOrigin): PlanResult {
  const staticCell = (cell: RecordCell): RecordCell =>
    isOfResult(cell) ? { ...columns[cell.column - 1]!, line: cell.line } : cell;
  const queried: MappingPlan = {
    ...plan,
    columns: plan.columns.map((mapped): MappedColumn => {
      const from = mapped.index === null || mapped.index < 0 ? undefined : columns[mapped.index];
      if (!from) return mapped;
      return {
        attr: mapped.attr,
        index: from.column === null ? null : from.column - 1,
        header: from.header ?? mapped.header,
        ...(from.file !== null && { file: from.file }),
      };
    }),
    candidateOf(rows, isTrial) {
      const candidate = plan.candidateOf(rows, isTrial);
      const cellIn = (cell: RecordCell): RecordCell => cellOfRow(cell, rows);
      return {
        ...candidate,
        problems: candidate.problems.map(({ problem, cell }) => ({ problem, cell: cell && cellIn(cell) })),
        sourceCells: candidate.sourceCells.map((source) => ({ ...source, cell: cellIn(source.cell) })),
        parts: partsOf(plan, candidate, rows),
      };
    },
    *leftOver() {
      for (const { problem, cell } of plan.leftOver()) yield { problem, cell: cell && staticCell(cell) };
    },
  };
  const inQuery = ({ problem, cell }: CellProblem): CellProblem => ({
    problem,
    cell: { ...place, column: null, header: cell?.header ?? null },
  });
  return { plan: queried, problems: problems.map(inQuery) };
}

/** Cells of other files, and columns that the result does not have, stay as they are. */
const isOfResult = (cell: RecordCell): cell is RecordCell & { column: number } =>
  cell.file === null && cell.column !== null && cell.column > 0;

function cellOfRow(cell: RecordCell, rows: RecordRows): RecordCell {
  if (!isOfResult(cell)) return cell;
  const row = rows.find(({ firstLine }) => firstLine === cell.line) ?? rows[0];
  const from = row.cellAt!(cell.column - 1);
  return { ...from, line: from.line ?? cell.line };
}

/** Parts for the fields that other tables feed, and for those whose cell is not known. */
function partsOf(plan: MappingPlan, { parts }: Candidate, [row]: RecordRows): readonly RecordPart[] {
  const found = [...parts];
  for (const { attr, index } of plan.columns) {
    if (index === null || index < 0) continue;
    const from = row.cellAt!(index);
    const isKnown = from.column !== null || from.header !== null;
    const isOfRow = from.file === null && (from.line ?? row.firstLine) === row.firstLine;
    if (isOfRow && isKnown) continue;
    const field = withoutAlternative(attr);
    const at = found.findIndex((part) => part.columns === attr);
    // Another alternative has given the value.
    if (at < 0 && (attr !== field || found.some((part) => part.attr === field))) continue;
    const place = {
      attr: at < 0 ? field : found[at]!.attr,
      file: from.file,
      line: from.line ?? row.firstLine,
    };
    const columns = isKnown ? found[at]?.columns : `${attr}.~0`;
    found.splice(at < 0 ? found.length : at, at < 0 ? 0 : 1, {
      ...place,
      ...(columns !== undefined && { columns }),
    });
  }
  return found;
}
