import { diskObstacle } from './access.ts';
import { rowsOf } from './outcome-sql.ts';
import { valueOf } from './queries.ts';
import type { RunDatabase } from './run-database.ts';

/** Which texts are erased. A record that may still be sent keeps its text until `runs forget` erases it. */
const WHICH = {
  all: 'payload IS NOT NULL',
  settled: `payload IS NOT NULL AND record.state = 'valid' AND EXISTS (
    SELECT 1 FROM outcome WHERE outcome.seq = record.seq AND outcome NOT IN ('rejected', 'verify'))`,
} as const;

/** The records of a reading whose texts are erased. */
export const textsToErase = (db: RunDatabase, number: number, which: keyof typeof WHICH): string =>
  `SELECT seq FROM ${rowsOf(db, number)} WHERE ${WHICH[which]}`;

/** A payload of the record or the batch of a problem. As long as one is kept, so is what the platform says about it. */
const PAYLOAD_OF_PROBLEM = `
  SELECT 1 FROM record WHERE record.seq = problem.seq AND payload IS NOT NULL UNION ALL SELECT 1 FROM batch JOIN record USING (account_id)
  WHERE batch.id = problem.batch_id AND record.seq BETWEEN first_seq AND last_seq AND payload IS NOT NULL`;

/** Part of the file that erased payloads have to take, so that writing it anew is worth its time. */
const WORTH_SHRINKING = 1 / 8;

/** Erases texts of the rows of a reading, and shrinks the file. */
export function erase(db: RunDatabase, number: number, which: keyof typeof WHICH): void {
  const seqs = textsToErase(db, number, which);
  const bytes = `(SELECT coalesce(sum(octet_length(payload)), 0) FROM record WHERE seq IN (${seqs}))`;
  const part = `SELECT ${bytes} / (page_count * page_size * 1.0) FROM pragma_page_count, pragma_page_size`;
  const erased = valueOf<number>(db, part)!;
  db.transaction(() => {
    db.prepare(`UPDATE record SET payload = NULL WHERE seq IN (${seqs})`).run();
    db.prepare(
      `UPDATE problem SET unhidden = '' WHERE unhidden IS NOT NULL AND NOT EXISTS (${PAYLOAD_OF_PROBLEM})`,
    ).run();
  })();
  emptyJournal(db);
  if (erased >= WORTH_SHRINKING) shrink(db);
}

/**
 * Gives the space of erased payloads back. Erasing makes rows shorter and frees no page, so an incremental vacuum would find
 * nothing: the file is written anew. A process that dies here leaves the file as it was.
 */
function shrink(db: RunDatabase): void {
  try {
    db.exec('VACUUM');
    emptyJournal(db);
  } catch (error) {
    // The payloads are gone all the same. A full disk has no room for the copy that SQLite makes first.
    if (!diskObstacle(error)) throw error;
  }
}

/** Moves the content of the journal into the file and empties it, because it still contains erased pages. */
export function emptyJournal(db: RunDatabase): void {
  db.pragma('wal_checkpoint(TRUNCATE)');
}
