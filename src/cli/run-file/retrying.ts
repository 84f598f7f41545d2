import type { AccountKey } from '../../core/contract/account.ts';
import { assertUnchanged, type RecordContent } from './integrity.ts';
import { emptyJournal, eraseTakenOver } from './payloads.ts';
import { ofBatch, OUTCOME_OF_RECORD } from './reporting.ts';
import type { RunDatabase } from './run-database.ts';
import { accountIds } from './staging.ts';

/** Outcomes of records that another run may take over. */
export const RETRIED = ['rejected', 'unknown', 'verify'] as const;
export type Retried = (typeof RETRIED)[number];

/** The records that another run takes over. */
export interface TakeOver {
  readonly outcomes: readonly Retried[];
  /** Id of the run that takes them. */
  readonly by: string;
  /** Whether records that a third run took over are taken, too. */
  readonly again: boolean;
  /** Whether records stay that must not be sent again in the same form (interface.md 4.5). Default: false. */
  readonly exceptFinal?: boolean;
}

/** A record that passes from run to run. */
export interface TakenRecord extends AccountKey, RecordContent {
  readonly source_id: number;
  readonly first_line: number;
  readonly last_line: number;
  readonly byte_start: number;
  readonly byte_end: number;
  readonly identity_key: string;
  readonly identity_variant: string;
  readonly payload_sha256: Buffer;
  readonly checksum: number;
  /** Whether an attempt of the giving run may have been applied. */
  readonly in_doubt: 0 | 1;
}

/** The operations of `retry`, over the run that gives records away and over the run that takes them. */
export interface RetryingOperations {
  /** Ids of the runs that took records over. */
  takers(): readonly string[];
  /** Marks records as taken over: this run never sends them again. Returns how many there were. */
  giveAway(wanted: TakeOver): number;
  /** Passes the records that one run took over on to another run, because the first run was never completed. */
  passOn(from: string, to: string): void;
  /** The accounts of the records that a run took over, with their numbers in this run. */
  accountsGivenTo(run: string): readonly (AccountKey & { readonly id: number })[];
  /** The records that a run took over, in the order of the file. */
  givenTo(run: string): Iterable<TakenRecord>;
  /** Appends records that were taken over, before planning. Returns the records in doubt. */
  take(records: Iterable<TakenRecord>): readonly number[];
  /** Marks the batches of records in doubt, after planning. */
  markInDoubt(records: readonly number[]): void;
  /** Ids of the runs that took records over whose payloads are still here. */
  takersWithPayloads(): readonly string[];
  /** Erases the payloads that a run took over, because it has a copy of them. */
  eraseGivenTo(run: string): void;
}

export function retryingOperations(db: RunDatabase): RetryingOperations {
  return {
    takers: () => db.prepare<[], string>('SELECT DISTINCT run FROM taken_over ORDER BY run').pluck().all(),
    takersWithPayloads: () =>
      db
        .prepare<[], string>(
          `SELECT DISTINCT run FROM taken_over JOIN record USING (seq) WHERE payload IS NOT NULL ORDER BY run`,
        )
        .pluck()
        .all(),
    giveAway(wanted) {
      const given = db.transaction(() => giveAway(db, wanted))();
      // If this got lost with the journal, both runs would send the records.
      emptyJournal(db);
      return given;
    },
    passOn: db.transaction(
      (from: string, to: string) =>
        void db.prepare('UPDATE taken_over SET run = ? WHERE run = ?').run(to, from),
    ),
    accountsGivenTo: (run) =>
      db
        .prepare<[string], AccountKey & { id: number }>(
          `SELECT DISTINCT account.id, import_supplier, external_account_number
           FROM taken_over JOIN record USING (seq) JOIN account ON account.id = account_id WHERE run = ?`,
        )
        .all(run),
    givenTo: (run) => givenTo(db, run),
    take: (records) => db.transaction(() => take(db, records))(),
    markInDoubt: (records) => db.transaction(() => markInDoubt(db, records))(),
    eraseGivenTo: (run) => eraseTakenOver(db, run),
  };
}

/** The records that a run took over, each as it was staged. @throws DamageError */
function* givenTo(db: RunDatabase, run: string): Generator<TakenRecord> {
  const records = db.prepare<[string], TakenRecord>(
    `SELECT source_id, first_line, last_line, byte_start, byte_end, import_supplier, external_account_number,
       identity_key, identity_variant, record.id, type, amount, payload, payload_sha256, parts, checksum, in_doubt
     FROM taken_over JOIN record USING (seq) JOIN account ON account.id = account_id
     WHERE run = ? AND payload IS NOT NULL ORDER BY seq`,
  );
  for (const record of records.iterate(run)) {
    assertUnchanged(record, { ...record, line: record.first_line });
    yield record;
  }
}

/** Whether a record was refused with 400 and set aside. */
const IS_FINAL = `outcome.outcome IS 'rejected' AND ${ofBatch(`batch.state = 'done' AND (
  SELECT status FROM attempt WHERE batch_id = batch.id ORDER BY attempt.id DESC LIMIT 1) IS 400`)}`;

function giveAway(db: RunDatabase, { outcomes, by, again, exceptFinal = false }: TakeOver): number {
  const { changes } = db
    .prepare(
      `INSERT INTO taken_over (seq, run, in_doubt)
       SELECT seq, ?, coalesce(outcome.outcome, 'unknown') <> 'rejected' OR ${ofBatch('batch.in_doubt')}
       FROM record LEFT JOIN outcome USING (seq)
       WHERE state = 'valid' AND payload IS NOT NULL
         AND ${OUTCOME_OF_RECORD} IN (SELECT value FROM json_each(?))
         AND (? OR seq NOT IN (SELECT seq FROM taken_over))
         AND NOT (? AND ${IS_FINAL})
       ON CONFLICT (seq) DO UPDATE SET run = excluded.run`,
    )
    .run(by, JSON.stringify(outcomes), again ? 1 : 0, exceptFinal ? 1 : 0);
  // Reads every record, so that damage is found before anything has changed.
  for (const _ of givenTo(db, by));
  // The end of the last command does not describe the rest of the run.
  db.prepare('UPDATE run SET ended = NULL').run();
  // The problems of a rejected record stay reported when the rest of its batch is sent again.
  db.prepare(
    `UPDATE problem SET lasting = 1 WHERE batch_id IN (SELECT id FROM batch WHERE state = 'rejected') AND EXISTS (
       SELECT 1 FROM taken_over JOIN record USING (seq)
       WHERE run = ? AND record.source_id = problem.source_id AND problem.line BETWEEN first_line AND last_line)`,
  ).run(by);
  db.prepare(
    `UPDATE batch SET state = 'done', in_doubt = 0 WHERE state <> 'done'
       AND EXISTS (SELECT 1 FROM record JOIN taken_over USING (seq) WHERE ${IN_BATCH})
       AND NOT EXISTS (
         SELECT 1 FROM record LEFT JOIN outcome USING (seq)
         WHERE ${IN_BATCH} AND record.state = 'valid' AND seq NOT IN (SELECT seq FROM taken_over)
           AND (outcome IS NULL OR (outcome = 'rejected' AND batch.state = 'rejected')))`,
  ).run();
  return changes;
}

const IN_BATCH =
  'record.account_id = batch.account_id AND record.seq BETWEEN batch.first_seq AND batch.last_seq';

function take(db: RunDatabase, records: Iterable<TakenRecord>): readonly number[] {
  const accountId = accountIds(db);
  const insert = db.prepare(
    `INSERT INTO record (state, source_id, first_line, last_line, byte_start, byte_end, account_id,
       identity_key, identity_variant, id, type, amount, payload, payload_sha256, parts, checksum)
     VALUES ('valid', @source_id, @first_line, @last_line, @byte_start, @byte_end, @account_id,
       @identity_key, @identity_variant, @id, @type, @amount, @payload, @payload_sha256, @parts, @checksum)`,
  );
  const inDoubt: number[] = [];
  for (const { import_supplier, external_account_number, in_doubt, ...record } of records) {
    const account_id = accountId({ import_supplier, external_account_number });
    const { lastInsertRowid } = insert.run({ ...record, account_id });
    if (in_doubt === 1) inDoubt.push(lastInsertRowid as number);
  }
  return inDoubt;
}

function markInDoubt(db: RunDatabase, records: readonly number[]): void {
  const mark = db.prepare(
    `UPDATE batch SET in_doubt = 1 WHERE account_id = (SELECT account_id FROM record WHERE seq = ?)
       AND ? BETWEEN first_seq AND last_seq`,
  );
  for (const seq of records) mark.run(seq, seq);
}
