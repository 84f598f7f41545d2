import { assertLinks, readingDocument } from '../database/chain.ts';
import { DamageError } from '../database/integrity.ts';
import { allRows, valueOf, valuesOf } from '../database/queries.ts';
import type { RunDatabase } from '../database/run-database.ts';
import { stagedRowsOf } from '../database/sealed-rows.ts';

/** Queries that find tables which contradict each other or the chain, each as a sentence about the first row that it finds. */
const CONTRADICTIONS: readonly string[] = [
  // Counted once for all requests: no index finds the attempts of one.
  `SELECT 'the request ' || id || ' has not the attempts that it counts'
   FROM batch LEFT JOIN (SELECT batch_id, count(*) AS begun FROM attempt GROUP BY batch_id) ON batch_id = id
   WHERE attempts <> coalesce(begun, 0)`,
  `SELECT 'the request ' || id || ' has records of another request'
   FROM (SELECT id, first_seq, last_seq, lag(last_seq, 1, 0) OVER (PARTITION BY account_id ORDER BY first_seq) AS before FROM batch)
   WHERE first_seq <= before OR last_seq < first_seq`,
  `SELECT 'the record ' || seq || ' has neither a request nor an outcome'
   FROM record WHERE state = 'valid' AND EXISTS (SELECT 1 FROM batch) AND NOT coalesce((
     SELECT last_seq >= record.seq FROM batch WHERE batch.account_id = record.account_id AND first_seq <= record.seq
     ORDER BY first_seq DESC LIMIT 1), 0)
     AND NOT EXISTS (SELECT 1 FROM outcome WHERE outcome.seq = record.seq)
     AND reading_id IN (SELECT id FROM reading WHERE state = 'staged')`,
  // A refused record may keep its request open.
  `SELECT 'the state of the request ' || id || ' contradicts the outcomes of its records'
   FROM batch WHERE state NOT IN ('sent', 'held') AND (state = 'done') = EXISTS (
     SELECT 1 FROM record LEFT JOIN outcome USING (seq) WHERE record.account_id = batch.account_id
       AND seq BETWEEN first_seq AND last_seq AND record.state = 'valid'
       AND (outcome IS NULL OR (batch.state = 'rejected' AND outcome = 'rejected')))`,
  `SELECT 'the request ' || batch.id || ' is not in doubt, and no answer has settled its last attempt'
   FROM batch JOIN (SELECT batch_id, result, max(id) FROM attempt GROUP BY batch_id) ON batch_id = batch.id
   WHERE state IN ('planned', 'held', 'rejected') AND in_doubt = 0 AND result = 'ambiguous'`,
  `SELECT 'the outcome of the record ' || seq || ' was withdrawn by nothing in the chain'
   FROM past_outcome WHERE until_id NOT IN (SELECT id FROM link WHERE event_id IS NOT NULL) OR until_id <= link_id`,
  `SELECT 'the record ' || seq || ' has an outcome from before it was withdrawn'
   FROM outcome JOIN past_outcome USING (seq) WHERE outcome.link_id < until_id`,
  `SELECT 'the ended attempt ' || id || ' has no link'
   FROM attempt WHERE ended_at IS NOT NULL AND id NOT IN (SELECT attempt_id FROM link WHERE attempt_id IS NOT NULL)`,
  `SELECT 'the event ' || id || ' has no link'
   FROM event WHERE id NOT IN (SELECT event_id FROM link WHERE event_id IS NOT NULL)`,
  `SELECT 'an outcome of the record ' || seq || ' has no link'
   FROM (SELECT seq, link_id FROM outcome UNION ALL SELECT seq, link_id FROM past_outcome)
   WHERE link_id NOT IN (SELECT id FROM link)`,
  `SELECT 'the reading ' || id || ' is not what was read'
   FROM reading WHERE (SELECT json_group_array(json_array(name, place)) FROM (SELECT name, place FROM source WHERE reading_id = reading.id ORDER BY id))
     <> (SELECT json_group_array(json_array(value ->> 'name', value ->> 'place')) FROM json_each(header, '$.sources'))`,
  `SELECT 'the row ' || seq || ' has no reading' FROM record WHERE reading_id NOT IN (SELECT id FROM reading)`,
];

/**
 * Computes the chain from everything that it seals. Its rows are sorted, and read once: the 16 MB of pages that are cached and sorted
 * otherwise, for each journal, take 54 MB more, and no less time.
 * @throws DamageError when the journal contradicts itself, or its chain
 */
export function assertProven(db: RunDatabase): void {
  db.pragma('cache_size = -2000');
  for (const query of CONTRADICTIONS) {
    const found = valueOf<string>(db, query);
    if (found !== undefined) throw new DamageError(found);
  }
  assertLinks(db);
  assertReadings(db);
}

/** Every reading is what its event sealed, and has its rows, unless a later reading has read some of them again. */
function assertReadings(db: RunDatabase): void {
  const sealed = valuesOf<string>(db, "SELECT document FROM event WHERE kind = 'read' ORDER BY id");
  const readings = allRows<{ id: number; rows: number; seal: string }>(
    db,
    "SELECT id, rows, seal FROM reading WHERE state = 'staged' ORDER BY id",
  );
  if (readings.length !== sealed.length) throw new DamageError('its readings are not those that it sealed');
  const newest = valueOf<number>(db, 'SELECT max(id) FROM reading');
  for (const [index, { id, rows, seal }] of readings.entries()) {
    if (sealed[index] !== JSON.stringify(readingDocument(db, id)))
      throw new DamageError(`the reading ${id} is not what was read`);
    const staged = stagedRowsOf(db, id);
    const areTakenOver = staged.rows < rows && id !== newest;
    if (!seal.startsWith(`${rows} `) || (staged.rows !== rows && !areTakenOver))
      throw new DamageError('it has not the rows that were read from the files');
    if (!areTakenOver && staged.seal !== seal)
      throw new DamageError('the rows or problems of its files are not those that were read');
  }
}
