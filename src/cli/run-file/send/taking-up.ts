import { DESCRIPTORS, type Resource } from '../../../core/contract/resources.ts';
import type { RunChoice } from '../../push/ports/run.ts';
import { chainOf } from '../database/chain.ts';
import { ABOUT_VERIFY } from './draining.ts';
import { seal } from '../database/integrity.ts';
import { IS_FIRST_DOUBT, ofBatch } from '../database/outcome-sql.ts';
import type { RunHeader } from '../database/run-header.ts';
import type { RunDatabase } from '../database/run-database.ts';

/** How a command takes up a run that an earlier command has begun. */
export interface TakingUp {
  /** The instant to record, as text. */
  readonly now: string;
  /** One more than the turn of any other run of the folder. */
  readonly turn: number;
  readonly choice: RunChoice;
  /** Whether every record is planned again, also those that arrived (`--again`). */
  readonly again: boolean;
  /** Whether refused records are sent again that must not be sent again in the same form (interface.md 4.5). */
  readonly resendsRefused: boolean;
}

/**
 * Takes up the work of an earlier process: its sent batches may have been applied, and its refused records are planned again. The
 * person who runs the command again has removed the cause, or sees the same refusal once more.
 */
export function takeUp(
  db: RunDatabase,
  { resource, options }: Pick<RunHeader, 'resource' | 'options'>,
  taking: TakingUp,
): void {
  const { now, turn, choice, again } = taking;
  db.transaction(() => {
    db.prepare('UPDATE run SET ended = NULL, summary = NULL, turn = ?, choice = ?').run(turn, seal(choice));
    if (again) db.exec("UPDATE run SET state = 'staged'");
    endOpenAttempts(db, now);
    separateDoubts(db);
    db.exec(PROBLEMS_OF_UNSENT);
    withdraw(db, again ? 'TRUE' : refusedAgain(resource, taking), taking);
    // The platform may have these records. Then a refusal does not mean that a record is missing.
    if (again && !options.contract?.keepsSecond) db.exec(MAY_BE_THERE);
    planOpenRecords(db);
  })();
}

/** Reports that are made anew when a batch is sent again. */
const PROBLEMS_OF_UNSENT = `
  DELETE FROM problem WHERE lasting = 0 AND batch_id IN (SELECT id FROM batch WHERE state <> 'done')`;

/** A condition for the outcomes of refused records that are sent again. */
function refusedAgain(resource: Resource, { resendsRefused, choice }: TakingUp): string {
  const { refusal, lostAnswer } = DESCRIPTORS[resource];
  const isFinal = refusal.final !== null && !resendsRefused;
  const answered = `outcome.outcome = 'rejected' AND origin IS NULL`;
  if (!isFinal) return answered;
  // A record that is there already is accepted now, so the refusal says what was asked for.
  const accepted = choice.onExisting === 'accept' ? lostAnswer.present?.code : undefined;
  if (accepted === undefined) return `${answered} AND NOT ${IS_FINAL}`;
  const isThere = ofBatch(
    `EXISTS (SELECT 1 FROM problem WHERE batch_id = batch.id AND code = '${accepted}')`,
  );
  return `${answered} AND (NOT ${IS_FINAL} OR ${isThere})`;
}

/** Whether a record was refused with 400 and its refusal is final for its form. */
export const IS_FINAL = ofBatch(
  `batch.state = 'done' AND (SELECT status FROM attempt WHERE batch_id = batch.id ORDER BY attempt.id DESC LIMIT 1) IS 400`,
);

/** Withdraws the outcomes that fit a condition in SQL. The chain keeps them and the event that withdrew them. */
function withdraw(db: RunDatabase, which: string, { now, again }: TakingUp): void {
  const chosen = `SELECT seq FROM outcome JOIN record USING (seq) WHERE record.state = 'valid' AND ${which}`;
  db.exec(`DROP TABLE IF EXISTS temp.again; CREATE TEMP TABLE again AS ${chosen}`);
  if (!again && db.prepare('SELECT EXISTS (SELECT 1 FROM again)').pluck().get() === 0) return;
  const event = { at: now, kind: 'planned_again', by: null, document: { again } } as const;
  chainOf(db).appendEvent(event, (link) => {
    withdrawIn(db, 'again', link);
    if (!again) return;
    // The rows that were not kept are kept by now.
    for (const table of ['sent_before', 'sent_before_total'])
      db.prepare(`UPDATE ${table} SET until_id = ? WHERE until_id IS NULL`).run(link);
  });
  db.prepare(
    `DELETE FROM problem WHERE batch_id IN (SELECT ${ofBatch('batch.id')} FROM again JOIN record USING (seq))
       ${again ? '' : `AND severity = 'error' AND code NOT IN (SELECT value FROM json_each(?))`}`,
  ).run(...(again ? [] : [JSON.stringify([...ABOUT_VERIFY])]));
}

/** Puts the batches of withdrawn records in doubt that were not refused. */
const MAY_BE_THERE = `
  UPDATE batch SET in_doubt = 1 WHERE id IN (
    SELECT ${ofBatch('batch.id')} FROM again JOIN past_outcome USING (seq) JOIN record USING (seq)
    WHERE outcome <> 'rejected')`;

/** Moves the outcomes of the records in a temporary table to those that do not count any more. `link`: of the event. */
export function withdrawIn(db: RunDatabase, table: string, link: number): void {
  db.prepare(
    `INSERT INTO past_outcome SELECT seq, outcome, amount, link_id, origin, ? FROM outcome
     WHERE seq IN (SELECT seq FROM temp.${table})`,
  ).run(link);
  db.exec(`DELETE FROM outcome WHERE seq IN (SELECT seq FROM temp.${table})`);
}

/** A record of a batch that is to be sent. */
const UNSETTLED = `
  SELECT 1 FROM record WHERE record.account_id = batch.account_id AND record.seq BETWEEN first_seq AND last_seq
    AND record.state = 'valid' AND NOT EXISTS (SELECT 1 FROM outcome WHERE outcome.seq = record.seq)`;

/** Plans every batch with a record that is to be sent, and closes every batch without one, unless it is in flight. */
export function planOpenRecords(db: RunDatabase): void {
  db.exec(`
    UPDATE batch SET state = 'planned' WHERE state IN ('done', 'rejected') AND EXISTS (${UNSETTLED});
    UPDATE batch SET state = 'done', in_doubt = 0 WHERE state IN ('planned', 'rejected') AND NOT EXISTS (${UNSETTLED})`);
}

/** Prepares a run of another version for a drain of its doubts alone. */
export function openDoubts(db: RunDatabase, now: string): void {
  db.transaction(() => {
    endOpenAttempts(db, now);
    separateDoubts(db);
    db.exec(`UPDATE batch SET state = 'planned' WHERE state = 'rejected' AND in_doubt = 1`);
    // The history may have kept back every record before the refused one.
    db.exec(
      `UPDATE batch SET state = 'done', in_doubt = 0 WHERE state = 'planned' AND in_doubt = 1 AND NOT EXISTS (${UNSETTLED})`,
    );
  })();
}

/**
 * A refusal may have left the records before the refused one on the platform. They alone are in doubt: the refused record and those
 * behind it become a batch of their own, so that they are not taken for records that may be there.
 */
function separateDoubts(db: RunDatabase): void {
  const refusals = db
    .prepare<[], { id: number; first: number; refused: number }>(
      `SELECT batch.id, first_seq AS first, min(seq) AS refused
       FROM batch JOIN record ON record.account_id = batch.account_id AND seq BETWEEN first_seq AND last_seq JOIN outcome USING (seq)
       WHERE batch.state = 'rejected' AND in_doubt = 1 AND outcome = 'rejected' AND ${IS_FIRST_DOUBT} GROUP BY batch.id`,
    )
    .all();
  const certain = db.prepare('UPDATE batch SET in_doubt = 0 WHERE id = ?');
  const rest = db.prepare(
    `INSERT INTO batch (account_id, first_seq, last_seq, state, cut_from, cut_after)
     SELECT account_id, ?, last_seq, 'rejected', id,
       (SELECT coalesce(max(attempt.id), 0) FROM attempt WHERE batch_id = batch.id)
     FROM batch WHERE id = ?`,
  );
  const head = db.prepare('UPDATE batch SET last_seq = ? WHERE id = ?');
  for (const { id, first, refused } of refusals)
    if (refused === first) certain.run(id);
    else {
      rest.run(refused, id);
      head.run(refused - 1, id);
    }
}

/** Whether a request of a run may have been applied, and no answer has settled it. */
export function hasDoubts(db: RunDatabase): boolean {
  const doubt = `SELECT 1 FROM batch WHERE state = 'sent' OR (in_doubt = 1 AND state <> 'done')`;
  return db.prepare(`SELECT EXISTS (${doubt})`).pluck().get() === 1;
}

/** Nobody knows what became of the requests that an earlier process had in flight, nor whether they left. */
function endOpenAttempts(db: RunDatabase, now: string): void {
  db.exec(`UPDATE batch SET in_doubt = 1 WHERE state = 'sent'`);
  const open = db
    .prepare<[], { id: number; batch: number; startedAt: string }>(
      'SELECT id, batch_id AS batch, started_at AS startedAt FROM attempt WHERE ended_at IS NULL ORDER BY id',
    )
    .all();
  const lost = { endedAt: now, status: null, result: 'ambiguous', reason: 'the process ended' } as const;
  const end = db.prepare('UPDATE attempt SET ended_at = ?, result = ?, reason = ? WHERE id = ?');
  const chain = chainOf(db);
  for (const attempt of open) {
    end.run(lost.endedAt, lost.result, lost.reason, attempt.id);
    chain.append({ ...attempt, ...lost, state: 'none', settled: [], exchange: undefined });
  }
}
