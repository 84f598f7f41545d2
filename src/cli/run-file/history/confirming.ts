import type { AccountKey } from '../../../core/contract/account.ts';
import type { RecordOutcome, RunEnd } from '../../push/ports/report.ts';
import { THERE_ALREADY } from '../../push/ports/there-already.ts';
import { chainOf } from '../database/chain.ts';
import { seal } from '../database/integrity.ts';
import { OUTCOME_OF_RECORD } from '../database/outcome-sql.ts';
import type { RunDatabase } from '../database/run-database.ts';
import { PROBLEM_INDEXES } from '../database/schema.ts';
import { planOpenRecords, withdrawIn } from '../send/taking-up.ts';

/** A row that only a person can settle, because nothing proves what the platform has. */
export interface UnresolvedRow extends AccountKey {
  readonly seq: number;
  readonly outcome: RecordOutcome;
  readonly id: string | null;
  readonly type: string | null;
  readonly amount: string | null;
  /** JSON text; null once it is erased. */
  readonly payload: string | null;
  /** Number of the source, from 1. */
  readonly source: number;
  readonly line: number;
  /** The run that left the record like this; null for this run. */
  readonly origin: string | null;
}

/** The word of a person about records. `arrived`: they are on the platform as the file has them. `missing`: they are not there. */
export type ConfirmedAs = 'arrived' | 'missing';

/** A person's word, and when it was given; or what `ledger` proves, which a command has read. */
export type Confirmation = Readonly<{ verdict: ConfirmedAs; by: string; now: string; ledger?: string }>;

export interface ConfirmingOperations {
  /** In the order of the files. */
  unresolved(): Iterable<UnresolvedRow>;
  /** The record of an account with an identity; undefined without one. */
  seqOf(account: AccountKey, identity: Readonly<{ key: string; variant: string }>): number | undefined;
  identityOf(seq: number): Readonly<{ key: string; variant: string }>;
  /**
   * Settles records by the word of a person: those that are there count as confirmed, and those that are missing are sent again. Records
   * that a ledger has count as already there.
   */
  confirm(records: readonly number[], confirmation: Confirmation): void;
}

export function confirmingOperations(db: RunDatabase): ConfirmingOperations {
  return {
    unresolved() {
      db.transaction(() => db.exec(PROBLEM_INDEXES))();
      return db
        .prepare<[string], UnresolvedRow>(
          `SELECT record.seq, ${OUTCOME_OF_RECORD} AS outcome, import_supplier, external_account_number, record.id, type,
             record.amount, payload, source_id AS source, first_line AS line, other_run.run AS origin
           FROM record JOIN account ON account.id = account_id JOIN outcome USING (seq)
             LEFT JOIN other_run ON other_run.id = origin
           WHERE state = 'valid' AND (outcome.outcome IN ('verify', 'changed', 'moved')
             OR (outcome.outcome = 'rejected' AND ${IS_THERE_ALREADY})) ORDER BY record.seq`,
        )
        .iterate(JSON.stringify(THERE_ALREADY));
    },
    seqOf: ({ import_supplier, external_account_number }, { key, variant }) =>
      db
        .prepare<[string, string, string, string], number>(
          `SELECT seq FROM record JOIN account ON account.id = account_id
           WHERE import_supplier = ? AND external_account_number = ? AND identity_key = ? AND identity_variant = ?
             AND state = 'valid'`,
        )
        .pluck()
        .get(import_supplier, external_account_number, key, variant),
    identityOf: (seq) =>
      db
        .prepare<[number], { key: string; variant: string }>(
          'SELECT identity_key AS key, identity_variant AS variant FROM record WHERE seq = ?',
        )
        .get(seq)!,
    confirm: db.transaction((records: readonly number[], { verdict, by, now, ledger }: Confirmation) => {
      if (records.length === 0) return;
      db.exec('DROP TABLE IF EXISTS temp.judged_by; CREATE TEMP TABLE judged_by (seq INTEGER PRIMARY KEY)');
      const insert = db.prepare('INSERT INTO temp.judged_by VALUES (?)');
      for (const seq of records) insert.run(seq);
      // What ended the last command is settled. A run that was finished may be open again, and no process has died.
      db.prepare('UPDATE run SET summary = NULL, compared = NULL, ended = ?').run(seal(UNFINISHED));
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
      planOpenRecords(db);
    }),
  };
}

const UNFINISHED: RunEnd = { exit: 'UNFINISHED', reason: null };

/** Whether the platform has refused a record because it has one with its identity. */
const IS_THERE_ALREADY = `EXISTS (
  SELECT 1 FROM problem WHERE problem.source_id = record.source_id AND problem.line BETWEEN first_line AND last_line
    AND code IN (SELECT value FROM json_each(?)))`;

/** The errors of records that a person has settled are no problems any more. */
const PROBLEMS_OF_CONFIRMED = `
  DELETE FROM problem WHERE severity = 'error' AND (batch_id IS NOT NULL OR of_history = 1) AND EXISTS (
    SELECT 1 FROM temp.judged_by JOIN record USING (seq)
    WHERE record.source_id = problem.source_id AND problem.line BETWEEN first_line AND last_line)`;
