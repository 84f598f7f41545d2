import type { AccountKey } from '../../core/contract/account.ts';
import { inPortions } from '../scratch/portions.ts';
import { END_OF_RECORD, rowsOf } from '../journal/database/outcome-sql.ts';
import { openScratch } from '../journal/database/run-database.ts';
import type { Reading } from '../journal/reading.ts';
import type { RecordOutcome } from '../push/ports/report.ts';

/** A row of the files, or a record of the ledger. */
export interface ComparedRecord extends AccountKey {
  /** Key and variant as the journal has them: an id as it is, anything else hashed. */
  readonly key: string;
  readonly variant: string;
  /** Number of the row among those that were read, or of the line in the ledger. */
  readonly seq: number;
  readonly type: string | null;
  /** Plain decimal text; null for a record without an amount. */
  readonly amount: string | null;
  /** SHA-256 of the content. */
  readonly content: Buffer;
}

/** A row that was read from the files again. */
export interface ComparedRow extends ComparedRecord {
  /** Number of the source, from 1, and the line there. */
  readonly source: number;
  readonly line: number;
  /** How it ended by the journals. */
  readonly end: RecordOutcome | 'invalid';
}

/** A record by its id, and the days before and after its date was moved. */
type StoredMove = AccountKey & Readonly<{ id: string; from: string; to: string }>;

/** The records of a ledger on disk, beside the rows of a reading that is thrown away. */
export type LedgerStore = ReturnType<typeof openLedgerStore>;

/** `contentOf`: the content to compare of the JSON text of a row. */
export function openLedgerStore({ db, number }: Reading, contentOf: (payload: string) => Buffer) {
  db.function('content_of', { deterministic: true }, (text) => contentOf(String(text)));
  db.exec(TABLES);
  const into = <Row>(sql: string) => {
    const insert = db.prepare(sql);
    return inPortions<Row>(db, (row) => void insert.run(row));
  };
  const stored = into<ComparedRecord & { readonly data: string }>(
    `INSERT INTO stored VALUES (@seq, @import_supplier, @external_account_number, @key, @variant, @type, @amount, @content, @data)`,
  );
  const moves = into<StoredMove>(
    'INSERT OR IGNORE INTO move VALUES (@import_supplier, @external_account_number, @id, @from, @to)',
  );
  const move = db.prepare(MOVE);
  const data = db.prepare<[number], string>('SELECT data FROM stored WHERE seq = ?').pluck();
  const payload = db.prepare<[number], string>('SELECT payload FROM record WHERE seq = ?').pluck();
  const account = db.prepare(
    'SELECT 1 FROM account WHERE import_supplier = @import_supplier AND external_account_number = @external_account_number',
  );
  return {
    add: stored.add,
    /** Notes that the platform says to have moved the date of a record. */
    addMove: moves.add,
    /** Whether the platform says so. `from`: null for any day. */
    hasMove: (wanted: Omit<StoredMove, 'from'> & { readonly from: string | null }) =>
      move.get(wanted) !== undefined,
    /** Rows and records, in the order of account, key and variant. A row that repeats another one is the record of that one. */
    sorted() {
      stored.flush();
      moves.flush();
      const records = sortedSql(rowsOf(db, number));
      return db.prepare<[], ComparedRow | (ComparedRecord & { readonly source: null })>(records).iterate();
    },
    /** JSON text of a record, by the number of its line in the ledger. */
    dataOf: (seq: number) => data.get(seq)!,
    /** JSON text of a row. */
    payloadOf: (seq: number) => payload.get(seq)!,
    /** Whether the files have a row of the account. */
    hasAccount: ({ import_supplier, external_account_number }: AccountKey) =>
      account.get({ import_supplier, external_account_number }) !== undefined,
  };
}

const TABLES = `
  CREATE TEMP TABLE stored (
    seq INTEGER PRIMARY KEY, import_supplier TEXT NOT NULL, external_account_number TEXT NOT NULL, key TEXT NOT NULL,
    variant TEXT NOT NULL, type TEXT, amount TEXT, content BLOB NOT NULL, data TEXT NOT NULL
  ) STRICT;
  CREATE TEMP TABLE move (
    import_supplier TEXT NOT NULL, external_account_number TEXT NOT NULL, id TEXT NOT NULL, "from" TEXT NOT NULL,
    "to" TEXT NOT NULL, PRIMARY KEY (import_supplier, external_account_number, id, "from", "to")
  ) STRICT, WITHOUT ROWID`;

const MOVE = `
  SELECT 1 FROM move WHERE import_supplier = @import_supplier AND external_account_number = @external_account_number
    AND id = @id AND (@from IS NULL OR "from" = @from) AND "to" = @to`;

const sortedSql = (rows: string): string => `
  SELECT import_supplier, external_account_number, identity_key AS key, identity_variant AS variant,
    iif(record.state = 'repeated', twin, record.seq) AS seq, type, record.amount, content_of(payload) AS content,
    record.source, first_line AS line, ${END_OF_RECORD} AS "end"
  FROM ${rows} JOIN account ON account.id = account_id LEFT JOIN outcome USING (seq)
  WHERE record.state NOT IN ('invalid', 'filtered')
  UNION ALL
  SELECT import_supplier, external_account_number, key, variant, seq, type, amount, content, NULL, NULL, NULL FROM stored
  ORDER BY import_supplier, external_account_number, key, variant, seq, source, line`;

/** Rows without a record, and records without a row, on disk, because all rows of a file may lack their records. */
export type UnpairedStore = ReturnType<typeof openUnpairedStore>;

type Unpaired = Readonly<{ row: ComparedRow | null; record: ComparedRecord | null }>;

/** Opens an empty store. Rows and records with the same supplier, key and content belong together. */
export function openUnpairedStore() {
  const db = openScratch();
  db.exec(`
    CREATE TABLE unpaired (
      id INTEGER PRIMARY KEY, side TEXT NOT NULL, import_supplier TEXT NOT NULL, key TEXT NOT NULL, content BLOB NOT NULL,
      json TEXT NOT NULL
    ) STRICT`);
  const insert = db.prepare(
    'INSERT INTO unpaired (side, import_supplier, key, content, json) VALUES (?, ?, ?, ?, ?)',
  );
  const unpaired = inPortions<readonly ['row' | 'record', ComparedRecord]>(db, ([side, compared]) => {
    const { content, import_supplier: supplier, key } = compared;
    insert.run(side, supplier, key, content, JSON.stringify({ ...compared, content: null }));
  });
  return {
    add: (side: 'row' | 'record', compared: ComparedRecord) => unpaired.add([side, compared]),
    /** All of them, once each is in: both sides of a record that is on another account, and the rest alone. */
    *pairs(): Generator<Unpaired> {
      unpaired.flush();
      for (const pair of db.prepare<[], Record<keyof Unpaired, string | null>>(PAIRS).iterate())
        yield { row: compared(pair.row), record: compared(pair.record) } as Unpaired;
    },
    close: () => void db.close(),
  };
}

const compared = (json: string | null): unknown => (json === null ? null : JSON.parse(json));

/** The n-th missing record belongs to the n-th extra record with the same content. */
const NUMBERED = `SELECT *, row_number() OVER (PARTITION BY import_supplier, key, content ORDER BY id) AS n FROM unpaired`;
const PAIRS = `
  SELECT missing.json AS "row", extra.json AS record
  FROM (${NUMBERED} WHERE side = 'row') AS missing
  FULL JOIN (${NUMBERED} WHERE side = 'record') AS extra USING (import_supplier, key, content, n)
  ORDER BY coalesce(missing.id, extra.id)`;
