import { ARRIVED } from '../../push/ports/report.ts';
import { firstRow, valueOf } from './queries.ts';
import type { RunDatabase } from './run-database.ts';

/** The value of an expression for the batch of a record. */
export const ofBatch = (expression: string): string => `(
  SELECT ${expression} FROM batch WHERE batch.account_id = record.account_id AND batch.first_seq <= record.seq
  ORDER BY batch.first_seq DESC LIMIT 1)`;

/** Whether the platform may have a record without an outcome. */
export const MAY_BE_THERE = ofBatch(`batch.state = 'sent' OR batch.in_doubt`);

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

interface Bounds {
  readonly state: string;
  readonly first: number;
  readonly last: number;
  readonly base: number;
}

const boundsOf = (db: RunDatabase, number: number): Bounds =>
  firstRow<Bounds>(
    db,
    `SELECT state, first_seq AS first, last_seq AS last,
         (SELECT min(source.id) - 1 FROM source WHERE reading_id = reading.id) AS base FROM reading WHERE id = ?`,
    number,
  )!;

/**
 * The rows that a reading was the last to read, as the table `record`; `source` counts its files from 1. A record that another row has
 * replaced is no row any more. The bounds find the rows of a small file beside many others.
 */
export function rowsOf(db: RunDatabase, number: number): string {
  const { state, first, last, base } = boundsOf(db, number);
  const bounds = state === 'staged' ? ` AND record.seq BETWEEN ${first} AND ${last}` : '';
  return `(SELECT record.*, record.source_id - ${base} AS source, record.there AS twin FROM record
    WHERE record.reading_id = ${number} AND record.state <> 'replaced'${bounds}) AS record`;
}

/** Whether a row of `batch` has a record of a reading. */
export function isOfReading(db: RunDatabase, number: number): string {
  const { first, last } = boundsOf(db, number);
  if (valueOf(db, 'SELECT count(*) FROM reading') === 1) return 'TRUE';
  return `(batch.last_seq >= ${first} AND batch.first_seq <= ${last} AND EXISTS (
    SELECT 1 FROM record AS own WHERE own.account_id = batch.account_id AND own.seq BETWEEN batch.first_seq AND batch.last_seq
      AND own.state = 'valid' AND own.reading_id = ${number}))`;
}

/** The attempts at requests with records of a reading, as the table `attempt`. */
export const attemptsOf = (db: RunDatabase, number: number): string =>
  `(SELECT attempt.* FROM attempt JOIN batch ON batch.id = batch_id WHERE ${isOfReading(db, number)}) AS attempt`;

/** How the record ended that a row is about, as `rowsOf` names it. */
const END_OF_TWIN = `(
  SELECT iif(record.state = 'valid', ${OUTCOME_OF_RECORD}, 'invalid') FROM record LEFT JOIN outcome USING (seq) WHERE record.seq = twin)`;

/** How a row of `rowsOf` ended. A row that waits for an unproven record is as unproven, and any other that waits is unknown. */
export const END_OF_ROW = `
  CASE record.state WHEN 'valid' THEN ${OUTCOME_OF_RECORD}
    WHEN 'changed' THEN 'invalid' WHEN 'moved' THEN 'invalid' WHEN 'repeated' THEN ${END_OF_TWIN}
    WHEN 'pending' THEN iif(${END_OF_TWIN} = 'verify', 'verify', 'unknown') ELSE record.state END`;

/** Whether `its`, a record of the account of an invalid row with an id, is a copy from another file with its amount, and has arrived. */
export const IS_CORRECTED_COPY = `record.state = 'invalid' AND record.identity_key IS NULL AND its.identity_key = record.id
  AND its.state = 'valid' AND known.outcome IN ${ARRIVED_SQL} AND coalesce(record.amount, its.amount) IS its.amount
  AND their.place <> (SELECT place FROM main.source AS own WHERE own.id = record.source_id)`;

/** The name of the file with the corrected copy of a row; null without any. A journal of one reading has none, and perhaps no index yet. */
export const correctedBy = (db: RunDatabase): string =>
  valueOf(db, 'SELECT count(*) FROM reading') === 1
    ? 'NULL'
    : `iif(record.state = 'invalid', (
        SELECT their.name FROM record AS its JOIN outcome AS known USING (seq) JOIN source AS their ON their.id = its.source_id
        WHERE its.account_id = record.account_id AND ${IS_CORRECTED_COPY}), NULL)`;

/** The same, but a row that is kept apart from its record ended as `changed` or `moved`. */
export const END_OF_RECORD = `iif(record.state IN ('changed', 'moved'), record.state, ${END_OF_ROW})`;

/** The records of `batch` that are to be sent. */
export const UNSETTLED = `
  SELECT 1 FROM record WHERE record.account_id = batch.account_id AND record.seq BETWEEN first_seq AND last_seq
    AND record.state = 'valid' AND NOT EXISTS (SELECT 1 FROM outcome WHERE outcome.seq = record.seq)`;

/** Two conditions, because each has an index. */
export const IS_OPEN = `(batch.state IN ('planned', 'sent') OR batch.state IN ('held', 'rejected'))`;

/** Records that may be on the platform and have no outcome. `schema`: of the journal, with its point. */
export const doubtfulIn = (schema = ''): string => `
  SELECT record.seq FROM ${schema}batch JOIN ${schema}record ON record.account_id = batch.account_id
      AND record.seq BETWEEN first_seq AND last_seq LEFT JOIN ${schema}outcome USING (seq)
  WHERE ${IS_OPEN} AND (batch.state = 'sent' OR in_doubt = 1) AND record.state = 'valid' AND outcome IS NULL`;
