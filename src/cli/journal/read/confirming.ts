import type { AccountKey } from '../../../core/contract/account.ts';
import type { RecordOutcome, RunEnd } from '../../push/ports/report.ts';
import { chainOf } from '../database/chain.ts';
import { seal } from '../database/integrity.ts';
import { END_OF_RECORD, END_OF_ROW, rowsOf, UNSETTLED } from '../database/outcome-sql.ts';
import { eachRow } from '../database/queries.ts';
import type { RunDatabase } from '../database/run-database.ts';
import { RUN_OF_READING } from '../database/run-header.ts';
import { vanishedBy } from '../merge/ending.ts';
import { PROBLEM_INDEXES } from '../database/schema.ts';
import { activateIn, planAgain, planOpenRecords, withdrawIn } from '../send/taking-up.ts';

/** A row that only a person can settle, because nothing proves what the platform has. */
export interface UnresolvedRow extends AccountKey {
  readonly seq: number;
  readonly outcome: RecordOutcome;
  readonly id: string | null;
  readonly type: string | null;
  readonly amount: string | null;
  /** JSON text; null once it is erased. */
  readonly payload: string | null;
  /** Where it was read: by this reading, or last by an earlier one of the same files. */
  readonly file: string;
  readonly line: number;
}

/** The word of a person about records. `arrived`: they are on the platform as the file has them. `missing`: they are not there. */
export type ConfirmedAs = 'arrived' | 'missing';

/** A person's word, and when it was given; or what `ledger` proves, which a command has read. */
export type Confirmation = Readonly<{ verdict: ConfirmedAs; by: string; now: string; ledger?: string }>;

export function confirmingOperations(db: RunDatabase, number: number) {
  return {
    /** In the order of the files. */
    unresolved() {
      db.transaction(() => db.exec(PROBLEM_INDEXES))();
      return eachRow<UnresolvedRow>(
        db,
        `SELECT record.seq, ${END_OF_RECORD} AS outcome, ${FACTS}, 0 AS is_earlier, record.place AS place
         FROM ${rowsOf(db, number)} ${JOINED}
         WHERE record.state IN ('changed', 'moved', 'pending') OR (record.state = 'valid' AND (outcome.outcome IN ('verify', 'rejected')
           OR (outcome.outcome IS NULL AND ${END_OF_ROW} = 'unknown')))
         UNION ALL SELECT record.seq, coalesce(outcome.outcome, 'unknown'), ${FACTS}, 1, record.seq AS place FROM record ${JOINED}
         WHERE record.seq IN (${vanishedBy(db, number)}) AND coalesce(outcome.outcome, 'verify') = 'verify'
         ORDER BY is_earlier, place`,
      );
    },
    /**
     * Settles records by the word of a person: those that are there count as confirmed, and those that are missing are sent again. Records
     * that a ledger has count as already there.
     */
    confirm: db.transaction((records: readonly number[], { verdict, by, now, ledger }: Confirmation) => {
      if (records.length === 0) return;
      db.exec('DROP TABLE IF EXISTS temp.judged_by; CREATE TEMP TABLE judged_by (seq INTEGER PRIMARY KEY)');
      db.prepare('INSERT INTO temp.judged_by SELECT value FROM json_each(?)').run(JSON.stringify(records));
      // What ended the last command is settled. A run that was finished may be open again, and no process has died.
      db.prepare('UPDATE reading SET ended = ? WHERE id = ?').run(
        seal({ exit: 'UNFINISHED', reason: null } satisfies RunEnd),
        number,
      );
      // A row takes the place of the record that it was kept apart from.
      activateIn(db, 'judged_by');
      chainOf(db).appendEvent(
        { at: now, kind: 'confirmed', by, document: { verdict, ...(ledger !== undefined && { ledger }) } },
        (link) => {
          withdrawIn(db, 'judged_by', link);
          if (verdict === 'arrived')
            db.prepare(
              `INSERT INTO outcome (seq, outcome, link_id) SELECT seq, ?, ? FROM temp.judged_by`,
            ).run(ledger === undefined ? 'confirmed' : 'existing', link);
        },
      );
      db.exec(PROBLEMS_OF_CONFIRMED);
      // Nothing sends a record that is not there and that no row is any more.
      if (verdict === 'missing') db.exec(forgetVanished(number));
      db.exec(SETTLE_DOUBTS);
      planAgain(db, 'judged_by');
      planOpenRecords(db, number);
    }),
  };
}

const FACTS = `import_supplier, external_account_number, record.id, type, record.amount, payload, source.name AS file, first_line AS line`;
const JOINED =
  'JOIN account ON account.id = account_id JOIN source ON source.id = source_id LEFT JOIN outcome USING (seq)';

const forgetVanished = (number: number): string => `
  DELETE FROM problem WHERE code = 'record_vanished' AND EXISTS (
    SELECT 1 FROM temp.judged_by JOIN record USING (seq) JOIN source ON source.id = record.source_id JOIN reading ON reading.id = record.reading_id
    WHERE instr(problem.document, source.name || ':' || first_line || ' of the reading ' || ${RUN_OF_READING} || ' '));
  UPDATE record SET state = 'replaced', payload = NULL WHERE state = 'valid' AND reading_id <> ${number} AND seq IN (SELECT seq FROM temp.judged_by)`;

/** What a person has settled is not in doubt any more. Its neighbours in the request still are. */
const SETTLE_DOUBTS = `
  UPDATE batch SET state = 'planned', in_doubt = 0 WHERE state IN ('sent', 'planned', 'held', 'rejected') AND NOT EXISTS (
    ${UNSETTLED} AND record.seq NOT IN (SELECT seq FROM temp.judged_by))`;

/** The errors of records that a person has settled are no problems any more. */
const PROBLEMS_OF_CONFIRMED = `
  DELETE FROM problem WHERE severity = 'error' AND (batch_id IS NOT NULL OR lasting = 1) AND EXISTS (
    SELECT 1 FROM temp.judged_by JOIN record USING (seq)
    WHERE problem.seq = record.seq OR (problem.seq IS NULL AND record.source_id = problem.source_id
      AND problem.line BETWEEN first_line AND last_line))`;
