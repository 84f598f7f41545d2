import type { AccountKey } from '../../../core/contract/account.ts';
import { LISTED_WITHDRAWN, type WithdrawnRecord } from '../../push/ports/report.ts';
import type { EarlierPosition } from '../../push/ports/staging.ts';
import type { RunDatabase } from '../database/run-database.ts';

/** A record of another run that no row of this version is. */
export interface UnseenRecord extends AccountKey, EarlierPosition {
  readonly seq: number;
  readonly key: string;
  readonly variant: string;
  readonly id: string | null;
  /** The place of its file; its name where it has none. */
  readonly place: string;
}

/** The number of another run, as this run file has it. */
export function rememberRun(db: RunDatabase, id: string): number {
  db.prepare('INSERT INTO other_run (run) VALUES (?) ON CONFLICT DO NOTHING').run(id);
  return db.prepare<[string], number>('SELECT id FROM other_run WHERE run = ?').pluck().get(id)!;
}

/** Replaces the list of the records that other versions had and that no row is any more. */
export function keepWithdrawn(db: RunDatabase, records: Iterable<UnseenRecord>): void {
  db.transaction(() => {
    db.exec('DELETE FROM withdrawn');
    const insert = db.prepare(
      `INSERT INTO withdrawn (run_id, import_supplier, external_account_number, record_id, file, line) VALUES (?, ?, ?, ?, ?, ?)`,
    );
    for (const { run, import_supplier, external_account_number, id, file, line } of records)
      insert.run(rememberRun(db, run), import_supplier, external_account_number, id, file, line);
  })();
}

/** The withdrawn records of a run, the first ones listed. */
export function withdrawnOf(db: RunDatabase): { total: number; listed: readonly WithdrawnRecord[] } {
  return {
    total: db.prepare<[], number>('SELECT count(*) FROM withdrawn').pluck().get()!,
    listed: db
      .prepare<[number], WithdrawnRecord>(
        `SELECT import_supplier, external_account_number, record_id AS id, file, line, run
         FROM withdrawn JOIN other_run ON other_run.id = run_id ORDER BY withdrawn.id LIMIT ?`,
      )
      .all(LISTED_WITHDRAWN),
  };
}
