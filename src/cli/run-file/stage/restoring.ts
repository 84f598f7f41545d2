import type { AccountKey } from '../../../core/contract/account.ts';
import type { RunDatabase } from '../database/run-database.ts';
import { accountIds } from './staging.ts';

/** A record with its text, as it was read again. */
export interface RestoredRecord extends AccountKey {
  readonly seq: number;
  readonly source_id: number;
  readonly first_line: number;
  readonly last_line: number;
  readonly byte_start: number;
  readonly byte_end: number;
  readonly identity_key: string;
  readonly identity_variant: string;
  readonly id: string | null;
  readonly type: string | null;
  readonly amount: string | null;
  readonly payload: string;
  readonly payload_sha256: Buffer;
  readonly content: Buffer | null;
  readonly parts: string | null;
  readonly checksum: number;
}

/** The valid records of a run with their texts, in file order. */
export function textsOf(db: RunDatabase): IterableIterator<RestoredRecord> {
  return db
    .prepare<[], RestoredRecord>(
      `SELECT seq, source_id, first_line, last_line, byte_start, byte_end, import_supplier, external_account_number,
         identity_key, identity_variant, record.id, type, amount, payload, payload_sha256, content, parts, checksum
       FROM record JOIN account ON account.id = account_id WHERE state = 'valid' ORDER BY seq`,
    )
    .iterate();
}

/** Gives the records of a run their texts back, and adds the rows that it did not keep, with batches of their own. */
export function restore(db: RunDatabase, records: Iterable<RestoredRecord>): void {
  const accountId = accountIds(db);
  const give = db.prepare(
    'UPDATE record SET payload = @payload WHERE seq = @seq AND payload_sha256 = @payload_sha256',
  );
  const insert = db.prepare(
    `INSERT INTO record (seq, state, source_id, first_line, last_line, byte_start, byte_end, account_id, identity_key,
       identity_variant, id, type, amount, payload, payload_sha256, content, parts, checksum)
     VALUES (@seq, 'valid', @source_id, @first_line, @last_line, @byte_start, @byte_end, @account_id, @identity_key,
       @identity_variant, @id, @type, @amount, @payload, @payload_sha256, @content, @parts, @checksum)`,
  );
  const exists = db.prepare<[number], number>('SELECT 1 FROM record WHERE seq = ?').pluck();
  db.transaction(() => {
    for (const { import_supplier, external_account_number, ...record } of records)
      if (exists.get(record.seq) !== undefined) give.run(record);
      else insert.run({ ...record, account_id: accountId({ import_supplier, external_account_number }) });
    // Each record by itself, so that no batch goes over one that other records of the account have. In doubt, because another run
    // has brought it there.
    db.exec(`INSERT INTO batch (account_id, first_seq, last_seq, in_doubt) ${UNCOVERED}`);
  })();
}

const UNCOVERED = `
  SELECT account_id, seq, seq, 1 FROM record
  WHERE state = 'valid' AND payload IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM batch WHERE batch.account_id = record.account_id AND record.seq BETWEEN first_seq AND last_seq)
  ORDER BY account_id, seq`;
