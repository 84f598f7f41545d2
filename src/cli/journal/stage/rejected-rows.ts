import type { RowBytes } from '../../push/ports/report.ts';
import { END_OF_ROW, rowsOf } from '../database/outcome-sql.ts';
import type { RunDatabase } from '../database/run-database.ts';

/**
 * The bytes of the rows of a source that were invalid or that the platform rejected, in the order of the file. A query may make
 * several records of one row.
 */
export function rejectedRowsOf(db: RunDatabase, reading: number, source: number): Iterable<RowBytes> {
  const rows = db.prepare<[number], RowBytes>(`
    SELECT byte_start AS start, max(byte_end) AS "end" FROM ${rowsOf(db, reading)} LEFT JOIN outcome USING (seq)
    WHERE source = ? AND (record.state = 'invalid' OR ${END_OF_ROW} = 'rejected')
    GROUP BY byte_start ORDER BY byte_start`);
  return rows.iterate(source);
}
