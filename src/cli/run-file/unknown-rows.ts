import { OUTCOME_OF_RECORD } from './reporting.ts';
import type { RunDatabase } from './run-database.ts';

/** Where a row stands that was sent and of which no answer tells what became. */
export interface UnknownRow {
  /** Name of its source. */
  readonly file: string;
  readonly line: number;
}

/** In the order of the files. They are few, because they were in flight at once. */
export function unknownRowsOf(db: RunDatabase): readonly UnknownRow[] {
  return db
    .prepare<[], UnknownRow>(
      `SELECT source.name AS file, first_line AS line
       FROM record LEFT JOIN outcome USING (seq) JOIN source ON source.id = source_id
       WHERE record.state = 'valid' AND ${OUTCOME_OF_RECORD} = 'unknown' ORDER BY seq`,
    )
    .all();
}
