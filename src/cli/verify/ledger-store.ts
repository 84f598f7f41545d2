import type { AccountKey } from '../../core/contract/account.ts';
import type { ComparedRecord, StoredRecord, Unpaired, UnpairedStore } from '../comparison/ports.ts';
import { inPortions } from '../scratch/portions.ts';
import { openScratch } from '../journal/database/run-database.ts';

/** A record by its id, and the days before and after its date was moved. */
export type StoredMove = Readonly<{ id: string; from: string; to: string }>;

/** The records of a ledger on disk, so that they can be sorted without memory. They are gone when it is closed. */
export type LedgerStore = ReturnType<typeof openLedgerStore>;

export function openLedgerStore() {
  const db = openScratch();
  db.exec(`
    CREATE TABLE stored (
      seq INTEGER PRIMARY KEY, import_supplier TEXT NOT NULL, external_account_number TEXT NOT NULL, key TEXT NOT NULL,
      variant TEXT NOT NULL, type TEXT, amount TEXT, content BLOB NOT NULL, data TEXT NOT NULL
    ) STRICT;
    CREATE TABLE move (
      import_supplier TEXT NOT NULL, external_account_number TEXT NOT NULL, id TEXT NOT NULL, "from" TEXT NOT NULL,
      "to" TEXT NOT NULL, PRIMARY KEY (import_supplier, external_account_number, id, "from", "to")
    ) STRICT, WITHOUT ROWID`);
  const insert = db.prepare(
    `INSERT INTO stored VALUES (@seq, @import_supplier, @external_account_number, @key, @variant, @type, @amount,
       @content, @data)`,
  );
  const stored = inPortions<StoredRecord>(db, (record) => void insert.run(record));
  const sorted = db.prepare<[], ComparedRecord>(
    `SELECT import_supplier, external_account_number, key, variant, seq, type, amount, content FROM stored
     ORDER BY import_supplier, external_account_number, key, variant, seq`,
  );
  const insertMove = db.prepare(
    'INSERT OR IGNORE INTO move VALUES (@import_supplier, @external_account_number, @id, @from, @to)',
  );
  const moves = inPortions<AccountKey & StoredMove>(db, (move) => void insertMove.run(move));
  const move = db
    .prepare<[object], number>(
      `SELECT 1 FROM move WHERE import_supplier = @import_supplier AND external_account_number = @external_account_number
         AND id = @id AND (@from IS NULL OR "from" = @from) AND "to" = @to`,
    )
    .pluck();
  const data = db.prepare<[number], string>('SELECT data FROM stored WHERE seq = ?').pluck();
  return {
    add: stored.add,
    /** Notes that the platform says to have moved the date of a record. */
    addMove: moves.add,
    /** Whether the platform says so. `from`: null for any day. */
    hasMove: (wanted: AccountKey & Omit<StoredMove, 'from'> & { from: string | null }) =>
      move.get(wanted) !== undefined,
    /** In the order of account, key and variant. */
    records() {
      stored.flush();
      moves.flush();
      return sorted.iterate();
    },
    /** JSON text of a record, by the number of its line in the ledger. */
    dataOf: (seq: number) => data.get(seq)!,
    close: () => void db.close(),
  };
}

type Side = 'source' | 'found';

/**
 * Opens an empty store for records without a counterpart, on disk, because all records of a file may be missing. Records of
 * both sides with the same supplier, key and content belong together.
 */
export function openUnpairedStore(): UnpairedStore & { close(): void } {
  const db = openScratch();
  db.exec(`
    CREATE TABLE unpaired (
      id INTEGER PRIMARY KEY, side TEXT NOT NULL, import_supplier TEXT NOT NULL, key TEXT NOT NULL, content BLOB NOT NULL,
      record TEXT NOT NULL
    ) STRICT`);
  const insert = db.prepare(
    'INSERT INTO unpaired (side, import_supplier, key, content, record) VALUES (?, ?, ?, ?, ?)',
  );
  const unpaired = inPortions<readonly [Side, ComparedRecord]>(db, ([side, { content, ...record }]) => {
    insert.run(side, record.import_supplier, record.key, content, JSON.stringify(record));
  });
  return {
    addMissing: (record) => unpaired.add(['source', record]),
    addExtra: (record) => unpaired.add(['found', record]),
    *pairs() {
      unpaired.flush();
      const rows = db.prepare<[], { source: string | null; found: string | null }>(PAIRS).iterate();
      for (const { source, found } of rows)
        yield { source: recordOf(source), found: recordOf(found) } as Unpaired;
    },
    close: () => void db.close(),
  };
}

/** The n-th missing record belongs to the n-th extra record with the same content. */
const NUMBERED = `SELECT *, row_number() OVER (PARTITION BY import_supplier, key, content ORDER BY id) AS n FROM unpaired`;
const PAIRS = `
  SELECT missing.record AS source, extra.record AS found
  FROM (${NUMBERED} WHERE side = 'source') AS missing
  FULL JOIN (${NUMBERED} WHERE side = 'found') AS extra USING (import_supplier, key, content, n)
  ORDER BY coalesce(missing.id, extra.id)`;

function recordOf(text: string | null): unknown {
  return text === null ? null : { ...(JSON.parse(text) as object), content: Buffer.alloc(0) };
}
