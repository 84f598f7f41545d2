import { z } from 'zod';
import { accountFields, type AccountKey } from '../../core/contract/account.ts';
import type { Resource } from '../../core/contract/resources.ts';
import { failure, hasFailure, warning, type Problem } from '../../core/problem.ts';
import { checkRecord, RECORD_RULES, type RecordOf } from '../../core/rules/record.ts';
import { problemsOfIssues } from '../../core/rules/schema-problems.ts';
import type { SourceRow } from '../csv/source-row.ts';
import { isUnder, type MappingPlan } from '../mapping/candidate.ts';
import { placeOf, type CellPlace } from '../mapping/column-map.ts';
import type { EventSink } from './events.ts';
import { locate } from './locate.ts';
import { recordIdOf } from './record-id.ts';
import type { RowPlace, StagedRecord, StagingRun } from './ports/run.ts';
import type { StageCounts, StageJob, StageSource } from './stage-job.ts';

const EVENT_EVERY_ROWS = 1000;
const NO_CELL: CellPlace = { column: null, header: null };
const accountKey = z.strictObject(accountFields);

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

/** One pass over one source: its header, then row after row. */
export class SourceStaging {
  plan: MappingPlan | undefined;
  usable = true;
  private columns = 0;
  private rowsBefore: number;
  private readonly parts: SourceStagingParts;

  constructor(parts: SourceStagingParts) {
    this.parts = parts;
    this.rowsBefore = parts.counts.rows;
  }

  accept(row: SourceRow): void {
    if (this.plan) this.acceptRow(row, this.plan);
    else this.acceptHeader(row);
  }

  /** The source cannot be read on from here. */
  stop(line: number, problem: Problem): void {
    this.usable = false;
    this.report(problem, line, NO_CELL);
  }

  finish(): void {
    if (this.usable && !this.plan) this.stop(1, failure('file_empty', []));
    else if (this.usable && this.parts.counts.rows === this.rowsBefore)
      this.report(warning('file_has_no_rows', []), 1, NO_CELL);
  }

  private acceptHeader(row: SourceRow): void {
    const { plan, problems } = this.parts.source.mapping(row.cells);
    this.plan = plan;
    this.columns = row.cells.length;
    for (const { problem, column, header } of problems) {
      if (problem.severity === 'error') this.usable = false;
      this.report(problem, row.firstLine, { column, header });
    }
  }

  private acceptRow(row: SourceRow, plan: MappingPlan): void {
    const { job, run, emit, counts, number } = this.parts;
    const place: RowPlace = { source: number, row };
    if (++counts.rows % EVENT_EVERY_ROWS === 0)
      emit({ kind: 'staging', rows: counts.rows, invalid: counts.invalid });
    if (counts.rows <= job.window.skip || counts.rows > job.window.skip + job.window.max)
      return run.appendFiltered(place);
    const ragged = this.raggedness(row);
    if (ragged) return this.reject(place, plan, [ragged]);

    const candidate = plan.candidateOf(row);
    const checked = checkRecord(job.resource, candidate.record, job.check);
    const problems = [
      ...candidate.problems,
      // What could not be read is not reported a second time as missing.
      ...[...accountProblems(candidate.account), ...checked.problems].filter(
        (problem) =>
          !candidate.problems.some(
            (known) => known.severity === 'error' && isUnder(problem.path, known.path),
          ),
      ),
    ];
    if (checked.record === undefined || hasFailure(problems)) return this.reject(place, plan, problems);
    if (!job.inShard(candidate.account.external_account_number)) return run.appendFiltered(place);
    this.reportAll(row, plan, problems);
    run.appendRecord(stagedRecord(job.resource, place, candidate.account, checked.record));
  }

  private raggedness(row: SourceRow): Problem | undefined {
    if (row.cells.length === this.columns) return undefined;
    const facts = { cells: row.cells.length, columns: this.columns };
    return failure(row.cells.length < this.columns ? 'row_too_short' : 'row_too_long', [], facts);
  }

  private reject(place: RowPlace, plan: MappingPlan, problems: readonly Problem[]): void {
    this.parts.counts.invalid++;
    this.reportAll(place.row, plan, problems);
    this.parts.run.appendInvalid(place);
  }

  private reportAll(row: SourceRow, plan: MappingPlan, problems: readonly Problem[]): void {
    for (const problem of problems) this.report(problem, row.firstLine, placeOf(plan.columns, problem.path));
  }

  private report(problem: Problem, line: number, place: CellPlace): void {
    if (problem.severity === 'error') this.parts.counts.errors++;
    this.parts.run.appendProblem(locate(problem, this.parts.source.name, line, place));
  }
}

function accountProblems(account: AccountKey): readonly Problem[] {
  const parsed = accountKey.safeParse(account);
  return parsed.success ? [] : problemsOfIssues(parsed.error.issues, account);
}

function stagedRecord<K extends Resource>(
  resource: K,
  place: RowPlace,
  account: AccountKey,
  record: RecordOf[K],
): StagedRecord {
  const { identity, amount, type } = RECORD_RULES[resource];
  return {
    place,
    account,
    payload: JSON.stringify(record),
    identity: identity(record),
    id: recordIdOf(resource, record),
    type: type(record),
    amount: amount(record)?.text ?? null,
  };
}
