import type { Statement } from 'better-sqlite3';
import type { AccountKey } from '../../../core/contract/account.ts';
import type { SentRecord, SourceRecord } from '../../comparison/ports.ts';
import type { RowCounts, RowOutcome } from '../../push/ports/report.ts';
import { END_OF_ROW, OUTCOME_OF_RECORD, rowsOf } from '../database/outcome-sql.ts';
import { allRows } from '../database/queries.ts';
import type { RunDatabase } from '../database/run-database.ts';

/** The records of the rows. A row that repeats another one is the record of that one. */
const recordsSql = (rows: string): string => `
  SELECT identity_key AS key, identity_variant AS variant, import_supplier, external_account_number,
    iif(record.state = 'repeated', twin, record.seq) AS seq, type, record.amount, record.source, first_line AS line,
    content_of(payload) AS content
  FROM ${rows} JOIN account ON account.id = account_id WHERE record.state NOT IN ('invalid', 'filtered')
  ORDER BY import_supplier, external_account_number, key, variant, record.seq`;

const RECORD_OF = `
  SELECT type, record.amount, coalesce(content, payload_sha256) AS content, reading_id AS reading, ${OUTCOME_OF_RECORD} AS outcome
  FROM record JOIN account ON account.id = account_id LEFT JOIN outcome USING (seq)
  WHERE record.state = 'valid' AND import_supplier = @import_supplier AND external_account_number = @external_account_number
    AND identity_key = @key AND identity_variant = @variant`;

/** How a row ended: one that is kept apart from its record, as that. */
const endSql = (rows: string): string => `
  SELECT iif(record.state IN ('changed', 'moved'), record.state, ${END_OF_ROW}) AS "end" FROM ${rows} LEFT JOIN outcome USING (seq)
  WHERE record.seq = ?`;

/** How a row of files ended, by the journals that have its record. */
export type EndOfRecord = Exclude<keyof RowCounts, 'read'> | 'changed' | 'moved';

/** The operations of `verify`, over a journal and over a check of the source files. */
export function provingOperations(db: RunDatabase, number: number) {
  const prepared = new Map<string, Statement<unknown[]>>();
  /** Runs a query and returns its first row. The query stays prepared, because it runs for almost every record. */
  const first = <Row>(sql: string, ...values: unknown[]): Row | undefined => {
    const statement = prepared.get(sql) ?? db.prepare(sql);
    prepared.set(sql, statement);
    return statement.get(...values) as Row | undefined;
  };
  const rows = (): string => rowsOf(db, number);
  return {
    /** The valid records in the order of account, key and variant. `contentOf` makes the content to compare of the JSON text of a record. */
    sourceRecords(contentOf: (payload: string) => Buffer) {
      db.function('content_of', { deterministic: true }, (text) => contentOf(String(text)));
      return db.prepare<[], SourceRecord>(recordsSql(rows())).iterate();
    },
    /** The record of the journal with an account, key and variant, whatever reading has read it last. */
    recordOf: (record: AccountKey & Pick<SourceRecord, 'key' | 'variant'>) =>
      first<SentRecord>(RECORD_OF, record),
    endOf: (seq: number) => first<{ end: EndOfRecord }>(endSql(rows()), seq)!.end,
    /** The first rows that ended in one of some ways, at most `limit`, each with the number of all of them. */
    rowsEndedAs: (ends: readonly RowOutcome[], limit: number) =>
      allRows<{ source: number; line: number; end: RowOutcome; count: number }>(
        db,
        `SELECT source, line, "end", count(*) OVER () AS count FROM (
           SELECT source, first_line AS line, place, ${END_OF_ROW} AS "end" FROM ${rows()} LEFT JOIN outcome USING (seq))
         WHERE "end" IN (SELECT value FROM json_each(?)) ORDER BY place LIMIT ?`,
        JSON.stringify(ends),
        limit,
      ),
    hasAccount: ({ import_supplier, external_account_number }: AccountKey) =>
      first(
        'SELECT 1 FROM account WHERE import_supplier = ? AND external_account_number = ?',
        import_supplier,
        external_account_number,
      ) !== undefined,
    /** JSON text of a record; null once it is erased. */
    payloadOf: (seq: number) =>
      first<{ payload: string | null }>('SELECT payload FROM record WHERE seq = ?', seq)?.payload ?? null,
  };
}
