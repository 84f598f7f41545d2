import type { RunDatabase } from './run-database.ts';
import { Damage } from './sealed.ts';

/** Which payloads go; those of records that were refused or are in doubt wait for `retry` or `runs forget`. */
const WHICH = {
  all: 'payload IS NOT NULL',
  settled: `payload IS NOT NULL AND seq NOT IN (
    SELECT seq FROM outcome WHERE outcome IN ('rejected', 'verify')
    UNION ALL SELECT seq FROM taken_over)`,
} as const;

/** Of a run without any left nothing can be sent again: it is `cleared`. */
export function erase(db: RunDatabase, which: keyof typeof WHICH): void {
  eraseWhere(db, WHICH[which]);
}

/** Whether payloads are there that can be erased. */
export function hasAny(db: RunDatabase, which: keyof typeof WHICH): boolean {
  return db.prepare(`SELECT EXISTS (SELECT 1 FROM record WHERE ${WHICH[which]})`).pluck().get() === 1;
}

/** Erases the payloads of the records that another run took over and has a copy of. */
export function eraseTakenOver(db: RunDatabase, run: string): void {
  eraseWhere(db, 'seq IN (SELECT seq FROM taken_over WHERE run = ?)', run);
}

/** @throws Damage when nothing is left to send, and the outcome of a record is missing all the same */
export function assertNobodyIsMissing(db: RunDatabase): void {
  const missing = db
    .prepare(
      `SELECT EXISTS (SELECT 1 FROM record WHERE state = 'valid'
         AND seq NOT IN (SELECT seq FROM outcome) AND seq NOT IN (SELECT seq FROM taken_over))`,
    )
    .pluck();
  if (missing.get() === 1) throw new Damage('a record has no outcome although nothing is left to send');
}

/**
 * `cleared` only once the payloads are gone from the disk as well, so that a process that dies in between leaves something
 * to be done again (`hasAny`).
 */
function eraseWhere(db: RunDatabase, condition: string, ...values: readonly string[]): void {
  db.prepare(`UPDATE record SET payload = NULL WHERE ${condition}`).run(...values);
  emptyJournal(db);
  db.prepare(
    `UPDATE run SET state = 'cleared' WHERE NOT EXISTS (SELECT 1 FROM record WHERE payload IS NOT NULL)`,
  ).run();
}

/** Puts what is in the journal into the file, and empties it: it still holds pages that were erased. */
export function emptyJournal(db: RunDatabase): void {
  db.pragma('wal_checkpoint(TRUNCATE)');
}
