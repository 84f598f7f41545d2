import type { Problem } from '../../core/problem.ts';
import { cellOf, hasAlternatives, NO_CELL, type ColumnMap } from '../mapping/column-map.ts';
import { locateOwnProblem } from './own-problem.ts';
import type { CountedRecord, RowTally, SourceLine, StagingRun } from './ports/staging.ts';
import type { StageCounts, StageJob } from './stage-job.ts';

/** A valid record, as it goes by. */
export interface SeenRecord {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly counted: CountedRecord;
  readonly line: SourceLine;
  /** Whether it is the first one of its account. */
  readonly isFirst: boolean;
}

/** All sources of a job, once every row is in the journal. */
export interface StagedFile {
  readonly job: StageJob;
  readonly run: StagingRun;
  readonly counts: StageCounts;
  /** The columns of each source, in their order. */
  readonly columns: readonly ColumnMap[];
}

/** A problem at the column of its field, in the row that begins on a line. */
export function placed({ job, columns }: StagedFile, problem: Problem, { source, line }: SourceLine) {
  const map = columns[source - 1] ?? [];
  // Which of several columns fed the field is known of each record, and not of all records together.
  const cell = hasAlternatives(map, problem.path) ? NO_CELL : cellOf(map, problem.path);
  return locateOwnProblem(problem, { ...cell, file: job.sources[source - 1]!.name, line });
}

/** Reports a problem of the row that begins on a line. */
export function report(file: StagedFile, problem: Problem, line: SourceLine): void {
  if (problem.severity === 'error') file.counts.errors++;
  file.run.appendProblem(placed(file, problem, line));
}

export function reportTally(
  file: StagedFile,
  tally: RowTally | undefined,
  problem: (count: number) => Problem,
): void {
  if (tally) report(file, problem(tally.count), tally.first);
}
