import type { Problem } from '../../core/problem.ts';
import type { ColumnMap } from '../mapping/column-map.ts';
import { cellOf } from '../mapping/column-map.ts';
import { locate } from './locate.ts';
import type { StagingRun } from './ports/run.ts';
import type { RecordStart } from './ports/whole-file.ts';
import type { StageCounts, StageJob } from './stage-job.ts';

/** All sources of a job, once every row of them is in the run file. */
export interface StagedFile {
  readonly job: StageJob;
  readonly run: StagingRun;
  readonly counts: StageCounts;
  /** Tells a problem at the column of its field, in the row that begins there. */
  readonly report: (problem: Problem, start: RecordStart) => void;
}

/** `columns`: those of each source, in their order. */
export function stagedFile(
  { job, run, counts }: Pick<StagedFile, 'job' | 'run' | 'counts'>,
  columns: readonly ColumnMap[],
): StagedFile {
  return {
    job,
    run,
    counts,
    report(problem, { source, line }) {
      if (problem.severity === 'error') counts.errors++;
      const place = cellOf(columns[source - 1] ?? [], problem.path);
      run.appendProblem(locate(problem, { ...place, file: job.sources[source - 1]!.name, line }));
    },
  };
}
