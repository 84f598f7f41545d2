import type { RejectedRow, ReportView } from '../../push/ports/report.ts';
import { errorFinder, problemIn, type KeptProblem } from '../read/problems.ts';
import { END_OF_ROW, rowsOf } from '../database/outcome-sql.ts';
import type { RunDatabase } from '../database/run-database.ts';

/** Rows that are read at once. */
const PAGE = 1_000;

/**
 * The rows of a source in file order, page by page. Corrections are in the order of the rows whose place they took, and the
 * rows of a query may be in an order of its own, so they are read at once and sorted.
 */
function* inFileOrder<Found extends { readonly place: number; readonly byteStart: number }>(
  db: RunDatabase,
  reading: number,
  source: number,
  page: (after: number, limit: number) => readonly Found[],
): Generator<Found> {
  const isOutOfOrder = db.prepare<[number], number>(outOfOrder(rowsOf(db, reading))).pluck();
  if (isOutOfOrder.get(source) === 1) return yield* page(0, -1).toSorted((a, b) => a.byteStart - b.byteStart);
  for (let rows = page(0, PAGE); rows.length > 0; rows = page(rows.at(-1)!.place, PAGE)) yield* rows;
}

/** Whether a row of a source begins before the row that was staged before it. */
const outOfOrder = (rows: string): string => `
  SELECT EXISTS (SELECT 1 FROM (
    SELECT byte_start < lag(byte_start) OVER (ORDER BY place) AS is_back FROM ${rows} WHERE source = ?) WHERE is_back)`;

type Row = Omit<RejectedRow, 'problems'> & {
  readonly seq: number;
  readonly place: number;
  readonly sourceId: number;
  readonly account_id: number | null;
};

/** The rows of a source that were invalid or that the platform rejected, in file order, each with its problems. */
export function* rejectedRowsOf(
  db: RunDatabase,
  reading: number,
  source: number,
  view: ReportView,
): Generator<RejectedRow> {
  const errorsOf = errorFinder(db);
  const rows = db.prepare<[number, number, number], Row>(`
    SELECT seq, record.place, source_id AS sourceId, account_id, first_line AS firstLine, last_line AS lastLine,
      byte_start AS byteStart, byte_end AS byteEnd
    FROM ${rowsOf(db, reading)} LEFT JOIN outcome USING (seq)
    WHERE source = ? AND (record.state = 'invalid' OR ${END_OF_ROW} = 'rejected') AND record.place > ?
    ORDER BY record.place LIMIT ?`);
  const all = inFileOrder(db, reading, source, (after, limit) => rows.all(source, after, limit));
  let last:
    | { readonly row: Omit<RejectedRow, 'problems'>; readonly kept: Map<string, KeptProblem> }
    | undefined;
  const shown = ({ row, kept }: NonNullable<typeof last>): RejectedRow => ({
    ...row,
    problems: kept
      .values()
      .map((each) => problemIn(each, view))
      .toArray(),
  });
  for (const { seq, account_id, sourceId, place: _, ...row } of all) {
    // A query may make several records of one row, and the problems of its lines are those of each.
    if (last?.row.byteStart !== row.byteStart) {
      if (last) yield shown(last);
      last = { row, kept: new Map() };
    }
    for (const each of errorsOf({ sourceId, ...row, account: account_id, seq }))
      last.kept.set(each.document, each);
  }
  if (last) yield shown(last);
}

/** The byte at which the first row of a source begins, behind the header and everything above it. */
export function firstRowByte(db: RunDatabase, source: number): number {
  const first = db
    .prepare<[number], number | null>('SELECT min(byte_start) FROM record WHERE source_id = ?')
    .pluck();
  return first.get(source) ?? 0;
}
