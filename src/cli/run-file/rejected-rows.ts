import type { LeftOutRow, RejectedRow, ReportView } from '../push/ports/report.ts';
import { errorFinder, problemIn } from './problems.ts';
import type { RunDatabase } from './run-database.ts';

/** Rows that are read at once. */
const PAGE = 1_000;

interface Row extends Omit<RejectedRow, 'problems'> {
  readonly seq: number;
  readonly account_id: number | null;
}

/** The rows of a source that were invalid or that the platform rejected, in file order, each with its problems. */
export function* rejectedRowsOf(db: RunDatabase, source: number, view: ReportView): Generator<RejectedRow> {
  const errorsOf = errorFinder(db);
  const rows = db.prepare<[number, number, number], Row>(`
    SELECT seq, account_id, first_line AS firstLine, last_line AS lastLine, byte_start AS byteStart, byte_end AS byteEnd
    FROM record LEFT JOIN outcome USING (seq)
    WHERE source_id = ? AND (record.state = 'invalid' OR outcome.outcome = 'rejected') AND seq > ?
    ORDER BY seq LIMIT ?`);
  for (
    let page = rows.all(source, 0, PAGE);
    page.length > 0;
    page = rows.all(source, page.at(-1)!.seq, PAGE)
  ) {
    for (const { seq, account_id, ...row } of page) {
      const problems = errorsOf({ source, ...row, account: account_id, seq });
      yield { ...row, problems: problems.map((kept) => problemIn(kept, view)) };
    }
  }
}

/** The rows of a source that were left out, in file order. */
export function* leftOutRowsOf(db: RunDatabase, source: number): Generator<LeftOutRow> {
  const rows = db.prepare<[number, number, number], LeftOutRow & { readonly seq: number }>(`
    SELECT seq, first_line AS firstLine, last_line AS lastLine, byte_start AS byteStart, byte_end AS byteEnd
    FROM record WHERE source_id = ? AND state = 'filtered' AND seq > ? ORDER BY seq LIMIT ?`);
  for (let page = rows.all(source, 0, PAGE); page.length > 0; page = rows.all(source, page.at(-1)!.seq, PAGE))
    yield* page;
}

/** The byte at which the first row of a source begins, behind the header and everything above it. */
export function firstRowByte(db: RunDatabase, source: number): number {
  const first = db.prepare<[number], { at: number }>(
    'SELECT byte_start AS at FROM record WHERE source_id = ? ORDER BY seq LIMIT 1',
  );
  return first.get(source)?.at ?? 0;
}
