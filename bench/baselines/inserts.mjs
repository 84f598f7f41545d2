// What both bare servers do with a request: the checks of zod and the inserts, in one transaction of a database that is
// flushed to disk at each commit.

import Database from 'better-sqlite3';
import * as z from 'zod/mini';

const date = z.string().check(z.regex(/^\d{4}-\d\d-\d\d$/));
const text = z.string().check(z.minLength(1), z.maxLength(255));
const lineItem = z.strictObject({
  rate_band: z.optional(text),
  start_date: date,
  end_date: date,
  number_of_units: z.number(),
  net_amount: z.number(),
  price_per_unit: z.optional(z.number()),
  units: z.optional(z.array(z.number())),
});
const taxItem = z.strictObject({
  amount: z.number(),
  tax_type: text,
  value_taxed: z.number(),
  rate: z.number(),
  unit_type: text,
});
const transaction = z.strictObject({
  transaction_id: text,
  transaction_date: date,
  amount: z.number(),
  type: z.enum(['CHARGE', 'CREDIT', 'PAYMENT', 'REPAYMENT', 'SUPPLY_CHARGE']),
  reason: z.optional(text),
  display_note: z.optional(text),
  note: z.optional(text),
  reference: z.optional(text),
  payment_type: z.optional(text),
  product_code: z.optional(text),
  line_items: z.optional(z.array(lineItem)),
  tax_items: z.optional(z.array(taxItem)),
});
const envelope = z.strictObject({
  import_supplier: text,
  external_account_number: text,
  transactions: z.array(transaction),
});

/** Opens the database and returns the function that stores a request and returns the text of its answer. */
export function storeIn(path) {
  const database = new Database(path);
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = NORMAL');
  database.exec(`
    CREATE TABLE accounts (id INTEGER PRIMARY KEY, import_supplier TEXT, external_account_number TEXT,
      UNIQUE (import_supplier, external_account_number)) STRICT;
    CREATE TABLE records (seq INTEGER PRIMARY KEY AUTOINCREMENT, account_id INTEGER NOT NULL, kind TEXT NOT NULL,
      identity_key TEXT NOT NULL, variant TEXT NOT NULL, data TEXT NOT NULL, sent TEXT,
      conflicting_replays INTEGER NOT NULL DEFAULT 0, UNIQUE (account_id, kind, identity_key, variant)) STRICT`);
  const account = database
    .prepare(
      `INSERT INTO accounts (import_supplier, external_account_number) VALUES (?, ?)
       ON CONFLICT DO UPDATE SET import_supplier = import_supplier RETURNING id`,
    )
    .pluck();
  const present = database.prepare(
    "SELECT seq FROM records WHERE account_id = ? AND kind = 'transaction' AND identity_key = ? AND variant = ''",
  );
  const insert = database.prepare(
    "INSERT INTO records (account_id, kind, identity_key, variant, data, sent) VALUES (?, 'transaction', ?, '', ?, NULL)",
  );
  return database.transaction((document) => {
    const { import_supplier, external_account_number, transactions } = envelope.parse(document);
    const id = account.get(import_supplier, external_account_number);
    const results = transactions.map((record) => {
      const data = JSON.stringify({ ...record, amount: record.amount.toFixed(2) });
      const isPresent = present.get(id, record.transaction_id) !== undefined;
      if (!isPresent) insert.run(id, record.transaction_id, data);
      return `{"status":"TRANSACTION_${isPresent ? 'ALREADY_EXISTS' : 'ADDED_TO_ACCOUNT'}","transaction_data":${data}}`;
    });
    return `{"results":[${results.join(',')}]}`;
  });
}

/** The answer to the mutation for a token. */
export const TOKEN = '{"data":{"obtainPlatformToken":{"token":"bench"}}}';
