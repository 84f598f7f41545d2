import { assertLinks, readingDocument } from '../database/chain.ts';
import { DamageError } from '../database/integrity.ts';
import { allRows, valueOf, valuesOf } from '../database/queries.ts';
import type { RunDatabase } from '../database/run-database.ts';
import { stagedRowsOf } from '../database/sealed-rows.ts';

/** Tables that contradict each other or the chain, as queries that find nothing, and the sentence about a row that they find. */
const CONTRADICTIONS: readonly (readonly [query: string, sentence: (found: number) => string])[] = [
  // Counted once for all requests: no index finds the attempts of one.
  [
    `SELECT id FROM batch LEFT JOIN (SELECT batch_id, count(*) AS begun FROM attempt GROUP BY batch_id) ON batch_id = id
     WHERE attempts <> coalesce(begun, 0) LIMIT 1`,
    (batch) => `the request ${batch} has not the attempts that it counts`,
  ],
  [
    `SELECT id FROM (SELECT id, first_seq, last_seq,
       lag(last_seq, 1, 0) OVER (PARTITION BY account_id ORDER BY first_seq) AS before FROM batch)
     WHERE first_seq <= before OR last_seq < first_seq LIMIT 1`,
    (batch) => `the request ${batch} has records of another request`,
  ],
  [
    `SELECT seq FROM record WHERE state = 'valid' AND EXISTS (SELECT 1 FROM batch) AND NOT coalesce((
       SELECT last_seq >= record.seq FROM batch WHERE batch.account_id = record.account_id AND first_seq <= record.seq
       ORDER BY first_seq DESC LIMIT 1), 0)
       AND NOT EXISTS (SELECT 1 FROM outcome WHERE outcome.seq = record.seq)
       AND reading_id IN (SELECT id FROM reading WHERE state = 'staged') LIMIT 1`,
    (record) => `the record ${record} has neither a request nor an outcome`,
  ],
  [
    // A refused record may keep its request open.
    `SELECT id FROM batch WHERE state NOT IN ('sent', 'held') AND (state = 'done') = EXISTS (
       SELECT 1 FROM record LEFT JOIN outcome USING (seq) WHERE record.account_id = batch.account_id
         AND seq BETWEEN first_seq AND last_seq AND record.state = 'valid'
         AND (outcome IS NULL OR (batch.state = 'rejected' AND outcome = 'rejected'))) LIMIT 1`,
    (batch) => `the state of the request ${batch} contradicts the outcomes of its records`,
  ],
  [
    `SELECT batch.id FROM batch JOIN (SELECT batch_id, result, max(id) FROM attempt GROUP BY batch_id) ON batch_id = batch.id
     WHERE state IN ('planned', 'held', 'rejected') AND in_doubt = 0 AND result = 'ambiguous' LIMIT 1`,
    (batch) => `the request ${batch} is not in doubt, and no answer has settled its last attempt`,
  ],
  [
    `SELECT seq FROM past_outcome WHERE until_id NOT IN (SELECT id FROM link WHERE event_id IS NOT NULL) OR until_id <= link_id LIMIT 1`,
    (record) => `the outcome of the record ${record} was withdrawn by nothing in the chain`,
  ],
  [
    `SELECT seq FROM outcome JOIN past_outcome USING (seq) WHERE outcome.link_id < until_id LIMIT 1`,
    (record) => `the record ${record} has an outcome from before it was withdrawn`,
  ],
  [
    `SELECT id FROM attempt WHERE ended_at IS NOT NULL AND id NOT IN (SELECT attempt_id FROM link WHERE attempt_id IS NOT NULL) LIMIT 1`,
    (attempt) => `the ended attempt ${attempt} has no link`,
  ],
  [
    `SELECT id FROM event WHERE id NOT IN (SELECT event_id FROM link WHERE event_id IS NOT NULL) LIMIT 1`,
    (event) => `the event ${event} has no link`,
  ],
  [
    `SELECT seq FROM (SELECT seq, link_id FROM outcome UNION ALL SELECT seq, link_id FROM past_outcome)
     WHERE link_id NOT IN (SELECT id FROM link) LIMIT 1`,
    (record) => `an outcome of the record ${record} has no link`,
  ],
  [
    `SELECT id FROM reading WHERE (SELECT json_group_array(json_array(name, place)) FROM (SELECT name, place FROM source WHERE reading_id = reading.id ORDER BY id))
       <> (SELECT json_group_array(json_array(value ->> 'name', value ->> 'place')) FROM json_each(header, '$.sources')) LIMIT 1`,
    (reading) => `the reading ${reading} is not what was read`,
  ],
  [
    `SELECT seq FROM record WHERE reading_id NOT IN (SELECT id FROM reading) LIMIT 1`,
    (record) => `the row ${record} has no reading`,
  ],
];

/**
 * Computes the chain from everything that it seals. Its rows are sorted, and read once: the 16 MB of pages that are cached and sorted
 * otherwise, for each journal, take 54 MB more, and no less time.
 * @throws DamageError when the journal contradicts itself, or its chain
 */
export function assertProven(db: RunDatabase): void {
  db.pragma('cache_size = -2000');
  for (const [query, sentence] of CONTRADICTIONS) {
    const found = valueOf<number>(db, query);
    if (found !== undefined) throw new DamageError(sentence(found));
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
