import { emptyJournal, eraseTakenOver } from './payloads.ts';
import { ofBatch, OUTCOME_OF_RECORD } from './reporting.ts';
import type { RunDatabase } from './run-database.ts';
import { assertUnchanged } from './sealed.ts';

/** Outcomes of records that another run may take over. */
export const RETRIED = ['rejected', 'unknown', 'verify'] as const;
export type Retried = (typeof RETRIED)[number];

/** What another run is to take over. */
export interface TakeOver {
  readonly outcomes: readonly Retried[];
  /** Id of the run that takes them. */
  readonly by: string;
  /** Whether records that a third run took over are taken all the same. */
  readonly again: boolean;
}

/** A record as it crosses from run to run. */
export interface TakenRecord {
  readonly source_id: number;
  readonly first_line: number;
  readonly last_line: number;
  readonly byte_start: number;
  readonly byte_end: number;
  readonly import_supplier: string;
  readonly external_account_number: string;
  readonly identity: string;
  readonly id: string | null;
  readonly type: string | null;
  readonly amount: string | null;
  readonly payload: string;
  readonly parts: string | null;
  readonly checksum: number;
  /** Whether an attempt of the run that it comes from may have been applied. */
  readonly unsure: 0 | 1;
}

/** The verbs of `retry`: over the run that gives records, and over the run that takes them. */
export interface RetryingVerbs {
  /** Ids of the runs that took records over. */
  takers(): readonly string[];
  /** Marks records as taken over: from here on this run never sends them. How many there were. */
  giveUp(wanted: TakeOver): number;
  /** What one run took over belongs to another: the first one never came to be. */
  handOn(from: string, to: string): void;
  /** What a run took over, in the order of the file. */
  givenTo(run: string): Iterable<TakenRecord>;
  /** Appends records that were taken over; before planning. Gives those of which an attempt may have been applied. */
  take(records: Iterable<TakenRecord>): readonly number[];
  /** Marks the batches of such records; after planning. */
  markUnsure(records: readonly number[]): void;
  /** Erases what a run took over and has a copy of. */
  eraseGivenTo(run: string): void;
}

export function retryingVerbs(db: RunDatabase): RetryingVerbs {
  return {
    takers: () => db.prepare<[], string>('SELECT DISTINCT run FROM taken_over ORDER BY run').pluck().all(),
    giveUp(wanted) {
      const taken = db.transaction(() => giveUp(db, wanted))();
      // Were it lost with the journal, this run would send what another one sends, too.
      emptyJournal(db);
      return taken;
    },
    handOn: (from, to) => void db.prepare('UPDATE taken_over SET run = ? WHERE run = ?').run(to, from),
    givenTo: (run) => givenTo(db, run),
    take: (records) => db.transaction(() => take(db, records))(),
    markUnsure: (records) => db.transaction(() => markUnsure(db, records))(),
    eraseGivenTo: (run) => eraseTakenOver(db, run),
  };
}

/** What a run took over, each record as it was staged. @throws Damage */
function* givenTo(db: RunDatabase, run: string): Generator<TakenRecord> {
  const records = db.prepare<[string], TakenRecord>(
    `SELECT source_id, first_line, last_line, byte_start, byte_end, import_supplier, external_account_number,
       identity, record.id, type, amount, payload, parts, checksum, unsure
     FROM taken_over JOIN record USING (seq) JOIN account ON account.id = account_id
     WHERE run = ? AND payload IS NOT NULL ORDER BY seq`,
  );
  for (const record of records.iterate(run)) {
    assertUnchanged(record, { ...record, line: record.first_line });
    yield record;
  }
}

function giveUp(db: RunDatabase, { outcomes, by, again }: TakeOver): number {
  const { changes } = db
    .prepare(
      `INSERT INTO taken_over (seq, run, unsure)
       SELECT seq, ?, coalesce(outcome.outcome, 'unknown') <> 'rejected' OR ${ofBatch('batch.unsure')}
       FROM record LEFT JOIN outcome USING (seq)
       WHERE state = 'valid' AND payload IS NOT NULL
         AND ${OUTCOME_OF_RECORD} IN (SELECT value FROM json_each(?))
         AND (? OR seq NOT IN (SELECT seq FROM taken_over))
       ON CONFLICT (seq) DO UPDATE SET run = excluded.run`,
    )
    .run(by, JSON.stringify(outcomes), again ? 1 : 0);
  // Read to its end before anything is given up: what is damaged is found while nothing has changed.
  for (const _ of givenTo(db, by));
  // What is left of the run is not what its last command ended with.
  db.prepare('UPDATE run SET ended = NULL').run();
  // What was told of a refused record stays told when the rest of its batch is sent again.
  db.prepare(
    `UPDATE problem SET lasting = 1 WHERE batch_id IN (SELECT id FROM batch WHERE state = 'rejected') AND EXISTS (
       SELECT 1 FROM taken_over JOIN record USING (seq)
       WHERE run = ? AND record.source_id = problem.source_id AND problem.line BETWEEN first_line AND last_line)`,
  ).run(by);
  db.prepare(
    `UPDATE batch SET state = 'done', unsure = 0 WHERE state <> 'done'
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
  const account = db
    .prepare<[string, string], number>(
      `INSERT INTO account (import_supplier, external_account_number) VALUES (?, ?)
       ON CONFLICT DO UPDATE SET import_supplier = import_supplier RETURNING id`,
    )
    .pluck();
  const insert = db.prepare(
    `INSERT INTO record (state, source_id, first_line, last_line, byte_start, byte_end, account_id, identity, id, type,
       amount, payload, parts, checksum)
     VALUES ('valid', @source_id, @first_line, @last_line, @byte_start, @byte_end, @account_id, @identity, @id, @type,
       @amount, @payload, @parts, @checksum)`,
  );
  const doubtful: number[] = [];
  for (const { import_supplier, external_account_number, unsure, ...record } of records) {
    const account_id = account.get(import_supplier, external_account_number);
    const { lastInsertRowid } = insert.run({ ...record, account_id });
    if (unsure === 1) doubtful.push(lastInsertRowid as number);
  }
  return doubtful;
}

function markUnsure(db: RunDatabase, records: readonly number[]): void {
  const mark = db.prepare(
    `UPDATE batch SET unsure = 1 WHERE account_id = (SELECT account_id FROM record WHERE seq = ?)
       AND ? BETWEEN first_seq AND last_seq`,
  );
  for (const seq of records) mark.run(seq, seq);
}
