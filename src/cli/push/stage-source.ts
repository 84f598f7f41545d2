import { failure, warning, type Problem } from '../../core/problem.ts';
import { delimiterHint } from '../csv/opening.ts';
import type { ReadItem, SourceRow } from '../csv/source-row.ts';
import type { CellProblem, MappingPlan, RecordRows } from '../mapping/mapping-plan.ts';
import { cellOf, NO_CELL, type CellLocation, type RecordPart } from '../mapping/column-map.ts';
import { checkCandidate, stagedRecord } from './check-candidate.ts';
import type { EventSink } from './events.ts';
import { locate } from './locate.ts';
import type { RowPlace, StagingRun } from './ports/run.ts';
import { isBlank, rowObjection } from './row-objection.ts';
import type { StageCounts, StageJob, StageSource } from './stage-job.ts';

const EVENT_EVERY_ROWS = 1000;

/** Rows that one record may have, so that a key that never changes cannot take the whole file into memory. */
const MAX_ROWS_PER_RECORD = 10_000;

/** What the staging of one source is handed. */
interface SourceStagingParts {
  readonly job: StageJob;
  readonly source: StageSource;
  /** Of the source within the run, from 1. */
  readonly number: number;
  readonly run: StagingRun;
  readonly emit: EventSink;
  readonly counts: StageCounts;
}

/** The record whose rows are being gathered. */
interface OpenRecord {
  readonly rows: [SourceRow, ...SourceRow[]];
  readonly isFiltered: boolean;
}

/**
 * One pass over one source: its header, then record after record, each of one row or, where the mapping says so, of
 * several. Every row ends in a record, as an invalid row, or as a row that was left out.
 */
export class SourceStaging {
  plan: MappingPlan | undefined;
  usable = true;
  private header: readonly string[] = [];
  private headerIsWrong = false;
  private open: OpenRecord | undefined;
  private trailer: SourceRow | undefined;
  private records = 0;
  private readonly parts: SourceStagingParts;

  constructor(parts: SourceStagingParts) {
    this.parts = parts;
  }

  accept(item: ReadItem): void {
    switch (item.kind) {
      case 'header':
        return this.acceptHeader(item.names, item.line);
      case 'row':
        return this.plan ? this.acceptRow(item.row, this.plan) : this.passOver(item.row);
      case 'trailer':
        return this.acceptTrailer(item.row);
      case 'notice':
        return this.report(item.problem, item.line);
      case 'unreadable':
        return this.stop(stoppedAt(item.problem, this.plan !== undefined), item.line);
      default:
        return item satisfies never;
    }
  }

  finish(): void {
    const { plan } = this;
    if (!plan) {
      if (this.usable) this.stop(failure('file_empty', []), 1);
      return;
    }
    this.closeRecord(plan);
    if (!this.usable) return;
    if (this.records === 0) this.report(warning('file_has_no_rows', []), 1);
    this.checkTrailer(plan);
    for (const { problem, cell } of plan.leftOver()) this.report(problem, 1, cell ?? NO_CELL);
  }

  /** The source as a whole cannot be used, so nothing of the run may be sent. */
  private stop(problem: Problem, line: number, place = NO_CELL): void {
    this.usable = false;
    this.report(problem, line, place);
  }

  private acceptHeader(names: readonly string[], line: number): void {
    const delimiter = delimiterHint(names);
    // Everything else that such a header lacks follows from this.
    if (delimiter !== undefined) return this.stop(failure('delimiter_differs', [], { delimiter }), line);
    const { plan, problems } = this.parts.source.mapping(names);
    this.plan = plan;
    this.header = names;
    for (const { problem, cell } of problems) {
      if (problem.severity === 'error') {
        this.usable = false;
        this.headerIsWrong = true;
      }
      this.report(problem, line, cell ?? NO_CELL);
    }
  }

  private acceptTrailer(row: SourceRow): void {
    if (this.trailer) this.stop(failure('trailer_not_last', []), this.trailer.firstLine);
    this.trailer = row;
  }

  private checkTrailer(plan: MappingPlan): void {
    if (!plan.trailer) return;
    const { trailer } = this;
    if (!trailer) return this.stop(failure('trailer_missing', []), 1);
    for (const { problem, cell } of plan.trailer.verdict(trailer, this.records))
      this.stop(problem, trailer.firstLine, cell ?? NO_CELL);
  }

  private acceptRow(row: SourceRow, plan: MappingPlan): void {
    if (this.trailer) this.stop(failure('trailer_not_last', []), this.trailer.firstLine);
    this.trailer = undefined;
    const objection = rowObjection(row, this.header);
    if (objection) {
      // What goes on with a row that cannot be read must not go on with the record before it.
      this.closeRecord(plan);
      return this.rejectRow(row, objection, plan);
    }
    if (isBlank(row)) return this.acceptBlankRow(row, plan);
    plan.trailer?.see(row);
    if (plan.continues(row, this.open?.rows[0])) return this.continueRecord(row, plan);
    this.closeRecord(plan);
    this.open = { rows: [row], isFiltered: plan.isFiltered(row) };
  }

  /** Without a value a row is no row of data, and goes on with none; a filter may know that it is no mistake either. */
  private acceptBlankRow(row: SourceRow, plan: MappingPlan): void {
    if (plan.isFiltered(row)) {
      this.countRecord();
      return this.leaveOut([row], plan);
    }
    this.closeRecord(plan);
    this.rejectRow(row, failure('row_empty', []), plan);
  }

  private continueRecord(row: SourceRow, plan: MappingPlan): void {
    const { open } = this;
    if (!open) return this.rejectRow(row, failure('row_continues_nothing', []), plan);
    if (!open.isFiltered && plan.isFiltered(row)) {
      this.countRecord();
      return this.leaveOut([row], plan);
    }
    if (open.rows.length >= MAX_ROWS_PER_RECORD) {
      if (this.usable)
        this.stop(failure('record_has_too_many_rows', [], { limit: MAX_ROWS_PER_RECORD }), row.firstLine);
      return;
    }
    open.rows.push(row);
  }

  private closeRecord(plan: MappingPlan): void {
    const { open } = this;
    this.open = undefined;
    if (!open) return;
    const isWanted = this.countRecord();
    if (open.isFiltered || !isWanted) return this.leaveOut(open.rows, plan);
    this.acceptRecord(open.rows, plan);
  }

  private acceptRecord(rows: RecordRows, plan: MappingPlan): void {
    const { job, run } = this.parts;
    const candidate = plan.candidateOf(rows);
    const { record, problems } = checkCandidate(job, candidate);
    const place = this.placeOfRows(rows);
    const report = (): void => this.reportAll(problems, rows[0], { plan, parts: candidate.parts });
    if (record === undefined) {
      report();
      return this.appendInvalid(place);
    }
    if (!job.inShard(candidate.account.external_account_number)) return run.appendFiltered(place);
    report();
    run.appendRecord(stagedRecord(job.resource, { ...candidate, record, place }));
  }

  /** Takes a row of a file whose header says nothing of its columns. */
  private passOver(row: SourceRow): void {
    this.countRecord();
    this.appendInvalid(this.placeOfRows([row]));
  }

  private rejectRow(row: SourceRow, problem: Problem, plan: MappingPlan): void {
    if (!this.countRecord()) return this.leaveOut([row], plan);
    this.report(problem, row.firstLine);
    this.appendInvalid(this.placeOfRows([row]));
  }

  private appendInvalid(place: RowPlace): void {
    this.parts.counts.invalid++;
    this.parts.run.appendInvalid(place);
  }

  private leaveOut(rows: RecordRows, plan: MappingPlan): void {
    plan.leaveOut(rows);
    this.parts.run.appendFiltered(this.placeOfRows(rows));
  }

  /** Counts what will be one row of the run, and tells whether it is among those that were asked for. */
  private countRecord(): boolean {
    const { job, counts, emit } = this.parts;
    this.records++;
    if (++counts.rows % EVENT_EVERY_ROWS === 0)
      emit({ kind: 'staging', rows: counts.rows, invalid: counts.invalid });
    return counts.rows > job.window.skip && counts.rows <= job.window.skip + job.window.max;
  }

  private placeOfRows(rows: RecordRows): RowPlace {
    const [first, last] = [rows[0], rows.at(-1)!];
    return {
      source: this.parts.number,
      row: rows.length === 1 ? first : { ...first, lastLine: last.lastLine, byteEnd: last.byteEnd },
    };
  }

  private reportAll(
    problems: readonly CellProblem[],
    { firstLine }: SourceRow,
    { plan, parts }: { readonly plan: MappingPlan; readonly parts: readonly RecordPart[] },
  ): void {
    for (const { problem, cell } of problems) {
      const location = cell ?? cellOf(plan.columns, problem.path, parts);
      // That a column is missing was told of the header; what follows from it is not told again for every row.
      if (this.headerIsWrong && (problem.code === 'required' || !isCell(location))) continue;
      this.report(problem, firstLine, location);
    }
  }

  /** `line` is that of the record or of the file; the place may know better. */
  private report(problem: Problem, line: number, place = NO_CELL): void {
    if (problem.severity === 'error') this.parts.counts.errors++;
    this.parts.run.appendProblem(
      locate(problem, {
        ...place,
        file: place.file ?? this.parts.source.name,
        line: place.line ?? line,
      }),
    );
  }
}

/** A problem that ended the reading. Before the header nothing was read, so there is nothing to add. */
function stoppedAt(problem: Problem, wasRead: boolean): Problem {
  return wasRead ? { ...problem, facts: { reading: 'stopped', ...problem.facts } } : problem;
}

/** A column that a mapping names and the file lacks has no number. */
function isCell({ column }: CellLocation): boolean {
  return column !== null && column > 0;
}
