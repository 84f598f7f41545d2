import type { MovedRow } from '../journal/merge/comparison.ts';
import type { Reading } from '../journal/reading.ts';
import { cellOf } from '../mapping/column-map.ts';
import { locateOwnProblem } from '../push/own-problem.ts';
import { conflictProblem, vanishedProblem } from '../push/stage/history-conflicts.ts';
import { accountsOfIds } from '../sources/moved-rows.ts';
import type { RunSources } from '../sources/sources.ts';

// Problems that only the journal and all rows of the files show together.

/** Reports the rows whose records have moved here from accounts of other shards. */
export function reportMoved(run: Reading, rows: readonly MovedRow[]): void {
  const sources = run.mappedSources();
  const problems = rows.map(({ seq, source, line, file, earlierLine, run: since }) => {
    const earlier = { file, line: earlierLine, run: since, wasCompared: true };
    const moved = { seq, source, line, kind: 'moved', earlier, differs: [] } as const;
    const problem = conflictProblem(run.header.resource, moved);
    const { name, columns } = sources[source - 1]!;
    return locateOwnProblem(problem, { ...cellOf(columns, problem.path), file: name, line });
  });
  run.keepProblems(problems);
}

/** Warns of records on the platform that no row is any more. The row of a shard may be one of another shard by now. */
export async function reportVanished(run: Reading, files: RunSources): Promise<void> {
  const { sources, options } = run.header;
  const vanished = [...run.vanished()];
  const ids = options.selection.shard ? vanished.flatMap(({ id }) => id ?? []) : [];
  const accounts = await accountsOfIds(files, ids);
  // An id that several accounts have is no sign of a move.
  const gone = vanished.filter(({ id }) => id === null || accounts.get(id)?.size !== 1);
  const problems = gone.map((record) => {
    const named = sources.find((source) => (source.place ?? source.name) === record.place) ?? sources[0]!;
    const whole = { file: named.name, line: null, column: null, header: null };
    return locateOwnProblem(vanishedProblem(record), whole);
  });
  run.keepProblems(problems);
}
