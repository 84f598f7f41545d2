import type { LocatedProblem } from '../push/ports/located-problem.ts';
import type { RejectedRow } from '../push/ports/rejected-row.ts';
import type { RunDatabase } from './run-database.ts';
import { unseal } from './sealed.ts';

/** Rows that are read at once. */
const PAGE = 1_000;

interface Row extends Omit<RejectedRow, 'problems'> {
  readonly seq: number;
  readonly account_id: number | null;
}

/** The rows of a source that were invalid or that the platform refused, in file order, with what is wrong with each. */
export function* rejectedRowsOf(db: RunDatabase, source: number): Generator<RejectedRow> {
  db.exec(`CREATE INDEX IF NOT EXISTS problem_at ON problem (source_id, line);
           CREATE INDEX IF NOT EXISTS problem_of_batch ON problem (batch_id);`);
  const rows = db.prepare<[number, number, number], Row>(`
    SELECT seq, account_id, first_line AS firstLine, last_line AS lastLine, byte_start AS byteStart, byte_end AS byteEnd
    FROM record LEFT JOIN outcome USING (seq)
    WHERE source_id = ? AND (record.state = 'invalid' OR outcome.outcome = 'rejected') AND seq > ?
    ORDER BY seq LIMIT ?`);
  const inLines = db.prepare<[number, number, number], { document: string }>(`
    SELECT document FROM problem WHERE source_id = ? AND line BETWEEN ? AND ? AND severity = 'error'
    ORDER BY line, id`);
  const ofBatch = db.prepare<[number, number], { document: string }>(`
    SELECT document FROM problem WHERE severity = 'error' AND batch_id = (
      SELECT id FROM batch WHERE account_id = ? AND first_seq <= ? ORDER BY first_seq DESC LIMIT 1)
    ORDER BY id`);
  for (
    let page = rows.all(source, 0, PAGE);
    page.length > 0;
    page = rows.all(source, page.at(-1)!.seq, PAGE)
  ) {
    for (const { seq, account_id, ...row } of page) {
      const own = inLines.all(source, row.firstLine, row.lastLine);
      // A refusal of the whole request is told at its first row only.
      const problems = own.length > 0 || account_id === null ? own : ofBatch.all(account_id, seq);
      yield { ...row, problems: problems.map(({ document }) => unseal<LocatedProblem>(document)) };
    }
  }
}

/** Where the first row of a source begins: before it stand the header and whatever is above it. */
export function firstRowByte(db: RunDatabase, source: number): number {
  return (
    db
      .prepare<[number], { at: number }>(
        // In the order of the file: the first one is found at once.
        'SELECT byte_start AS at FROM record WHERE source_id = ? ORDER BY seq LIMIT 1',
      )
      .get(source)?.at ?? 0
  );
}
