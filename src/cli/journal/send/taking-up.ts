import { DESCRIPTORS, type Resource } from '../../../core/contract/resources.ts';
import type { ErrorCode } from '../../../core/error-codes/table.ts';
import type { RunChoice } from '../../push/ports/run.ts';
import type { HistoryConflict } from '../../push/ports/staging.ts';
import { chainOf } from '../database/chain.ts';
import { ABOUT_VERIFY } from './draining.ts';
import { seal } from '../database/integrity.ts';
import { ARRIVED_SQL, IS_OPEN, UNSETTLED, doubtfulIn, ofBatch, rowsOf } from '../database/outcome-sql.ts';
import type { RunHeader } from '../database/run-header.ts';
import { allRows, isAny, valuesOf } from '../database/queries.ts';
import type { RunDatabase } from '../database/run-database.ts';
import { changedIn } from '../merge/comparison.ts';

export interface TakingUp {
  /** The instant to record, as text. */
  readonly now: string;
  readonly choice: RunChoice;
  /** Whether every record is planned again, also those that arrived (`--again`). */
  readonly again: boolean;
}

/** Ends what an earlier process has begun: nobody knows what became of the requests that it had in flight, nor whether they left. */
export function endEarlier(db: RunDatabase, now: string): void {
  const end = db.prepare('UPDATE attempt SET ended_at = ?, result = ?, reason = ? WHERE id = ?');
  const chain = chainOf(db);
  db.transaction(() => {
    db.exec(
      'UPDATE batch SET in_doubt = 1 WHERE id IN (SELECT batch_id FROM attempt WHERE ended_at IS NULL)',
    );
    for (const attempt of valuesOf<number>(db, 'SELECT id FROM attempt WHERE ended_at IS NULL ORDER BY id')) {
      end.run(now, 'ambiguous', 'the process ended', attempt);
      chain.append(attempt, { state: 'none', exchange: undefined });
    }
  })();
}

/**
 * Takes up a reading: its records that have not arrived are sent, and its refused ones once more. The person who runs the command again
 * has removed the cause, or sees the same refusal once more.
 */
export function takeUp(
  db: RunDatabase,
  number: number,
  { resource, options }: Pick<RunHeader, 'resource' | 'options'>,
  taking: TakingUp,
): void {
  const { choice, again } = taking;
  db.transaction(() => {
    // Nothing is written where nothing changes, so that a journal from before and after such a command is the same.
    db.prepare(
      'UPDATE reading SET ended = NULL, choice = @choice WHERE id = @number AND (ended IS NOT NULL OR choice <> @choice)',
    ).run({ choice: seal(choice), number });
    withdraw(db, number, again ? 'TRUE' : refusedAgain(resource, taking), taking);
    // The platform may have these records. Then a refusal does not mean that a record is missing.
    if (again && addsAgain(resource, options)) db.exec(forgetDoubts(number));
    else if (again && !options.contract?.keepsSecond) db.exec(MAY_BE_THERE);
    planOpenRecords(db, number);
    db.exec(PROBLEMS_OF_UNSENT);
  })();
}

/** Whether the platform adds a record that it has, because the check for earlier ones is off. */
const addsAgain = (resource: Resource, { checkPreviouslyAdded }: RunHeader['options']): boolean =>
  !checkPreviouslyAdded && DESCRIPTORS[resource].endpoint.query?.check_previously_added !== undefined;

/** Reports that are made anew when a batch is sent again. */
const PROBLEMS_OF_UNSENT = `
  DELETE FROM problem WHERE lasting = 0 AND batch_id IN (SELECT id FROM batch WHERE state IN ('planned', 'sent'))`;

/** A condition for the outcomes of refused records that are sent again. */
function refusedAgain(resource: Resource, { choice }: TakingUp): string {
  const { refusal, lostAnswer } = DESCRIPTORS[resource];
  const answered = `outcome.outcome = 'rejected'`;
  if (refusal.final === null) return answered;
  // A record that is there already is accepted now, so the refusal says what was asked for.
  const accepted = choice.onExisting === 'accept' ? lostAnswer.present?.code : undefined;
  if (accepted === undefined) return `${answered} AND NOT ${IS_FINAL}`;
  const isThere = ofBatch(
    `EXISTS (SELECT 1 FROM problem WHERE batch_id = batch.id AND code = '${accepted}')`,
  );
  return `${answered} AND (NOT ${IS_FINAL} OR ${isThere})`;
}

/** Whether a record was refused with 400 and its refusal is final for its form. A refusal of its account says nothing about the form. */
export const IS_FINAL = ofBatch(
  `batch.state = 'done' AND (SELECT status FROM attempt WHERE batch_id = batch.id ORDER BY attempt.id DESC LIMIT 1) IS 400
   AND NOT EXISTS (
     SELECT 1 FROM problem WHERE batch_id = batch.id AND (code = '${'account_not_found' satisfies ErrorCode}'
       OR substr(document, instr(document, ' ') + 1) ->> '$.attr' = 'external_account_number'))`,
);

/** Withdraws the outcomes that fit a condition in SQL. The chain keeps them and the event that withdrew them. */
function withdraw(db: RunDatabase, number: number, which: string, { now, again }: TakingUp): void {
  const chosen = `SELECT seq FROM ${rowsOf(db, number)} JOIN outcome USING (seq) WHERE record.state = 'valid' AND ${which}`;
  db.exec(`DROP TABLE IF EXISTS temp.again; CREATE TEMP TABLE again AS ${chosen}`);
  if (!isAny(db, 'SELECT 1 FROM again')) return;
  const event = { at: now, kind: 'planned_again', by: null, document: { again } } as const;
  chainOf(db).appendEvent(event, (link) => withdrawIn(db, 'again', link));
  db.prepare(
    `DELETE FROM problem WHERE (seq IN (SELECT seq FROM again) OR batch_id IN (SELECT ${ofBatch('batch.id')} FROM again JOIN record USING (seq)))
       ${again ? '' : `AND severity = 'error' AND code NOT IN (SELECT value FROM json_each(?))`}`,
  ).run(...(again ? [] : [JSON.stringify([...ABOUT_VERIFY])]));
  planAgain(db, 'again');
}

/** Puts the batches of withdrawn records in doubt that were not refused. */
const MAY_BE_THERE = `
  UPDATE batch SET in_doubt = 1 WHERE id IN (
    SELECT ${ofBatch('batch.id')} FROM again JOIN past_outcome USING (seq) JOIN record USING (seq)
    WHERE outcome <> 'rejected')`;

/** A command that adds every record again does not ask which are there already. */
const forgetDoubts = (number: number): string => `
  UPDATE batch SET in_doubt = 0, state = 'planned'
  WHERE in_doubt = 1 AND EXISTS (${UNSETTLED} AND record.reading_id = ${number})`;

/** Moves the outcomes of the records in a temporary table to those that do not count any more. `link`: of the event. */
export function withdrawIn(db: RunDatabase, table: string, link: number): void {
  db.prepare(
    `INSERT INTO past_outcome SELECT seq, outcome, amount, link_id, origin, ? FROM outcome
     WHERE seq IN (SELECT seq FROM temp.${table})`,
  ).run(link);
  db.exec(`DELETE FROM outcome WHERE seq IN (SELECT seq FROM temp.${table})`);
}

/** A refused record of a batch. In a batch in doubt it may be on the platform all the same, which the next request for it has to say. */
const REFUSED = `
  SELECT 1 FROM record JOIN outcome USING (seq) WHERE record.account_id = batch.account_id AND record.seq BETWEEN first_seq AND last_seq
    AND record.state = 'valid' AND outcome = 'rejected'`;

const COVERED = `
  EXISTS (SELECT 1 FROM batch WHERE batch.account_id = record.account_id AND record.seq BETWEEN first_seq AND last_seq)`;

/** Opens the batches of the records in a temporary table that have no outcome any more. A record without a batch gets its own. */
export function planAgain(db: RunDatabase, table: string): void {
  const withdrawn = `
    FROM temp.${table} JOIN record USING (seq)
    WHERE record.state = 'valid' AND NOT EXISTS (SELECT 1 FROM outcome WHERE outcome.seq = record.seq)`;
  db.exec(`
    INSERT INTO batch (account_id, first_seq, last_seq) SELECT account_id, seq, seq ${withdrawn} AND NOT ${COVERED} ORDER BY account_id, seq;
    UPDATE batch SET state = 'planned' WHERE state IN ('done', 'rejected') AND id IN (SELECT ${ofBatch('batch.id')} ${withdrawn})`);
}

/**
 * Plans every open batch with a record of a reading, holds the others, and closes those without a record to send. A batch in doubt is open,
 * too, when its account has rows of the reading. One whose texts are erased waits for its files, or for the word of a person.
 */
export function planOpenRecords(db: RunDatabase, number: number): void {
  const own = `EXISTS (${UNSETTLED} AND record.reading_id = ${number})`;
  const rows = rowsOf(db, number);
  db.exec(`
    UPDATE batch SET state = 'done', in_doubt = 0 WHERE ${IS_OPEN} AND NOT EXISTS (${UNSETTLED}) AND NOT ((in_doubt = 1 OR state IN ('held', 'rejected')) AND EXISTS (${REFUSED}))
      AND NOT EXISTS (SELECT 1 FROM attempt WHERE batch_id = batch.id AND ended_at IS NULL);
    UPDATE batch SET state = 'planned' WHERE state IN ('held', 'rejected') AND ${own};
    UPDATE batch SET state = 'held' WHERE state IN ('planned', 'sent') AND NOT ${own} AND in_doubt = 0
      AND NOT EXISTS (SELECT 1 FROM attempt WHERE batch_id = batch.id AND ended_at IS NULL);
    UPDATE batch SET state = 'held' WHERE state = 'rejected';
    DROP TABLE IF EXISTS temp.doubt;
    CREATE TEMP TABLE doubt AS SELECT id, EXISTS (${UNSETTLED}) AND NOT EXISTS (${UNSETTLED} AND payload IS NULL) AND (${own}
        OR account_id IN (SELECT account_id FROM ${rows} WHERE record.state = 'pending')
        OR EXISTS (SELECT 1 FROM record WHERE record.account_id = batch.account_id AND record.state = 'valid' AND reading_id = ${number})) AS is_own
      FROM batch WHERE ${IS_OPEN} AND in_doubt = 1;
    UPDATE batch SET state = 'planned' WHERE state = 'held' AND id IN (SELECT id FROM temp.doubt WHERE is_own);
    UPDATE batch SET state = 'held' WHERE id IN (SELECT id FROM temp.doubt WHERE NOT is_own)`);
}

/** Rows in a temporary table that are kept apart take the place of the record that they are about, under a number of their own. */
export function activateIn(db: RunDatabase, table: string): void {
  const apart = allRows<{ seq: number; there: number; reading: number }>(
    db,
    `SELECT seq, there, reading_id AS reading FROM temp.${table} JOIN record USING (seq)
       WHERE state IN ('changed', 'moved', 'pending') ORDER BY seq`,
  );
  const last = db.prepare<[], number>('SELECT max(seq) FROM record').pluck();
  // A record that was refused on the account of the row gives way, too.
  const replace = db.prepare(`
    UPDATE record SET state = 'replaced', payload = NULL WHERE seq = @there OR seq IN (
      SELECT its.seq FROM record AS its JOIN record AS own USING (identity_key, account_id, identity_variant)
      WHERE own.seq = @seq AND its.state = 'valid')`);
  const activate = db.prepare(
    "UPDATE record SET seq = @next, state = 'valid', there = NULL WHERE seq = @seq",
  );
  const rename = db.prepare(`UPDATE temp.${table} SET seq = @next WHERE seq = @seq`);
  const widen = db.prepare('UPDATE reading SET last_seq = ? WHERE id = ?');
  for (const { seq, there, reading } of apart) {
    const next = last.get()! + 1;
    replace.run({ seq, there });
    activate.run({ seq, next });
    rename.run({ seq, next });
    widen.run(next, reading);
  }
}

/**
 * Settles rows that waited for a record with other content: the record has arrived, so the row is a changed one; or it is not there, so the
 * row is sent in its place. Returns whether anything is to be sent. `onChanged`: reports changed rows.
 */
export function settlePending(
  db: RunDatabase,
  number: number,
  onChanged: (conflicts: readonly HistoryConflict[]) => void,
): boolean {
  return db.transaction(() => {
    const waiting = `FROM ${rowsOf(db, number)} LEFT JOIN outcome ON outcome.seq = record.there WHERE record.state = 'pending'`;
    db.exec(`
      DROP TABLE IF EXISTS temp.settled;
      CREATE TEMP TABLE settled AS SELECT record.seq, outcome ${waiting}
        AND (outcome IN ('rejected', ${ARRIVED_SQL.slice(1)} OR (outcome IS NULL AND record.there NOT IN (${doubtfulIn()})));
      UPDATE record SET state = 'changed' WHERE seq IN (SELECT seq FROM temp.settled WHERE outcome IN ${ARRIVED_SQL})`);
    onChanged(changedIn(db, 'settled'));
    db.exec(`DELETE FROM temp.settled WHERE outcome IN ${ARRIVED_SQL}`);
    // Planning closes requests of refused records, and these say that the command stopped.
    if (!isAny(db, 'SELECT 1 FROM temp.settled')) return false;
    activateIn(db, 'settled');
    planAgain(db, 'settled');
    planOpenRecords(db, number);
    return true;
  })();
}
