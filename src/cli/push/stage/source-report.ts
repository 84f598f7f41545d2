import type { Problem } from '../../../core/problem.ts';
import type { SourceRow } from '../../csv/source-row.ts';
import { cellOf, NO_CELL, type RecordCell, type RecordPart } from '../../mapping/column-map.ts';
import type { CellProblem, MappingPlan, RecordRows } from '../../mapping/mapping-plan.ts';
import type { EventSink } from '../events.ts';
import type { CellLocation } from '../ports/report.ts';
import type { SourcePosition } from '../ports/staging.ts';
import type { StageCounts, StageJob, StageSource } from '../stage-job.ts';

const EVENT_EVERY_ROWS = 1000;

/** One source of a job, and where its problems and its progress go. */
export interface SourceParts {
  readonly job: Pick<StageJob, 'resource' | 'maxRecords'>;
  readonly source: StageSource;
  /** Number of the source within the run, from 1. */
  readonly number: number;
  readonly onProblem: (problem: Problem, at: CellLocation) => void;
  readonly emit: EventSink;
  readonly counts: StageCounts;
}

/** The problems of one source at their cells, and its lines counted, as the run keeps them. */
export class SourceReport {
  /** Whether its records may be sent. */
  usable = true;
  /** Whether a problem of the file as a whole makes everything that is known at its end uncertain. */
  isStopped = false;
  private firstByte = Infinity;
  private headerIsWrong = false;
  private readonly parts: SourceParts;

  constructor(parts: SourceParts) {
    this.parts = parts;
  }

  /** Reports a problem of the source as a whole: no record of the run may be sent. */
  stop(problem: Problem, line: number, cell = NO_CELL): void {
    this.isStopped = true;
    this.refuse(problem, line, cell);
  }

  /** Reports a total that is not that of the rows. The other totals are still looked at. */
  refuse(problem: Problem, line: number, cell = NO_CELL): void {
    this.usable = false;
    this.add(problem, line, cell);
  }

  /** Reports problems of the header. One that is an error stops the source. */
  reportHeader(problems: readonly CellProblem[], line: number): void {
    for (const { problem, cell } of problems) {
      if (problem.severity === 'error') {
        this.headerIsWrong = true;
        this.stop(problem, line, cell ?? NO_CELL);
      } else this.add(problem, line, cell ?? NO_CELL);
    }
  }

  /** Reports problems of a record at the cells that its fields come from. */
  reportRecord(
    problems: readonly CellProblem[],
    { firstLine, cells, endsAtEof }: SourceRow,
    { plan, parts }: { plan: MappingPlan; parts: readonly RecordPart[] },
  ): void {
    if (problems.length === 0) return;
    const reported = new Set<string>();
    for (const { problem, cell: known } of problems) {
      const cell = known ?? filled(cellOf(plan.columns, problem.path, parts), cells, plan.columns);
      // A cell that feeds several fields has one problem, and not one for each of them.
      if (cell.header !== null) {
        const same = JSON.stringify([problem.code, problem.facts, cell, problem.path.slice(1)]);
        if (reported.has(same)) continue;
        reported.add(same);
      }
      // A missing column was reported with the header. The rows do not repeat it.
      if (this.headerIsWrong && (problem.code === 'required' || !isCell(cell))) continue;
      const isCut = endsAtEof && cell.column === cells.length && problem.code === 'lookup_missing';
      this.add(isCut ? { ...problem, facts: CUT_OFF } : problem, firstLine, cell);
    }
  }

  /** `line` is the line of the record or of the file; the cell may have its own. */
  add(problem: Problem, line: number, cell = NO_CELL): void {
    const { onProblem, counts, source } = this.parts;
    if (problem.severity === 'error') counts.errors++;
    onProblem(problem, { ...cell, file: cell.file ?? source.name, line: cell.line ?? line });
  }

  countLine(): void {
    const { counts, emit, source } = this.parts;
    if (++counts.rows % EVENT_EVERY_ROWS === 0) {
      const reading = source.share && { file: source.name, share: source.share() };
      emit({ kind: 'staging', rows: counts.rows, invalid: counts.invalid, reading });
    }
  }

  /** The byte at which the first of the rows begins that have a position. */
  get rowsFrom(): number {
    return this.firstByte === Infinity ? 0 : this.firstByte;
  }

  positionOf(rows: RecordRows): SourcePosition {
    const [{ firstLine, byteStart }, { lastLine, byteEnd }] = [rows[0], rows.at(-1)!];
    if (byteStart < this.firstByte) this.firstByte = byteStart;
    return { source: this.parts.number, firstLine, lastLine, byteStart, byteEnd };
  }
}

const CUT_OFF = {
  what: 'is not in the lookup table, and the file ends behind it without a line break',
  todo: 'The file may be cut off: compare its size with the original. Else add the text to the table.',
};

/** The cell beside an empty one that feeds the same field, as a debit and a credit do. */
function filled(cell: RecordCell, cells: SourceRow['cells'], columns: MappingPlan['columns']): RecordCell {
  const at = (cell.column ?? 0) - 1;
  if (cell.line !== null || cells[at] !== '') return cell;
  const attr = columns.find(({ index }) => index === at)?.attr;
  const other = columns.find((each) => each.attr === attr && (cells[each.index ?? -1] ?? '') !== '');
  return other ? { ...cell, column: other.index! + 1, header: other.header } : cell;
}

/** A column that a mapping names and the file lacks has no number, and no key path. */
const isCell = ({ column, header }: RecordCell): boolean => (column === null ? header !== null : column > 0);
