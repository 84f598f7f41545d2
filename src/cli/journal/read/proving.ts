import type { Statement } from 'better-sqlite3';
import type { AccountKey } from '../../../core/contract/account.ts';
import type { AnswerTo, SentRecord, SourceRecord } from '../../comparison/ports.ts';
import { END_OF_ROW, rowsOf } from '../database/outcome-sql.ts';
import { allRows, eachRow, valuesOf } from '../database/queries.ts';
import type { RunDatabase } from '../database/run-database.ts';
import { provenChain } from './consistency.ts';

const COLUMNS = `
  identity_key AS key, identity_variant AS variant, import_supplier, external_account_number,
  iif(record.state = 'repeated', twin, record.seq) AS seq, type, record.amount, record.source, first_line AS line,
  last_line AS lastLine, byte_start AS byteStart, byte_end AS byteEnd, payload_sha256 AS form, checksum`;

const CONTENT = "coalesce(content, payload_sha256, x'')";

const SORTED = `WHERE record.state NOT IN ('invalid', 'filtered')
  ORDER BY import_supplier, external_account_number, key, variant, record.seq`;

/** The links of what people have confirmed, and of what a ledger has settled. No answer of the platform proves these outcomes. */
const CONFIRMED = "SELECT link.id FROM link JOIN event ON event.id = event_id WHERE kind = 'confirmed'";

/** Records with their outcomes; that the file has another one since is one, too. `origin`: the number of the reading among those that are compared. */
const sentSql = (rows: string): string => `
  SELECT ${COLUMNS}, ${CONTENT} AS content, reading_id AS reading, @origin AS origin,
    CASE WHEN outcome.link_id IN (${CONFIRMED}) THEN 'confirmed'
      WHEN record.state IN ('changed', 'moved') THEN record.state ELSE ${END_OF_ROW} END AS outcome,
    outcome.amount AS answered, outcome.origin AS sentBy
  FROM ${rows} JOIN account ON account.id = account_id LEFT JOIN outcome USING (seq)`;

const RECORD_OF = `
  ${sentSql("(SELECT record.*, 0 AS source, there AS twin FROM record WHERE state = 'valid') AS record")}
  WHERE import_supplier = @import_supplier AND external_account_number = @external_account_number
    AND identity_key = @key AND identity_variant = @variant`;

const ANSWER_TO = `
  SELECT batch.id AS batch, attempt.status
  FROM record JOIN batch ON batch.account_id = record.account_id AND batch.first_seq <= record.seq
  LEFT JOIN attempt ON attempt.batch_id = batch.id
  WHERE record.seq = ? AND record.state = 'valid' ORDER BY batch.first_seq DESC, attempt.id DESC LIMIT 1`;

/** The operations of `verify`, over a run that was sent and over a check of the source files. */
export function provingOperations(db: RunDatabase, number: number) {
  const prepared = new Map<string, Statement<unknown[]>>();
  /** Runs a query and returns its first row. The query stays prepared, because it runs for almost every record. */
  const first = <Row>(sql: string, ...values: unknown[]): Row | undefined => {
    const statement = prepared.get(sql) ?? db.prepare(sql);
    prepared.set(sql, statement);
    return statement.get(...values) as Row | undefined;
  };
  return {
    /**
     * The valid records in the order of account, key and variant. `contentOf` makes the content to compare of the JSON text of a
     * record; without it the hash of the text is the content.
     */
    sourceRecords(contentOf?: (payload: string) => Buffer) {
      if (contentOf) db.function('content_of', { deterministic: true }, (text) => contentOf(String(text)));
      const records = db.prepare<[], SourceRecord>(
        `SELECT ${COLUMNS}, ${contentOf ? 'content_of(payload)' : CONTENT} AS content
         FROM ${rowsOf(db, number)} JOIN account ON account.id = account_id ${SORTED}`,
      );
      return records.iterate();
    },
    /** The records of its rows, with their outcomes: `confirmed` also for what a ledger has settled. */
    *sentRecords(origin: number): Iterable<SentRecord> {
      // Read later, because no table can be made while records are read.
      yield* eachRow<SentRecord>(db, `${sentSql(rowsOf(db, number))} ${SORTED}`, { origin });
    },
    /** The record of the journal with an account, key and variant, whatever reading has read it last. */
    recordOf: (record: AccountKey & Pick<SentRecord, 'key' | 'variant'>, origin = 0) =>
      first<SentRecord>(RECORD_OF, { ...record, origin }),
    /** The names of the other journals that brought records of this one to the platform. */
    broughtBy: () => valuesOf<string>(db, 'SELECT DISTINCT origin FROM outcome WHERE origin IS NOT NULL'),
    /** Who says that records are there of which no answer says so: the names of people, and ledgers. */
    confirmedBy: () =>
      valuesOf<string>(
        db,
        `SELECT DISTINCT coalesce('the ledger ' || json_extract(document, '$.ledger'), by) FROM event JOIN link ON event_id = event.id
         WHERE kind = 'confirmed' AND EXISTS (SELECT 1 FROM outcome WHERE link_id = link.id AND seq IN (SELECT seq FROM ${rowsOf(db, number)}))`,
      ),
    /** Whether a row has the account. */
    hasAccount: ({ import_supplier, external_account_number }: AccountKey) =>
      first(
        'SELECT 1 FROM account WHERE import_supplier = ? AND external_account_number = ?',
        import_supplier,
        external_account_number,
      ) !== undefined,
    /** JSON text of a record; null once it is erased. */
    payloadOf: (seq: number) =>
      first<{ payload: string | null }>('SELECT payload FROM record WHERE seq = ?', seq)?.payload ?? null,
    /** Undefined for a record without a request. */
    answerTo: (seq: number) => first<AnswerTo>(ANSWER_TO, seq),
    /** The first rows that are no valid records, at most `limit`. */
    invalidRows: (limit: number) =>
      allRows<{ source: number; line: number }>(
        db,
        `SELECT source, first_line AS line FROM ${rowsOf(db, number)} WHERE state = 'invalid' ORDER BY place LIMIT ?`,
        limit,
      ),
    /**
     * The chain, computed from everything that it seals, before records are read. They are sorted, and read once: the 16 MB of pages that
     * are cached and sorted otherwise, for each run that is compared, take 54 MB more, and no less time.
     */
    chain() {
      db.pragma('cache_size = -2000');
      return provenChain(db);
    },
  };
}
