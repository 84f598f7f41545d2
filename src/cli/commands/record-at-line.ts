import { AppError } from '../../core/app-error.ts';
import type { Problem } from '../../core/problem.ts';
import type { SourceRow } from '../csv/source-row.ts';
import type { MappingPlan, RecordRows } from '../mapping/candidate.ts';
import { rowProblem } from '../push/stage-source.ts';
import type { MappedSource } from './mapping-of.ts';

/** A record of a file, with all of its rows. */
export interface FoundRecord {
  readonly plan: MappingPlan;
  readonly names: readonly string[];
  readonly rows: RecordRows;
  readonly isFiltered: boolean;
  /** What is wrong with the header, and with the row as a row. */
  readonly problems: readonly Problem[];
}

/** Says where records are near a line that belongs to none; the end of a sentence. */
export interface NoRecord {
  readonly near: string;
}

/**
 * Reads up to the record that a line belongs to, joining rows as a push does.
 * @throws AppError with the code of what makes the file unreadable before that line
 */
export async function recordAtLine(source: MappedSource, line: number): Promise<FoundRecord | NoRecord> {
  let header: Pick<FoundRecord, 'plan' | 'names' | 'problems'> | undefined;
  let open: [SourceRow, ...SourceRow[]] | undefined;
  let before: SourceRow | undefined;
  for await (const item of source.items) {
    if (item.kind === 'unreadable') {
      if (open && header && holds(open, line)) return foundIn(open, header);
      throw new AppError(item.problem.code, { ...item.problem.facts, file: source.name, line: item.line });
    }
    if (item.kind === 'header') {
      const { plan, problems } = source.mapping(item.names);
      header = {
        plan,
        names: item.names,
        problems: problems.flatMap(({ problem }) => (problem.severity === 'error' ? [problem] : [])),
      };
    }
    if (item.kind !== 'row' || !header) continue;
    const { row } = item;
    if (open && header.plan.continues(row, open[0])) {
      open.push(row);
      continue;
    }
    if (open && holds(open, line)) return foundIn(open, header);
    if (row.firstLine > line) return { near: nearText(before, row) };
    before = open?.at(-1) ?? before;
    open = [row];
    before = row;
  }
  if (open && header && holds(open, line)) return foundIn(open, header);
  return { near: nearText(before, undefined) };
}

function holds(rows: RecordRows, line: number): boolean {
  return rows.some(({ firstLine, lastLine }) => firstLine <= line && line <= lastLine);
}

function foundIn(
  rows: RecordRows,
  { plan, names, problems }: Pick<FoundRecord, 'plan' | 'names' | 'problems'>,
): FoundRecord {
  const objection = rowProblem(rows[0], names);
  return {
    plan,
    names,
    rows,
    isFiltered: plan.isFiltered(rows[0]),
    problems: objection ? [...problems, objection] : problems,
  };
}

function nearText(before: SourceRow | undefined, after: SourceRow | undefined): string {
  const lines = [before?.lastLine, after?.firstLine].filter((line) => line !== undefined);
  return lines.length === 0
    ? '; the file has none'
    : `; the nearest ${lines.length === 1 ? 'is' : 'are'} on line ${lines.join(' and line ')}`;
}
