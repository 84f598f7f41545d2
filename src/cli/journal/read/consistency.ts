import { provenChain } from '../database/chain.ts';
import { DamageError } from '../database/integrity.ts';
import { valueOf } from '../database/queries.ts';
import type { RunDatabase } from '../database/run-database.ts';

/** Tables that contradict each other, as queries that find nothing, and the sentence about a row that they find. */
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
];

/** @throws DamageError when requests, attempts and outcomes contradict each other */
export function assertConsistent(db: RunDatabase): void {
  for (const [query, sentence] of CONTRADICTIONS) {
    const found = valueOf<number>(db, query);
    if (found !== undefined) throw new DamageError(sentence(found));
  }
}

/** @throws DamageError when the journal contradicts itself, or its chain */
export function assertProven(db: RunDatabase): void {
  assertConsistent(db);
  const { broken } = provenChain(db);
  if (broken !== null) throw new DamageError(`its chain does not hold, because ${broken}`);
}
