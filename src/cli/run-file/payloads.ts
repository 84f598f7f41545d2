import { Damage } from './integrity.ts';
import type { RunDatabase } from './run-database.ts';

/** Payloads to erase. Those of records that were rejected or are in doubt wait for `retry` or `runs forget`. */
const WHICH = {
  all: 'payload IS NOT NULL',
  settled: `payload IS NOT NULL AND seq NOT IN (
    SELECT seq FROM outcome WHERE outcome IN ('rejected', 'verify')
    UNION ALL SELECT seq FROM taken_over)`,
} as const;

/** Erases payloads. A run without any payload is `cleared`: nothing of it can be sent again. */
export function erase(db: RunDatabase, which: keyof typeof WHICH): void {
  eraseWhere(db, WHICH[which]);
}

/** Whether there are payloads to erase. */
export function hasAny(db: RunDatabase, which: keyof typeof WHICH): boolean {
  return db.prepare(`SELECT EXISTS (SELECT 1 FROM record WHERE ${WHICH[which]})`).pluck().get() === 1;
}

/** Erases the payloads of the records that another run took over, because it has a copy of them. */
export function eraseTakenOver(db: RunDatabase, run: string): void {
  eraseWhere(db, 'seq IN (SELECT seq FROM taken_over WHERE run = ?)', run);
}

/** @throws Damage when a record has no outcome although nothing is left to send */
export function assertNoOutcomeMissing(db: RunDatabase): void {
  const missing = db
    .prepare(
      `SELECT EXISTS (SELECT 1 FROM record WHERE state = 'valid'
         AND seq NOT IN (SELECT seq FROM outcome) AND seq NOT IN (SELECT seq FROM taken_over))`,
    )
    .pluck();
  if (missing.get() === 1) throw new Damage('a record has no outcome although nothing is left to send');
}

/**
 * The run is `cleared` only after the payloads are gone from the disk, too, so that a process that dies in between leaves
 * payloads to erase (`hasAny`).
 */
function eraseWhere(db: RunDatabase, condition: string, ...values: readonly string[]): void {
  write(db, `UPDATE record SET payload = NULL WHERE ${condition}`, values);
  emptyJournal(db);
  write(
    db,
    `UPDATE run SET state = 'cleared' WHERE NOT EXISTS (SELECT 1 FROM record WHERE payload IS NOT NULL)`,
  );
}

function write(db: RunDatabase, sql: string, values: readonly string[] = []): void {
  db.transaction(() => void db.prepare(sql).run(...values))();
}

/** Moves the content of the journal into the file and empties it, because it still contains erased pages. */
export function emptyJournal(db: RunDatabase): void {
  db.pragma('wal_checkpoint(TRUNCATE)');
}
