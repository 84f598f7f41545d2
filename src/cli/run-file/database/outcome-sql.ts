import { ARRIVED } from '../../push/ports/report.ts';

/** Whether a refusal is all that a batch is in doubt for: it names the first record that failed, and the platform may have kept only the ones before it (interface.md 4.3). */
export const IS_FIRST_DOUBT = `
  (SELECT result FROM attempt WHERE batch_id = batch.id ORDER BY attempt.id DESC LIMIT 1) IS 'first_doubt'`;
const IS_BEHIND_REFUSED = `${IS_FIRST_DOUBT}
  AND record.seq > (
    SELECT min(refused.seq) FROM outcome JOIN record AS refused USING (seq)
    WHERE outcome.outcome = 'rejected' AND refused.account_id = batch.account_id
      AND refused.seq BETWEEN batch.first_seq AND batch.last_seq)`;

/** The value of an expression for the batch of a record. */
export const ofBatch = (expression: string): string => `(
  SELECT ${expression} FROM batch WHERE batch.account_id = record.account_id AND batch.first_seq <= record.seq
  ORDER BY batch.first_seq DESC LIMIT 1)`;

/** Whether the platform may have a record without an outcome. */
const MAY_BE_THERE = ofBatch(
  `batch.state = 'sent' OR (batch.in_doubt AND NOT coalesce(${IS_BEHIND_REFUSED}, 0))`,
);

export const OUTCOME_OF_RECORD = `coalesce(outcome.outcome, iif(${MAY_BE_THERE}, 'unknown', 'not_sent'))`;

/** The outcomes of records that are on the platform, as a list in SQL. */
export const ARRIVED_SQL = `('${ARRIVED.join("', '")}')`;

/** The attempts of a request as `past`, with those of the requests that it was cut from, until it was cut from them. Takes its batch. */
export const WITH_PAST_ATTEMPTS = `
  WITH RECURSIVE origin (batch_id, until) AS (
    SELECT ?, NULL
    UNION ALL
    SELECT cut_from, cut_after FROM origin JOIN batch ON batch.id = origin.batch_id WHERE cut_from IS NOT NULL),
  past AS (
    SELECT attempt.* FROM origin JOIN attempt USING (batch_id) WHERE until IS NULL OR attempt.id <= until)`;
