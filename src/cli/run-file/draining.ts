import type { Batch, BatchRecord } from '../push/ports/batch.ts';
import type { DrainRun, FailedAttempt, Settlement } from '../push/ports/run.ts';
import type { RunDatabase } from './run-database.ts';

interface BatchRow {
  readonly id: number;
  readonly account_id: number;
  readonly first_seq: number;
  readonly last_seq: number;
  readonly state: string;
  readonly unsure: number;
  readonly attempts: number;
  readonly import_supplier: string;
  readonly external_account_number: string;
}

/** The verbs of draining over a run file. `now` gives the instant to write down, as text. */
export function drainingVerbs(db: RunDatabase, now: () => string): DrainRun {
  const nextAccount = db.prepare<[number], { account_id: number }>(`
    SELECT account_id FROM batch WHERE state IN ('planned', 'sent') AND account_id > ? ORDER BY account_id LIMIT 1`);
  const openBatch = db.prepare<[number], BatchRow>(`
    SELECT batch.*, import_supplier, external_account_number FROM batch JOIN account ON account.id = account_id
    WHERE account_id = ? AND state IN ('planned', 'sent') ORDER BY first_seq LIMIT 1`);
  const waitingRecords = db.prepare<[number, number, number], BatchRecord>(`
    SELECT seq, source_id AS source, first_line AS line, id, payload FROM record
    WHERE state = 'valid' AND account_id = ? AND seq BETWEEN ? AND ?
      AND NOT EXISTS (SELECT 1 FROM outcome WHERE outcome.seq = record.seq) ORDER BY seq`);
  const markSent = db.prepare(`
    UPDATE batch SET state = 'sent', attempts = attempts + 1 WHERE id = ? AND attempts = ? AND state IN ('planned', 'sent')`);
  const insertAttempt = db.prepare('INSERT INTO attempt (batch_id, started_at) VALUES (?, ?)');
  const endAttempt = db.prepare(`
    UPDATE attempt SET ended_at = ?, status = ?, reason = ? WHERE batch_id = ? AND ended_at IS NULL`);
  const release = db.prepare(
    `UPDATE batch SET state = 'planned' WHERE id = ? AND state = 'sent' AND unsure = 0`,
  );
  const markUnsure = db.prepare(`UPDATE batch SET unsure = 1 WHERE id = ? AND state = 'sent'`);
  const isUnsure = db.prepare<[number], { unsure: number }>('SELECT unsure FROM batch WHERE id = ?');
  const markSettled = db.prepare(`UPDATE batch SET state = ?, unsure = ? WHERE id = ? AND state = 'sent'`);
  const insertOutcome = db.prepare('INSERT INTO outcome (seq, outcome) VALUES (?, ?)');
  const insertProblem = db.prepare(
    'INSERT INTO problem (batch_id, line, severity, code, header, document) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const dropAttempt = db.prepare('DELETE FROM attempt WHERE batch_id = ? AND ended_at IS NULL');
  const narrow = db.prepare('UPDATE batch SET last_seq = first_seq, attempts = attempts - 1 WHERE id = ?');
  const insertSingle = db.prepare(
    'INSERT INTO batch (account_id, first_seq, last_seq, unsure) VALUES (?, ?, ?, 1)',
  );
  const batchAccount = db.prepare<[number], { account_id: number }>(
    'SELECT account_id FROM batch WHERE id = ?',
  );

  const claim = (accountId: number): Batch | undefined => {
    const row = openBatch.get(accountId);
    if (!row) return undefined;
    const records = waitingRecords.all(row.account_id, row.first_seq, row.last_seq);
    begin(row.id, row.attempts);
    return {
      id: row.id,
      account: { import_supplier: row.import_supplier, external_account_number: row.external_account_number },
      records,
      attempt: row.attempts + 1,
      unsure: row.unsure === 1,
    };
  };
  const begin = (batchId: number, attemptsSoFar: number): void => {
    exactlyOne(markSent.run(batchId, attemptsSoFar).changes, 'claim');
    insertAttempt.run(batchId, now());
  };
  const end = (batch: Batch, status: number | null, reason: string | null): void => {
    exactlyOne(endAttempt.run(now(), status, reason, batch.id).changes, 'end of an attempt');
  };

  return {
    nextAccount: (after) => nextAccount.get(after)?.account_id,
    claimNext: db.transaction(claim),
    claimAgain: db.transaction((batch: Batch): Batch => {
      begin(batch.id, batch.attempt);
      return { ...batch, attempt: batch.attempt + 1, unsure: isUnsure.get(batch.id)!.unsure === 1 };
    }),
    fail: db.transaction((batch: Batch, attempt: FailedAttempt): void => {
      end(batch, attempt.status, `${attempt.kind}: ${attempt.reason}`);
      if (attempt.kind === 'ambiguous') exactlyOne(markUnsure.run(batch.id).changes, 'ambiguous answer');
      else release.run(batch.id);
    }),
    settle: db.transaction(
      (batch: Batch, settlement: Settlement, next: 'claim_next' | 'claim_none'): Batch | undefined => {
        end(batch, settlement.status, null);
        const unsure = settlement.state === 'rejected' && (settlement.unsure || batch.unsure) ? 1 : 0;
        exactlyOne(markSettled.run(settlement.state, unsure, batch.id).changes, 'settle');
        for (const { seq, outcome } of settlement.records) if (outcome) insertOutcome.run(seq, outcome);
        for (const problem of settlement.problems) {
          const { line, severity, code, header } = problem;
          insertProblem.run(batch.id, line, severity, code, header, JSON.stringify(problem));
        }
        return next === 'claim_next' ? claim(batchAccount.get(batch.id)!.account_id) : undefined;
      },
    ),
    splitIntoSingles: db.transaction((batch: Batch): void => {
      // The claim is taken back: no request of the whole batch is made.
      exactlyOne(dropAttempt.run(batch.id).changes, 'split');
      const { account_id: account } = batchAccount.get(batch.id)!;
      exactlyOne(narrow.run(batch.id).changes, 'split');
      for (const { seq } of batch.records.slice(1)) insertSingle.run(account, seq, seq);
    }),
  };
}

/** A verb that changed anything but its one row has met a state that it does not rely on. */
function exactlyOne(changes: number, verb: string): void {
  if (changes !== 1) throw new Error(`run file: ${verb} changed ${changes} rows instead of one`);
}
