import { failure, warning, type Problem } from '../../../core/problem.ts';
import { delimiterHint } from '../../csv/opening.ts';
import {
  ROW_IN_QUOTES,
  cellCountProblem,
  repeatsHeader,
  rowProblem,
  type ItemCell,
  type LeftOutPart,
  type ReadItem,
  type SourceRow,
} from '../../csv/source-row.ts';
import { NO_CELL } from '../../mapping/column-map.ts';
import type { Candidate, MappingPlan, RecordRows, TrailerCheck } from '../../mapping/mapping-plan.ts';
import type { LeftOutCause } from '../ports/report.ts';
import type { SourcePosition } from '../ports/staging.ts';
import { SourceReport, type SourceParts } from './source-report.ts';
import { DESCRIPTORS } from '../../../core/contract/resources.ts';

const OUT_OF_WINDOW: LeftOutCause = { kind: 'window', place: '' };

/** Most rows of one record, so that a key that never changes cannot load the whole file into memory. */
const MAX_ROWS_PER_RECORD = 10_000;

/** The record whose rows are being collected. */
interface OpenRecord {
  readonly rows: [SourceRow, ...SourceRow[]];
  /** Why it is left out; undefined when it is not. */
  readonly cause: LeftOutCause | undefined;
}

/** What becomes of the records of a source. */
export interface RecordSink {
  accept(rows: RecordRows, plan: MappingPlan): void;
  appendInvalid(position: SourcePosition): void;
  /** Without a plan the rows are no rows of data. */
  leaveOut(cause: LeftOutCause, rows: RecordRows, plan?: MappingPlan): void;
  /** Whether a line that was passed over could be one. */
  looksLikeRecord(candidate: Candidate): boolean;
}

/**
 * One pass over one source: its header, then its records. A record is one row or, where the mapping says so, several. Every
 * row ends in a record, as an invalid row, or as a filtered row.
 */
export class SourceStaging {
  plan: MappingPlan | undefined;
  readonly report: SourceReport;
  private header: readonly string[] = [];
  /** The last line of the last row. A control record is missing after it. */
  private lastLine = 1;
  private open: OpenRecord | undefined;
  /** The control records, which are the rows at the end, by their marks. */
  private readonly totals = new Map<number | null, SourceRow>();
  private recordCount = 0;
  /** Rows of data among the lines of pages, and the line of the first. */
  private readonly eaten = { count: 0, line: 0 };
  /** The row of data before. */
  private rowBefore: SourceRow | undefined;
  private readonly records: RecordSink;
  /** Rows that the filter of the mapping has left out. */
  private filtered = 0;
  readonly parts: SourceParts;

  constructor(parts: SourceParts, sinkFor: (report: SourceReport) => RecordSink) {
    this.parts = parts;
    this.report = new SourceReport(parts);
    this.records = sinkFor(this.report);
  }

  accept(item: ReadItem): void {
    switch (item.kind) {
      case 'header':
        return this.acceptHeader(item);
      case 'row':
        return this.plan ? this.acceptRow(item.row, this.plan) : this.acceptUnmapped(item.row);
      case 'trailer':
        if (this.totals.has(item.mark)) this.assertTotalsLast();
        this.totals.set(item.mark, item.row);
        return;
      case 'broken':
        return this.acceptBroken(item);
      case 'page_line':
        this.checkPageLine(item.row);
        return this.leaveOutPart(item.row, item.kind);
      case 'repeated_header':
        return this.leaveOutPart(item.row, item.kind);
      case 'left_out':
        return this.leaveOutPart(item.row, item.by, item.place);
      case 'skipped':
        return this.checkSkipped(item.row);
      case 'notice':
        return this.report.add(item.problem, item.line, item.cell);
      case 'unreadable':
        return this.report.stop(stoppedAt(item.problem, this.plan !== undefined), item.line, item.cell);
      default:
        return item satisfies never;
    }
  }

  finish(): void {
    const { plan } = this;
    if (!plan) {
      if (this.report.usable) this.report.stop(failure('file_empty', []), 1);
      return;
    }
    this.closeRecord(plan);
    if (this.report.isStopped) return;
    if (this.recordCount === 0) this.report.add(warning('file_has_no_rows', []), 1);
    this.checkTotals(plan.trailer);
    const { count, line } = this.eaten;
    const reason = `\`source.page_lines\` leaves out lines that are rows of data: ${count}`;
    if (count > 0) this.report.refuse(failure('skipped_lines_wrong', [], { reason }), line);
    for (const { problem, cell } of plan.leftOver()) this.report.add(problem, 1, cell ?? NO_CELL);
  }

  /** Whether the filter of the mapping has left out every row. A file without rows is another problem. */
  get isAllFiltered(): boolean {
    return this.report.usable && this.recordCount > 0 && this.filtered === this.recordCount;
  }

  /** Reports that no row is left, once it is known whether other sources have some (`isEmpty`: no source has one). */
  reportAllFiltered(isEmpty: boolean): void {
    const what = `the filter of the mapping leaves out every row of the file: ${this.recordCount}`;
    if (isEmpty) this.report.stop(failure('file_has_no_rows', [], { what }), 1);
    else this.report.add(warning('file_has_no_rows', [], { what }), 1);
  }

  private filterCause(row: SourceRow, plan: MappingPlan): LeftOutCause | undefined {
    const place = plan.filteredBy(row);
    if (place === undefined) return undefined;
    this.filtered++;
    return { kind: 'filter', place };
  }

  private acceptHeader({ names, line, elements, isOneCell }: Extract<ReadItem, { kind: 'header' }>): void {
    if (isOneCell) return this.report.stop(ROW_IN_QUOTES, line);
    const delimiter = elements ? undefined : delimiterHint(names);
    // A wrong delimiter explains every other problem of the header.
    if (delimiter !== undefined)
      return this.report.stop(failure('delimiter_differs', [], { delimiter }), line);
    const { plan, problems } = this.parts.source.mapping(names, elements);
    this.plan = plan;
    this.header = names;
    this.report.reportHeader(problems, line);
  }

  /** A line that is passed over must not be a row of data, as when the preamble is shorter than the mapping says. */
  private checkSkipped(row: SourceRow): void {
    if (this.report.usable && this.recordIn(row))
      this.report.stop(failure('skipped_lines_wrong', []), row.firstLine);
  }

  /** Looks for a row of data in a line of a page, as when a pattern of `page_lines` matches more than it should. */
  private checkPageLine(row: SourceRow): void {
    const candidate = this.recordIn(row);
    if (candidate && this.isLikeRecords(candidate) && this.eaten.count++ === 0)
      this.eaten.line = row.firstLine;
  }

  /** The record that a line could be, which was passed over. */
  private recordIn(row: SourceRow): Candidate | undefined {
    const { plan, header } = this;
    if (!plan || rowProblem(row, header) || plan.filteredBy(row) !== undefined) return undefined;
    const candidate = plan.candidateOf([row], true);
    return this.records.looksLikeRecord(candidate) ? candidate : undefined;
  }

  /** Leaves out a line that is no row of data. The record before it may go on behind it. */
  private leaveOutPart(row: SourceRow, kind: LeftOutPart, place = ''): void {
    this.report.countLine();
    this.parts.counts.parts++;
    this.records.leaveOut({ kind, place }, [row]);
  }

  private acceptRow(row: SourceRow, plan: MappingPlan): void {
    this.assertTotalsLast();
    this.lastLine = row.lastLine;
    const ragged = cellCountProblem(row, this.header);
    if (ragged) {
      // A row that continues an unreadable row must not continue the record before it.
      this.closeRecord(plan);
      return this.rejectRow(row, ragged, plan);
    }
    if (row.cells.every((cell) => cell === ''))
      return this.acceptNoData(row, failure('row_empty', []), plan, this.filterCause(row, plan));
    const isContinuation = plan.continues(row, this.open?.rows[0]);
    const cause =
      isContinuation && (!this.open || this.open.cause) ? this.open?.cause : this.filterCause(row, plan);
    if (repeatsHeader(row, this.header))
      return this.acceptNoData(row, failure('header_repeated', []), plan, cause);
    this.rowBefore = row;
    plan.trailer?.see(row, cause !== undefined);
    if (isContinuation) return this.continueRecord(row, plan, cause);
    this.closeRecord(plan);
    this.open = { rows: [row], cause };
  }

  /** A header or a row without a value is an error, unless the filter leaves it out. Then the record before it may go on. */
  private acceptNoData(row: SourceRow, problem: Problem, plan: MappingPlan, cause?: LeftOutCause): void {
    if (cause) return this.leaveOutRow(row, plan, cause);
    this.closeRecord(plan);
    this.rejectRow(row, problem, plan);
  }

  private leaveOutRow(row: SourceRow, plan: MappingPlan, cause: LeftOutCause): void {
    this.countRecord();
    this.records.leaveOut(cause, [row], plan);
  }

  private continueRecord(row: SourceRow, plan: MappingPlan, cause: LeftOutCause | undefined): void {
    const { open } = this;
    if (!open) return this.rejectRow(row, failure('rows_not_joined', []), plan);
    if (cause && !open.cause) return this.leaveOutRow(row, plan, cause);
    if (open.rows.length >= MAX_ROWS_PER_RECORD) {
      const reason = `the record has more than ${MAX_ROWS_PER_RECORD} rows`;
      if (this.report.usable) this.report.stop(failure('rows_not_joined', [], { reason }), row.firstLine);
      return;
    }
    open.rows.push(row);
  }

  private closeRecord(plan: MappingPlan): void {
    const { open } = this;
    this.open = undefined;
    if (!open) return;
    const isWanted = this.countRecord();
    const cause = open.cause ?? (isWanted ? undefined : OUT_OF_WINDOW);
    if (cause) return this.records.leaveOut(cause, open.rows, plan);
    this.records.accept(open.rows, plan);
  }

  /** Counts a row of a file whose header gives no mapping as invalid. */
  private acceptUnmapped(row: SourceRow): void {
    this.countRecord();
    this.records.appendInvalid(this.report.positionOf([row]));
  }

  /** A row that cannot be cut into cells continues no record, and no record continues behind it. */
  private acceptBroken({ row, problem, cell }: Extract<ReadItem, { kind: 'broken' }>): void {
    const { plan } = this;
    if (!plan) return this.acceptUnmapped(row);
    this.closeRecord(plan);
    this.rejectRow(row, problem, plan, cell);
  }

  private rejectRow(row: SourceRow, problem: Problem, plan: MappingPlan, cell?: ItemCell): void {
    const isWanted = this.countRecord();
    if (!isWanted) return this.records.leaveOut(OUT_OF_WINDOW, [row], plan);
    this.report.add(problem, row.firstLine, cell);
    this.records.appendInvalid(this.report.positionOf([row]));
  }

  /** Counts one record of the run. Returns whether it is one of those that were asked for. */
  private countRecord(): boolean {
    const { job, counts } = this.parts;
    this.recordCount++;
    this.report.countLine();
    return counts.rows - counts.parts <= job.maxRecords;
  }

  /** Any text can be an account number and a note. So a candidate needs a date, or an account number like the one before. */
  private isLikeRecords({ account, record }: Candidate): boolean {
    const { rowBefore, plan } = this;
    const fields = record as Readonly<Record<string, unknown>>;
    const { dates } = DESCRIPTORS[this.parts.job.resource];
    if (dates.some(({ field }) => fields[field] !== undefined)) return true;
    const before = rowBefore && plan!.candidateOf([rowBefore], true).account.external_account_number;
    // The mapping may have found no account number in the row before.
    return before !== undefined && shapeOf(before) === shapeOf(account.external_account_number);
  }

  /** Control records have to be the last rows, so no row may come after one. */
  private assertTotalsLast(): void {
    const [first] = this.totals.values();
    const reason = 'the control record is not the last row of the file';
    if (first && this.report.usable)
      this.report.stop(failure('trailer_unreadable', [], { reason }), first.firstLine);
  }

  /** Compares the rows at the end with all rows. A control record that is not there is missing after the last row, except of rejects. */
  private checkTotals(trailer: TrailerCheck | null): void {
    for (let mark = 0; trailer && mark < trailer.trailers; mark++) {
      const row = this.totals.get(mark);
      const reason = 'the file ends without the control record that the mapping expects';
      if (!row && this.totals.has(null)) continue;
      if (!row) return this.report.stop(failure('trailer_unreadable', [], { reason }), this.lastLine);
      for (const { problem, cell } of trailer.verdict(mark, row))
        this.report.refuse(problem, row.firstLine, cell ?? NO_CELL);
    }
  }
}

/** A problem that ended the reading. Before the header nothing was read, so there is no fact to add. */
function stoppedAt(problem: Problem, wasRead: boolean): Problem {
  return wasRead ? { ...problem, facts: { reading: 'stopped', ...problem.facts } } : problem;
}

/** The shape of an account number, with one sign for all digits and one for all letters. */
const shapeOf = (number: string): string => number.replaceAll(/\p{L}/gu, 'a').replaceAll(/\p{Nd}/gu, '9');
