import type { LeftOutRow, RejectedRow, ReportView } from '../push/ports/report.ts';
import { problemIn, type KeptProblem } from './problems.ts';
import type { RunDatabase } from './run-database.ts';

/** Rows that are read at once. */
const PAGE = 1_000;

interface Row extends Omit<RejectedRow, 'problems'> {
  readonly seq: number;
  readonly account_id: number | null;
}

/** The rows of a source that were invalid or that the platform rejected, in file order, each with its problems. */
export function* rejectedRowsOf(db: RunDatabase, source: number, view: ReportView): Generator<RejectedRow> {
  db.transaction(() =>
    db.exec(`CREATE INDEX IF NOT EXISTS problem_at ON problem (source_id, line);
             CREATE INDEX IF NOT EXISTS problem_of_batch ON problem (batch_id);`),
  )();
  const rows = db.prepare<[number, number, number], Row>(`
    SELECT seq, account_id, first_line AS firstLine, last_line AS lastLine, byte_start AS byteStart, byte_end AS byteEnd
    FROM record LEFT JOIN outcome USING (seq)
    WHERE source_id = ? AND (record.state = 'invalid' OR outcome.outcome = 'rejected') AND seq > ?
    ORDER BY seq LIMIT ?`);
  const inLines = db.prepare<[number, number, number], KeptProblem>(`
    SELECT document, unhidden FROM problem WHERE source_id = ? AND line BETWEEN ? AND ? AND severity = 'error'
    ORDER BY line, id`);
  const ofBatch = db.prepare<[number, number], KeptProblem>(`
    SELECT document, unhidden FROM problem WHERE severity = 'error' AND batch_id = (
      SELECT id FROM batch WHERE account_id = ? AND first_seq <= ? ORDER BY first_seq DESC LIMIT 1)
    ORDER BY id`);
  for (
    let page = rows.all(source, 0, PAGE);
    page.length > 0;
    page = rows.all(source, page.at(-1)!.seq, PAGE)
  ) {
    for (const { seq, account_id, ...row } of page) {
      const own = inLines.all(source, row.firstLine, row.lastLine);
      // The refusal of a whole request is reported at its first row only.
      const problems = own.length > 0 || account_id === null ? own : ofBatch.all(account_id, seq);
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
