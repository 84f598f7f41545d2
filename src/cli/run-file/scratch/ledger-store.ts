import type { FoundRecord, StoredRecord } from '../../comparison/ports.ts';
import { inPortions } from '../database/portions.ts';
import { openScratch } from '../database/run-database.ts';

/** The records of a ledger on disk, so that they can be sorted without memory. They are gone when it is closed. */
export interface LedgerStore {
  add(record: StoredRecord): void;
  /** In the order of account, key and variant. */
  records(): Iterable<FoundRecord>;
  /** JSON text of a record, by the number of its line in the ledger. */
  dataOf(seq: number): string;
  close(): void;
}

export function openLedgerStore(): LedgerStore {
  const db = openScratch();
  db.exec(`
    CREATE TABLE stored (
      seq INTEGER PRIMARY KEY, import_supplier TEXT NOT NULL, external_account_number TEXT NOT NULL, key TEXT NOT NULL,
      variant TEXT NOT NULL, type TEXT, amount TEXT, content BLOB NOT NULL, data TEXT NOT NULL
    ) STRICT`);
  const insert = db.prepare(
    `INSERT INTO stored VALUES (@seq, @import_supplier, @external_account_number, @key, @variant, @type, @amount,
       @content, @data)`,
  );
  const stored = inPortions<StoredRecord>(db, (record) => void insert.run(record));
  const sorted = db.prepare<[], FoundRecord>(
    `SELECT import_supplier, external_account_number, key, variant, seq, type, amount, content, 0 AS origin FROM stored
     ORDER BY import_supplier, external_account_number, key, variant, seq`,
  );
  const data = db.prepare<[number], string>('SELECT data FROM stored WHERE seq = ?').pluck();
  return {
    add: stored.add,
    records() {
      stored.flush();
      return sorted.iterate();
    },
    dataOf: (seq) => data.get(seq)!,
    close: () => void db.close(),
  };
}
