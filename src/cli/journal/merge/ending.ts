import { chainOf } from '../database/chain.ts';
import { doubtfulIn } from '../database/doubtful.ts';
import { rowsOf } from '../database/outcome-sql.ts';
import type { RunDatabase } from '../database/run-database.ts';
import { cohortOf, RUN_OF_READING } from '../database/run-header.ts';

/** A record that an earlier reading of the same files has brought to the platform, and that no row is any more. */
export interface VanishedRecord {
  readonly id: string | null;
  readonly file: string;
  readonly line: number;
  readonly run: string;
  readonly place: string | null;
}

/** The earlier readings of files of a reading: they share a place, or the place in a cohort. */
const EARLIER = `
  SELECT its.reading_id FROM source AS own JOIN source AS its ON its.place = own.place
  WHERE own.reading_id = @reading AND its.reading_id < @reading
  UNION SELECT its.id FROM reading AS own JOIN reading AS its ON ${cohortOf('its')} = ${cohortOf('own')} WHERE own.id = @reading AND its.id < @reading`;

/** Rows of earlier readings that the reading has not read again. */
const LEFT = `
  SELECT record.seq FROM reading JOIN record ON record.reading_id = reading.id AND record.seq BETWEEN reading.first_seq AND reading.last_seq
  WHERE reading.id IN (${EARLIER})`;

/**
 * Ends what earlier readings of the same files have left: their rows that are no records go, and so do records that were never sent and that
 * no row is any more. Records that are on the platform stay.
 */
export function endReading(db: RunDatabase, reading: number): void {
  const run = (sql: string): void => void db.prepare(sql).run({ reading });
  db.transaction(() => {
    run(`DELETE FROM record WHERE seq IN (${LEFT} AND record.state NOT IN ('valid', 'replaced'))`);
    const open = `${LEFT} AND record.state = 'valid' AND record.seq NOT IN (SELECT seq FROM outcome)
      AND NOT EXISTS (SELECT 1 FROM batch WHERE batch.account_id = record.account_id AND record.seq BETWEEN batch.first_seq AND batch.last_seq
        AND (batch.state = 'sent' OR in_doubt = 1))`;
    run(
      `UPDATE record SET state = 'replaced', payload = NULL WHERE seq IN (${open}) AND seq IN (SELECT seq FROM past_outcome)`,
    );
    run(`DELETE FROM record WHERE seq IN (${open})`);
  })();
}

/** The records that are or may be on the platform, and that no row of the reading is any more. */
export function vanishedIn(db: RunDatabase, reading: number): Iterable<VanishedRecord> {
  return db
    .prepare<[object], VanishedRecord>(
      `SELECT record.id, source.name AS file, record.first_line AS line, ${RUN_OF_READING} AS run, source.place FROM (${LEFT}) AS earlier
         JOIN record USING (seq) JOIN source ON source.id = source_id JOIN reading ON reading.id = record.reading_id
       WHERE record.state = 'valid' AND record.seq NOT IN (SELECT there FROM ${rowsOf(db, reading)} WHERE there IS NOT NULL)
         AND (EXISTS (SELECT 1 FROM outcome WHERE outcome.seq = record.seq AND outcome <> 'rejected')
           OR record.seq IN (SELECT value FROM json_each(@doubtful))) ORDER BY record.seq`,
    )
    .iterate({ reading, doubtful: JSON.stringify(doubtfulIn(db)) });
}

/** Gives the records that another journal of the folder has brought to the platform their outcome. */
export function giveElsewhere(db: RunDatabase, reading: number, now: string): void {
  const found = `FROM ${rowsOf(db, reading)} WHERE state = 'valid' AND cause = 'journal'`;
  if (db.prepare(`SELECT EXISTS (SELECT 1 ${found})`).pluck().get() === 0) return;
  db.transaction(() => {
    chainOf(db).appendEvent({ at: now, kind: 'sent_before', by: null, document: { reading } }, (link) => {
      db.prepare(
        `INSERT INTO outcome (seq, outcome, link_id, origin) SELECT record.seq, 'sent_before', ?, cause_place ${found}`,
      ).run(link);
    });
    db.exec(`UPDATE record SET cause = NULL, cause_place = NULL WHERE seq IN (SELECT record.seq ${found})`);
  })();
}
