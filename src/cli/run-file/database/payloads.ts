import { diskObstacle } from './access.ts';
import { DamageError } from './integrity.ts';
import type { RunDatabase } from './run-database.ts';

/** Payloads to erase. Those of records that may still be sent are kept until `runs forget`. */
const WHICH = {
  all: 'payload IS NOT NULL',
  settled: `payload IS NOT NULL AND seq NOT IN (
    SELECT seq FROM outcome WHERE outcome IN ('rejected', 'verify', 'changed', 'moved'))`,
} as const;

/** A payload of the batch of a problem. As long as one is kept, so is what the platform says about it. */
const PAYLOAD_OF_BATCH = `
  SELECT 1 FROM batch JOIN record USING (account_id)
  WHERE batch.id = problem.batch_id AND record.seq BETWEEN first_seq AND last_seq AND payload IS NOT NULL`;

/** Part of the file that erased payloads have to take, so that writing it anew is worth its time. */
const WORTH_SHRINKING = 1 / 8;

/** Erases payloads and shrinks the file. A run without any payload is `cleared`: nothing of it can be sent again. */
export function erase(db: RunDatabase, which: keyof typeof WHICH): void {
  const bytes = `(SELECT coalesce(sum(octet_length(payload)), 0) FROM record WHERE ${WHICH[which]})`;
  const part = db.prepare(
    `SELECT ${bytes} / (page_count * page_size * 1.0) FROM pragma_page_count, pragma_page_size`,
  );
  const erased = part.pluck().get() as number;
  eraseWhere(db, WHICH[which]);
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

/** Whether there are payloads to erase. */
export function hasAny(db: RunDatabase, which: keyof typeof WHICH): boolean {
  return db.prepare(`SELECT EXISTS (SELECT 1 FROM record WHERE ${WHICH[which]})`).pluck().get() === 1;
}

/** @throws DamageError when a record has no outcome although nothing is left to send */
export function assertNoOutcomeMissing(db: RunDatabase): void {
  const missing = db
    .prepare(
      `SELECT EXISTS (SELECT 1 FROM record WHERE state = 'valid'
         AND seq NOT IN (SELECT seq FROM outcome))`,
    )
    .pluck();
  if (missing.get() === 1) throw new DamageError('a record has no outcome although nothing is left to send');
}

/**
 * The run is `cleared` only after the payloads are gone from the disk, too, so that a process that dies in between leaves
 * payloads to erase (`hasAny`).
 */
function eraseWhere(db: RunDatabase, condition: string): void {
  db.transaction(() => {
    db.prepare(`UPDATE record SET payload = NULL WHERE ${condition}`).run();
    db.prepare(
      `UPDATE problem SET unhidden = '' WHERE unhidden IS NOT NULL AND NOT EXISTS (${PAYLOAD_OF_BATCH})`,
    ).run();
  })();
  emptyJournal(db);
  const clear = db.prepare(
    `UPDATE run SET state = 'cleared' WHERE NOT EXISTS (SELECT 1 FROM record WHERE payload IS NOT NULL)`,
  );
  db.transaction(() => void clear.run())();
}

/** Moves the content of the journal into the file and empties it, because it still contains erased pages. */
export function emptyJournal(db: RunDatabase): void {
  db.pragma('wal_checkpoint(TRUNCATE)');
}
