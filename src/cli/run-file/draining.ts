import type { AccountKey } from '../../core/contract/account.ts';
import type { Batch, BatchRecord } from '../push/ports/batch.ts';
import type { LocatedProblem } from '../push/ports/located-problem.ts';
import type { DrainRun, FailedAttempt, Settlement } from '../push/ports/run.ts';
import { recorded } from './recorded.ts';
import type { RunDatabase } from './run-database.ts';
import { FIRST_DOUBT } from './schema.ts';
import { assertUnchanged, Damage, seal, type SealedRecord } from './sealed.ts';

interface BatchRow extends AccountKey {
  readonly id: number;
  readonly account_id: number;
  readonly first_seq: number;
  readonly last_seq: number;
  readonly state: string;
  readonly unsure: number;
  readonly attempts: number;
}

type RecordRow = Omit<BatchRecord, 'parts'> & SealedRecord & { readonly checksum: number };

/** The verbs of draining over a run file. `now` gives the instant to write down, as text. */
export function drainingVerbs(db: RunDatabase, now: () => string): DrainRun {
  const nextAccount = db.prepare<[number], { account_id: number }>(`
    SELECT account_id FROM batch WHERE state IN ('planned', 'sent') AND account_id > ? ORDER BY account_id LIMIT 1`);
  const openBatch = db.prepare<[number], BatchRow>(`
    SELECT batch.*, import_supplier, external_account_number FROM batch JOIN account ON account.id = account_id
    WHERE account_id = ? AND state IN ('planned', 'sent') ORDER BY first_seq LIMIT 1`);
  const waitingRecords = db.prepare<[number, number, number], RecordRow>(`
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
    UPDATE attempt SET ended_at = ?, status = ?, reason = ? WHERE batch_id = ? AND ended_at IS NULL`);
  const release = db.prepare(
    `UPDATE batch SET state = 'planned' WHERE id = ? AND state = 'sent' AND unsure = 0`,
  );
  const markUnsure = db.prepare(`UPDATE batch SET unsure = 1 WHERE id = ? AND state = 'sent'`);
  const isUnsure = db.prepare<[number], { unsure: number }>('SELECT unsure FROM batch WHERE id = ?');
  const markSettled = db.prepare(`UPDATE batch SET state = ?, unsure = ? WHERE id = ? AND state = 'sent'`);
  const insertOutcome = db.prepare('INSERT INTO outcome (seq, outcome) VALUES (?, ?)');
  const insertProblem = db.prepare(
    `INSERT INTO problem (batch_id, source_id, line, severity, code, header, document, lasting)
     VALUES (?, (SELECT min(id) FROM source WHERE name = ?), ?, ?, ?, ?, ?, ?)`,
  );
  const dropAttempt = db.prepare('DELETE FROM attempt WHERE batch_id = ? AND ended_at IS NULL');
  const takeBack = db.prepare(`UPDATE batch SET attempts = attempts - 1 WHERE id = ? AND state = 'sent'`);
  const narrow = db.prepare('UPDATE batch SET first_seq = ?, last_seq = ? WHERE id = ?');
  const insertPart = db.prepare(
    `INSERT INTO batch (account_id, first_seq, last_seq, state, unsure)
     SELECT account_id, ?, ?, state, unsure FROM batch WHERE id = ?`,
  );
  const batchAccount = db.prepare<[number], { account_id: number }>(
    'SELECT account_id FROM batch WHERE id = ?',
  );

  const claim = (accountId: number): Batch | undefined => {
    const row = openBatch.get(accountId);
    if (!row) return undefined;
    const { import_supplier, external_account_number } = row;
    const account = { import_supplier, external_account_number };
    const waiting = waitingRecords.all(row.account_id, row.first_seq, row.last_seq);
    if (waiting.length === 0) throw new Damage('a request has no records');
    for (const record of waiting) assertUnchanged(account, record);
    const records = waiting.map(recordOf);
    begin(row.id, row.attempts);
    return {
      id: row.id,
      account,
      records,
      attempt: row.attempts + 1,
      unsure: row.unsure === 1,
    };
  };
  const claimAgain = (batch: Batch): Batch => {
    begin(batch.id, batch.attempt);
    return { ...batch, attempt: batch.attempt + 1, unsure: isUnsure.get(batch.id)!.unsure === 1 };
  };
  const begin = (batchId: number, attemptsSoFar: number): void => {
    exactlyOne(markSent.run(batchId, attemptsSoFar).changes, 'claim');
    exactlyOne(insertAttempt.run(batchId, now(), batchId).changes, 'claim of a batch that is in flight');
  };
  const end = (batch: Batch, status: number | null, reason: string | null): void => {
    exactlyOne(endAttempt.run(now(), status, reason, batch.id).changes, 'end of an attempt');
  };
  const tell = (batch: Batch, problems: readonly LocatedProblem[], lasting: 0 | 1): void => {
    for (const problem of problems) {
      const { file, line, severity, code, header } = problem;
      // A warning is about a record that is on the platform, whatever becomes of the rest of its batch.
      const stays = severity === 'warning' ? 1 : lasting;
      insertProblem.run(batch.id, file, line, severity, code, header, seal(problem), stays);
    }
  };
  const fail = (batch: Batch, attempt: FailedAttempt): void => {
    end(batch, attempt.status, `${attempt.kind}: ${attempt.reason}`);
    if (attempt.kind === 'ambiguous') tell(batch, attempt.problems ?? [], 0);
    const mayBeApplied = attempt.kind === 'ambiguous' || (attempt.kind === 'refused' && attempt.unsure);
    if (mayBeApplied) exactlyOne(markUnsure.run(batch.id).changes, 'doubt');
    else release.run(batch.id);
  };
  /** Cuts a batch into parts of so many records, in their order and in its state. */
  const cut = (batch: Batch, size: number): void => {
    const parts = partsOf(batch.records, size);
    for (const [index, part] of parts.entries()) {
      const [first, last] = [part[0]!.seq, part.at(-1)!.seq];
      const { changes } =
        index === 0 ? narrow.run(first, last, batch.id) : insertPart.run(first, last, batch.id);
      exactlyOne(changes, 'split');
    }
  };

  const verbs: DrainRun = {
    nextAccount: (after) => nextAccount.get(after)?.account_id,
    claimNext: db.transaction(claim),
    claimAgain: db.transaction(claimAgain),
    renewToken: db.transaction((batch: Batch): Batch => {
      fail(batch, { kind: 'not_applied', status: 401, reason: 'the token was refused' });
      return claimAgain(batch);
    }),
    fail: db.transaction(fail),
    settle: db.transaction(
      (batch: Batch, settlement: Settlement, next: 'claim_next' | 'claim_none'): Batch | undefined => {
        const isFirstDoubt =
          settlement.unsure &&
          !batch.unsure &&
          settlement.records.some(({ outcome }) => outcome === 'rejected');
        end(batch, settlement.status, isFirstDoubt ? FIRST_DOUBT : null);
        const outcomes = settlement.records.filter(({ outcome }) => outcome !== null);
        if (settlement.state === 'done' && outcomes.length !== batch.records.length) {
          throw new Error(
            `run file: ${batch.records.length - outcomes.length} records would be done without outcome`,
          );
        }
        const isLeft = settlement.state !== 'done';
        const unsure = isLeft && (settlement.unsure || batch.unsure) ? 1 : 0;
        exactlyOne(markSettled.run(stateAfter(batch, settlement), unsure, batch.id).changes, 'settle');
        for (const { seq, outcome } of outcomes) insertOutcome.run(seq, outcome);
        // What `resume` sends again is refused anew; what is set aside stays so.
        tell(batch, settlement.problems, settlement.state === 'rejected' ? 0 : 1);
        return next === 'claim_next' ? claim(batchAccount.get(batch.id)!.account_id) : undefined;
      },
    ),
    splitIntoSingles: db.transaction((batch: Batch): void => {
      // The claim is taken back: no request of the whole batch is made.
      exactlyOne(dropAttempt.run(batch.id).changes, 'split');
      exactlyOne(takeBack.run(batch.id).changes, 'split');
      cut(batch, 1);
    }),
    splitInHalves: db.transaction((batch: Batch, attempt: FailedAttempt): void => {
      fail(batch, attempt);
      cut(batch, Math.ceil(batch.records.length / 2));
    }),
  };
  return recorded(db, verbs);
}

/** What a settlement makes of its batch. An answer that settles nothing does not tell what became of an earlier attempt. */
function stateAfter(batch: Batch, settlement: Settlement): 'done' | 'rejected' | 'planned' | 'sent' {
  const { state, records, unsure } = settlement;
  if (state === 'again') return batch.unsure || unsure ? 'sent' : 'planned';
  return batch.unsure && records.every(({ outcome }) => outcome === null) ? 'sent' : state;
}

function recordOf({ seq, source, line, id, payload, parts }: RecordRow): BatchRecord {
  const items = parts === null ? [] : (JSON.parse(parts) as BatchRecord['parts']);
  return { seq, source, line, id, payload, parts: items };
}

function partsOf<T>(all: readonly T[], size: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, part) =>
    all.slice(part * size, (part + 1) * size),
  );
}

/** A verb that changed anything but its one row has met a state that it does not rely on. */
function exactlyOne(changes: number, verb: string): void {
  if (changes !== 1) throw new Error(`run file: ${verb} changed ${changes} rows instead of one`);
}
