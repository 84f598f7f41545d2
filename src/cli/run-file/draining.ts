import type { AccountKey } from '../../core/contract/account.ts';
import type { ErrorCode } from '../../core/error-codes/table.ts';
import type { AnsweredProblem, LocatedProblem } from '../push/ports/report.ts';
import type { Batch, BatchRecord, DrainRun, FailedAttempt, Settlement } from '../push/ports/run.ts';
import { chainOf, type EndedAttempt } from './chain.ts';
import { groupCommit } from './group-commit.ts';
import { assertUnchanged, DamageError, guard, type RecordContent } from './integrity.ts';
import { problemInserter } from './problems.ts';
import type { RunDatabase } from './run-database.ts';

interface BatchRow extends AccountKey {
  readonly id: number;
  readonly account_id: number;
  readonly first_seq: number;
  readonly last_seq: number;
  readonly in_doubt: number;
  readonly attempts: number;
}

type RecordRow = Omit<BatchRecord, 'parts'> & RecordContent & { readonly checksum: number };

/** The result of an attempt, see schema.ts. */
type AttemptResult = 'settled' | 'first_doubt' | FailedAttempt['kind'];

/** The operations of draining over a run file. `now` gives the instant to record, as text. */
export function drainingOperations(db: RunDatabase, now: () => string): DrainRun {
  const nextAccount = db.prepare<[number], { account_id: number }>(`
    SELECT account_id FROM batch WHERE state IN ('planned', 'sent') AND account_id > ? ORDER BY account_id LIMIT 1`);
  const openBatch = db.prepare<[number], BatchRow>(`
    SELECT batch.*, import_supplier, external_account_number FROM batch JOIN account ON account.id = account_id
    WHERE account_id = ? AND state IN ('planned', 'sent') ORDER BY first_seq LIMIT 1`);
  const unsettledRecords = db.prepare<[number, number, number], RecordRow>(`
    SELECT seq, source_id AS source, first_line AS line, parts, id, type, amount, payload, checksum
    FROM record
    WHERE state = 'valid' AND account_id = ? AND seq BETWEEN ? AND ?
      AND NOT EXISTS (SELECT 1 FROM outcome WHERE outcome.seq = record.seq)
      AND NOT EXISTS (SELECT 1 FROM taken_over WHERE taken_over.seq = record.seq) ORDER BY seq`);
  const markSent = db.prepare(`
    UPDATE batch SET state = 'sent', attempts = attempts + 1 WHERE id = ? AND attempts = ? AND state IN ('planned', 'sent')`);
  const insertAttempt = db.prepare(`
    INSERT INTO attempt (batch_id, started_at) SELECT ?, ?
    WHERE NOT EXISTS (SELECT 1 FROM attempt WHERE batch_id = ? AND ended_at IS NULL)`);
  const endAttempt = db.prepare(`
    UPDATE attempt SET ended_at = ?, status = ?, result = ?, reason = ? WHERE batch_id = ? AND ended_at IS NULL`);
  const release = db.prepare(
    `UPDATE batch SET state = 'planned' WHERE id = ? AND state = 'sent' AND in_doubt = 0`,
  );
  const markInDoubt = db.prepare(`UPDATE batch SET in_doubt = 1 WHERE id = ? AND state = 'sent'`);
  const accountOf = db.prepare<[number], number>('SELECT account_id FROM batch WHERE id = ?').pluck();
  const inDoubt = db.prepare<[number], number>('SELECT in_doubt FROM batch WHERE id = ?').pluck();
  const markSettled = db.prepare(`UPDATE batch SET state = ?, in_doubt = ? WHERE id = ? AND state = 'sent'`);
  const insertOutcome = db.prepare('INSERT INTO outcome (seq, outcome, amount, link_id) VALUES (?, ?, ?, ?)');
  const openAttempt = db
    .prepare<[number], number>('SELECT id FROM attempt WHERE batch_id = ? AND ended_at IS NULL')
    .pluck();
  const chain = chainOf(db);
  const keepAccountNumber = db.prepare(
    'UPDATE account SET platform_account_number = ? WHERE id = (SELECT account_id FROM batch WHERE id = ?)',
  );
  const insertProblem = problemInserter(db);
  const dropAttempt = db.prepare('DELETE FROM attempt WHERE batch_id = ? AND ended_at IS NULL');
  const takeBack = db.prepare(`UPDATE batch SET attempts = attempts - 1 WHERE id = ? AND state = 'sent'`);
  const narrow = db.prepare('UPDATE batch SET first_seq = ?, last_seq = ? WHERE id = ?');
  const insertPart = db.prepare(
    `INSERT INTO batch (account_id, first_seq, last_seq, state, in_doubt, cut_from, cut_after)
     SELECT account_id, ?, ?, state, in_doubt, id,
       (SELECT coalesce(max(attempt.id), 0) FROM attempt WHERE batch_id = batch.id)
     FROM batch WHERE id = ?`,
  );

  const claimNext = (accountId: number): Batch | undefined => {
    const row = openBatch.get(accountId);
    if (!row) return undefined;
    const { id, import_supplier, external_account_number, attempts } = row;
    const account = { import_supplier, external_account_number };
    const records = unsettledRecords.all(row.account_id, row.first_seq, row.last_seq);
    if (records.length === 0) throw new DamageError('a request has no records');
    for (const record of records) assertUnchanged(account, record);
    begin(id, attempts);
    return {
      id,
      account,
      records: records.map(recordOf),
      attempt: attempts + 1,
      inDoubt: row.in_doubt === 1,
    };
  };
  const claimAgain = (batch: Batch): Batch => {
    begin(batch.id, batch.attempt);
    const isInDoubt = inDoubt.get(batch.id) === 1;
    return { ...batch, attempt: batch.attempt + 1, inDoubt: isInDoubt, exchange: undefined };
  };
  const begin = (batchId: number, attemptsSoFar: number): void => {
    exactlyOne(markSent.run(batchId, attemptsSoFar).changes, 'claim');
    exactlyOne(insertAttempt.run(batchId, now(), batchId).changes, 'claim of a batch that is in flight');
  };
  const end = (
    batch: Batch,
    { status, result, reason }: { status: number | null; result: AttemptResult; reason: string | null },
  ): number => {
    const attempt = openAttempt.get(batch.id);
    exactlyOne(endAttempt.run(now(), status, result, reason, batch.id).changes, 'end of an attempt');
    return attempt!;
  };
  const link = (batch: Batch, attempt: number, sealed: Pick<EndedAttempt, 'state' | 'outcomes'>): void => {
    const account = accountOf.get(batch.id)!;
    const [first, last] = [batch.records[0]!.seq, batch.records.at(-1)!.seq];
    chain.append({ id: attempt, ...sealed, records: { account, first, last }, exchange: batch.exchange });
  };
  const report = (batch: Batch, problems: readonly AnsweredProblem[], isLasting: boolean): void => {
    for (const problem of problems)
      insertProblem(problem, { batch: batch.id, isLasting: isLasting || isAboutSettled(problem) });
  };
  const fail = (batch: Batch, attempt: FailedAttempt): void => {
    const ended = end(batch, { ...attempt, result: attempt.kind });
    link(batch, ended, { state: 'none', outcomes: 0 });
    if (attempt.kind === 'ambiguous') report(batch, attempt.problems ?? [], false);
    const mayBeApplied = attempt.kind === 'ambiguous' || (attempt.kind === 'refused' && attempt.inDoubt);
    if (mayBeApplied) exactlyOne(markInDoubt.run(batch.id).changes, 'doubt');
    else release.run(batch.id);
  };
  const settle = (batch: Batch, settlement: Settlement, claimsNext: () => boolean): Batch | undefined => {
    const { status, state, records, problems } = settlement;
    const outcomes = records.filter(({ outcome }) => outcome !== null);
    const missing = batch.records.length - outcomes.length;
    if (state === 'done' && missing !== 0)
      throw new Error(`run file: ${missing} records would be done without outcome`);
    const isFirstDoubt =
      settlement.inDoubt && !batch.inDoubt && records.some(({ outcome }) => outcome === 'rejected');
    const ended = end(batch, { status, result: isFirstDoubt ? 'first_doubt' : 'settled', reason: null });
    const staysInDoubt = state !== 'done' && (settlement.inDoubt || batch.inDoubt) ? 1 : 0;
    exactlyOne(markSettled.run(stateAfter(batch, settlement), staysInDoubt, batch.id).changes, 'settle');
    const linkId = chain.nextId();
    for (const { seq, outcome, amount, platformAccount } of outcomes) {
      insertOutcome.run(seq, outcome, amount ?? null, linkId);
      if (platformAccount !== undefined) keepAccountNumber.run(platformAccount, batch.id);
    }
    link(batch, ended, { state, outcomes: outcomes.length });
    // `resume` sends a rejected batch again, and its refusal is then reported anew. Set-aside records stay reported.
    report(batch, problems, state !== 'rejected');
    return claimsNext() ? claimNext(accountOf.get(batch.id)!) : undefined;
  };
  /** Cuts a batch into parts of `size` records, in their order and with its state. */
  const cut = (batch: Batch, size: number): void => {
    for (let from = 0; from < batch.records.length; from += size) {
      const part = batch.records.slice(from, from + size);
      const [first, last] = [part[0]!.seq, part.at(-1)!.seq];
      const statement = from === 0 ? narrow : insertPart;
      exactlyOne(statement.run(first, last, batch.id).changes, 'split');
    }
  };

  const inNextCommit = groupCommit(db);
  return {
    nextAccount: (after) => guard(db, () => nextAccount.get(after)?.account_id),
    claimNext: (accountId, isWanted = () => true) =>
      inNextCommit(() => (isWanted() ? claimNext(accountId) : undefined)),
    claimAgain: (batch) => inNextCommit(() => claimAgain(batch)),
    renewToken: (batch) =>
      inNextCommit(() => {
        fail(batch, { kind: 'not_applied', status: 401, reason: 'the token was refused' });
        return claimAgain(batch);
      }),
    fail: (batch, attempt) => inNextCommit(() => fail(batch, attempt)),
    settle: (batch, settlement, claimsNext = () => false) =>
      inNextCommit(() => settle(batch, settlement, claimsNext)),
    splitIntoSingles: (batch) =>
      inNextCommit(() => {
        // The claim is taken back, because no request of the whole batch is made.
        exactlyOne(dropAttempt.run(batch.id).changes, 'split');
        exactlyOne(takeBack.run(batch.id).changes, 'split');
        cut(batch, 1);
      }),
    splitInHalves: (batch, attempt) =>
      inNextCommit(() => {
        fail(batch, attempt);
        cut(batch, Math.ceil(batch.records.length / 2));
      }),
  };
}

/** Errors about records that are settled as `verify`. */
const ABOUT_VERIFY: ReadonlySet<string> = new Set<ErrorCode>([
  'outcome_unproven',
  'answer_differs',
  'existing_differs',
]);

/** Whether a problem is about a record that is not sent again, so that it stays when the rest of its batch is. */
function isAboutSettled({ severity, code }: LocatedProblem): boolean {
  // A warning is about a record that is on the platform.
  return severity === 'warning' || ABOUT_VERIFY.has(code);
}

/** The state of a batch after a settlement. An answer that settles nothing leaves an earlier attempt in doubt. */
function stateAfter(batch: Batch, settlement: Settlement): 'done' | 'rejected' | 'planned' | 'sent' {
  const { state, records, inDoubt } = settlement;
  if (state === 'again') return batch.inDoubt || inDoubt ? 'sent' : 'planned';
  return batch.inDoubt && records.every(({ outcome }) => outcome === null) ? 'sent' : state;
}

function recordOf({ seq, source, line, id, payload, parts }: RecordRow): BatchRecord {
  const items = parts === null ? [] : (JSON.parse(parts) as BatchRecord['parts']);
  return { seq, source, line, id, payload, parts: items };
}

/** An operation that does not change exactly one row has met a state that it does not rely on. */
function exactlyOne(changes: number, operation: string): void {
  if (changes !== 1) throw new Error(`run file: ${operation} changed ${changes} rows instead of one`);
}

/**
 * Continues the work of an earlier process: its sent batches may have been applied, and its rejected batches are sent again.
 */
export function reopen(db: RunDatabase, now: string): void {
  db.transaction(() => {
    db.prepare('UPDATE run SET ended = NULL').run();
    db.prepare(`UPDATE batch SET in_doubt = 1 WHERE state = 'sent'`).run();
    endOpenAttempts(db, now);
    db.prepare(
      `DELETE FROM outcome WHERE outcome = 'rejected' AND seq NOT IN (SELECT seq FROM taken_over) AND seq IN (
         SELECT seq FROM record JOIN batch USING (account_id)
         WHERE batch.state = 'rejected' AND record.seq BETWEEN batch.first_seq AND batch.last_seq)`,
    ).run();
    db.prepare(
      `DELETE FROM problem WHERE lasting = 0 AND batch_id IN (SELECT id FROM batch WHERE state <> 'done')`,
    ).run();
    db.prepare(`UPDATE batch SET state = 'planned' WHERE state = 'rejected'`).run();
  })();
}

/** Nobody knows what became of the requests that an earlier process had in flight, nor whether they left. */
function endOpenAttempts(db: RunDatabase, now: string): void {
  const open = db
    .prepare<[], { id: number; batch: number }>(
      'SELECT id, batch_id AS batch FROM attempt WHERE ended_at IS NULL ORDER BY id',
    )
    .all();
  const end = db.prepare(
    `UPDATE attempt SET ended_at = ?, result = 'ambiguous', reason = 'the process ended' WHERE id = ?`,
  );
  const chain = chainOf(db);
  for (const { id } of open) {
    end.run(now, id);
    chain.append({ id, state: 'none', outcomes: 0, records: undefined, exchange: undefined });
  }
}
