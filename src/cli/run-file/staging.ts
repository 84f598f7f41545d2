import { createHash } from 'node:crypto';
import type { LocatedProblem } from '../push/ports/located-problem.ts';
import type { PlannableRecord, PlannedBatch } from '../push/ports/batch.ts';
import type { RowPlace, StagedRecord, StagingRun } from '../push/ports/run.ts';
import type { RunDatabase } from './run-database.ts';
import { checksumOf, seal } from './sealed.ts';
import { wholeFileVerbs } from './whole-file.ts';

/** Rows in one transaction; larger ones gain nothing (performance.md). */
const ROWS_PER_COMMIT = 10_000;

/** Accounts remembered between rows; beyond it the memory is emptied, so that it stays bounded. */
const REMEMBERED_ACCOUNTS = 50_000;

/** The verbs of staging over a run file. */
export function stagingVerbs(db: RunDatabase): StagingRun & { commit(): void } {
  const insertRecord = db.prepare(`
    INSERT INTO record (state, source_id, first_line, last_line, byte_start, byte_end, account_id, identity, id, type, amount, payload, parts, checksum)
    VALUES ('valid', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  const insertOther = db.prepare(`
    INSERT INTO record (state, source_id, first_line, last_line, byte_start, byte_end) VALUES (?, ?, ?, ?, ?, ?)`);
  const insertProblem = db.prepare(
    `INSERT INTO problem (source_id, line, severity, code, header, document)
     VALUES ((SELECT min(id) FROM source WHERE name = ?), ?, ?, ?, ?, ?)`,
  );
  const insertAccount = db.prepare(`
    INSERT INTO account (import_supplier, external_account_number) VALUES (?, ?)
    ON CONFLICT DO UPDATE SET import_supplier = import_supplier RETURNING id`);
  const insertBatch = db.prepare('INSERT INTO batch (account_id, first_seq, last_seq) VALUES (?, ?, ?)');
  const invalidate = db.prepare(`
    UPDATE record SET state = 'invalid', payload = NULL WHERE seq = ? AND state = 'valid'`);
  const plannable = db.prepare<[number, number, number], PlannableRecord>(`
    SELECT seq, source_id AS source, first_line AS line, account_id AS accountId, octet_length(payload) AS bytes
    FROM record
    WHERE state = 'valid' AND (account_id, seq) > (?, ?) ORDER BY account_id, seq LIMIT ?`);
  const accounts = new Map<string, number>();
  let uncommitted = 0;

  const write = (): void => {
    if (uncommitted === 0) db.exec('BEGIN');
    if (++uncommitted >= ROWS_PER_COMMIT) commit();
  };
  const commit = (): void => {
    if (db.inTransaction) db.exec('COMMIT');
    uncommitted = 0;
  };
  const accountId = ({ account }: StagedRecord): number => {
    const { import_supplier, external_account_number } = account;
    // With its length before it, a supplier cannot run into the account. JSON would take three times as long.
    const key = `${import_supplier.length} ${import_supplier}${external_account_number}`;
    const known = accounts.get(key);
    if (known !== undefined) return known;
    if (accounts.size >= REMEMBERED_ACCOUNTS) accounts.clear();
    const { id } = insertAccount.get(import_supplier, external_account_number) as {
      id: number;
    };
    accounts.set(key, id);
    return id;
  };

  return {
    ...wholeFileVerbs(db),
    commit,
    appendRecord(record) {
      const { place, id, type, amount, payload } = record;
      const parts = record.parts.length === 0 ? null : JSON.stringify(record.parts);
      insertRecord.run(
        ...columnsOf(place),
        accountId(record),
        identityOf(record),
        id,
        type,
        amount,
        payload,
        parts,
        checksumOf(record.account, { id, type, amount, payload, parts }),
      );
      write();
    },
    appendInvalid(place) {
      insertOther.run('invalid', ...columnsOf(place));
      write();
    },
    appendFiltered(place) {
      insertOther.run('filtered', ...columnsOf(place));
      write();
    },
    appendProblem(problem: LocatedProblem) {
      const { file, line, severity, code, header } = problem;
      insertProblem.run(file, line, severity, code, header, seal(problem));
      write();
    },
    invalidate(seq) {
      if (invalidate.run(seq).changes !== 1) throw new Error(`run file: record ${seq} is not valid`);
      write();
    },
    plannable(after, limit): PlannableRecord[] {
      return plannable.all(after?.accountId ?? 0, after?.seq ?? 0, limit);
    },
    appendBatch(batch: PlannedBatch) {
      insertBatch.run(batch.accountId, batch.firstSeq, batch.lastSeq);
      write();
    },
  };
}

function columnsOf({ source, row }: RowPlace): readonly number[] {
  return [source, row.firstLine, row.lastLine, row.byteStart, row.byteEnd];
}

/**
 * What two records of an account have in common when they are the same: the id that the platform knows, which is kept
 * anyway, or else a hash, because the key of a note is its text and must not outlive its payload.
 */
function identityOf({ id, identity: { key, variant } }: StagedRecord): string {
  if (id === key) return key;
  return createHash('sha256')
    .update(JSON.stringify([key, variant ?? null]))
    .digest('base64');
}
