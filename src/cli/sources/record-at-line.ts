import { AppError } from '../../core/app-error.ts';
import type { Problem } from '../../core/problem.ts';
import { eachItem, rowProblem, type SourceRow } from '../csv/source-row.ts';
import type { MappingPlan, RecordRows } from '../mapping/mapping-plan.ts';
import type { MappedSource } from './mapping-choice.ts';

/** A record of a file, with all of its rows. */
export interface RecordAtLine {
  readonly plan: MappingPlan;
  readonly names: readonly string[];
  readonly rows: RecordRows;
  readonly isFiltered: boolean;
  /** Problems of the header, and of the row before it is mapped. */
  readonly problems: readonly Problem[];
}

/** No record has the line. */
export interface NoRecord {
  /** The nearest lines of records, as the end of a sentence. */
  readonly near: string;
}

/**
 * Reads up to the record that a line belongs to, joining rows as a push does.
 * @throws AppError with the code of what makes the file unreadable before that line
 */
export async function recordAtLine(source: MappedSource, line: number): Promise<RecordAtLine | NoRecord> {
  let header: Pick<RecordAtLine, 'plan' | 'names' | 'problems'> | undefined;
  let open: [SourceRow, ...SourceRow[]] | undefined;
  let before: SourceRow | undefined;
  for await (const item of eachItem(source.items)) {
    if (item.kind === 'unreadable') {
      if (open && header && includes(open, line)) return foundIn(open, header);
      throw new AppError(item.problem.code, { ...item.problem.facts, file: source.name, line: item.line });
    }
    if (item.kind === 'header') {
      const { plan, problems } = source.mapping(item.names, item.elements);
      header = {
        plan,
        names: item.names,
        problems: problems.flatMap(({ problem }) => (problem.severity === 'error' ? [problem] : [])),
      };
    }
    if (item.kind === 'broken' && item.row.firstLine === line)
      throw new AppError(item.problem.code, { ...item.problem.facts, file: source.name, line });
    if (item.kind !== 'row' || !header) continue;
    const { row } = item;
    if (open && header.plan.continues(row, open[0])) {
      open.push(row);
      continue;
    }
    if (open && includes(open, line)) return foundIn(open, header);
    if (row.firstLine > line) return { near: nearText(before, row) };
    before = open?.at(-1) ?? before;
    open = [row];
    before = row;
  }
  if (open && header && includes(open, line)) return foundIn(open, header);
  return { near: nearText(before, undefined) };
}

function includes(rows: RecordRows, line: number): boolean {
  return rows.some(({ firstLine, lastLine }) => firstLine <= line && line <= lastLine);
}

function foundIn(
  rows: RecordRows,
  { plan, names, problems }: Pick<RecordAtLine, 'plan' | 'names' | 'problems'>,
): RecordAtLine {
  const problem = rowProblem(rows[0], names);
  return {
    plan,
    names,
    rows,
    isFiltered: plan.filteredBy(rows[0]) !== undefined,
    problems: problem ? [...problems, problem] : problems,
  };
}

function nearText(before: SourceRow | undefined, after: SourceRow | undefined): string {
  const lines = [before?.lastLine, after?.firstLine].filter((line) => line !== undefined);
  return lines.length === 0
    ? '; the file has none'
    : `; the nearest ${lines.length === 1 ? 'is' : 'are'} on line ${lines.join(' and line ')}`;
}
