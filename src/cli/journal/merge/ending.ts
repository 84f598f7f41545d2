import { chainOf } from '../database/chain.ts';
import { doubtfulIn, rowsOf } from '../database/outcome-sql.ts';
import { eachRow, isAny } from '../database/queries.ts';
import type { RunDatabase } from '../database/run-database.ts';
import { cohortOf, RUN_OF_READING } from '../database/run-header.ts';

/** Rows of earlier readings of the same files, or of the same cohort, that a reading of all rows has not read again. */
const leftBy = (reading: number): string => `
  SELECT record.seq FROM reading JOIN record ON record.reading_id = reading.id AND record.seq BETWEEN reading.first_seq AND reading.last_seq
  WHERE (SELECT header ->> '$.options.selection.maxRecords' FROM reading WHERE id = ${reading}) IS NULL AND reading.id IN (
    SELECT its.reading_id FROM source AS own JOIN source AS its ON its.place = own.place
    WHERE own.reading_id = ${reading} AND its.reading_id < ${reading}
    UNION SELECT its.id FROM reading AS own JOIN reading AS its ON ${cohortOf('its')} = ${cohortOf('own')}
    WHERE own.id = ${reading} AND its.id < ${reading})`;

/**
 * Ends what earlier readings of the same files have left: their rows that are no records go, and so do records that were never sent and that
 * no row is any more. Records that are on the platform stay.
 */
export function endReading(db: RunDatabase, reading: number): void {
  const left = leftBy(reading);
  const open = `${left} AND record.state = 'valid' AND record.seq NOT IN (SELECT seq FROM outcome)
    AND NOT EXISTS (SELECT 1 FROM batch WHERE batch.account_id = record.account_id AND record.seq BETWEEN batch.first_seq AND batch.last_seq
      AND (batch.state = 'sent' OR in_doubt = 1))`;
  db.transaction(() =>
    db.exec(`
      DELETE FROM record WHERE seq IN (${left} AND record.state NOT IN ('valid', 'replaced'));
      UPDATE record SET state = 'replaced', payload = NULL WHERE seq IN (${open}) AND seq IN (SELECT seq FROM past_outcome);
      DELETE FROM record WHERE seq IN (${open})`),
  )();
}

/** The records that are or may be on the platform, and that no row of the reading is any more. */
export const vanishedBy = (db: RunDatabase, reading: number): string => `
  SELECT record.seq FROM (${leftBy(reading)}) AS earlier JOIN record USING (seq) LEFT JOIN outcome USING (seq)
  WHERE record.state = 'valid' AND record.seq NOT IN (SELECT there FROM ${rowsOf(db, reading)} WHERE there IS NOT NULL)
    AND (outcome <> 'rejected' OR record.seq IN (${doubtfulIn()}))`;

/** The same, with where they were read. */
export const vanishedIn = (db: RunDatabase, reading: number) =>
  eachRow<
    Readonly<Record<'id' | 'place', string | null> & Record<'file' | 'run', string> & { line: number }>
  >(
    db,
    `SELECT record.id, source.name AS file, record.first_line AS line, ${RUN_OF_READING} AS run, source.place
     FROM record JOIN source ON source.id = source_id JOIN reading ON reading.id = record.reading_id
     WHERE record.seq IN (${vanishedBy(db, reading)}) ORDER BY record.seq`,
  );

/** Gives the records that another journal of the folder has brought to the platform their outcome. */
export function giveElsewhere(db: RunDatabase, reading: number, now: string): void {
  const found = `FROM ${rowsOf(db, reading)} WHERE state = 'valid' AND cause = 'journal'`;
  if (!isAny(db, `SELECT 1 ${found}`)) return;
  db.transaction(() => {
    chainOf(db).appendEvent({ at: now, kind: 'sent_before', by: null, document: { reading } }, (link) => {
      db.prepare(
        `INSERT INTO outcome (seq, outcome, link_id, origin) SELECT record.seq, 'sent_before', ?, cause_place ${found}`,
      ).run(link);
    });
    db.exec(`UPDATE record SET cause = NULL, cause_place = NULL WHERE seq IN (SELECT record.seq ${found})`);
  })();
}
