import type { Statement } from 'better-sqlite3';
import type { AccountKey } from '../../../core/contract/account.ts';
import type { AnswerTo, SentRecord, SourceRecord } from '../../comparison/ports.ts';
import { provenChain } from '../database/chain.ts';
import { guardedRows } from '../database/integrity.ts';
import { END_OF_ROW, rowsOf } from '../database/outcome-sql.ts';
import { allRows, valuesOf } from '../database/queries.ts';
import type { RunDatabase } from '../database/run-database.ts';
import { assertConsistent, assertProven } from './consistency.ts';

/** The operations of `verify`, over a run that was sent and over a check of the source files. */
export type ProvingOperations = ReturnType<typeof provingOperations>;

/** The identity of a record on its account. */
type RecordKey = Readonly<Record<'key' | 'variant', string>>;

const IDENTITY = 'identity_key AS key, identity_variant AS variant';
const COLUMNS = `
  import_supplier, external_account_number, iif(record.state = 'repeated', twin, record.seq) AS seq, type, record.amount, record.source, first_line AS line,
  last_line AS lastLine, byte_start AS byteStart, byte_end AS byteEnd, payload_sha256 AS form, checksum`;

/** The outcome of a record; that the file has another one since is one, too. */
const OUTCOME = `iif(record.state IN ('changed', 'moved'), record.state, ${END_OF_ROW})`;

const IN_ORDER = 'ORDER BY import_supplier, external_account_number, key, variant, record.seq';

/** The links of what people have confirmed, and of what a ledger has settled. No answer of the platform proves these outcomes. */
const CONFIRMED = "SELECT link.id FROM link JOIN event ON event.id = event_id WHERE kind = 'confirmed'";

/** Records with their outcomes. `origin`: the number of the reading among those that are compared. */
const sentSql = (rows: string): string => `
  SELECT ${IDENTITY}, ${COLUMNS}, coalesce(content, payload_sha256, x'') AS content, reading_id AS reading,
    iif(outcome.link_id IN (${CONFIRMED}), 'confirmed', ${OUTCOME}) AS outcome, outcome.amount AS answered, outcome.origin AS sentBy,
    @origin AS origin
  FROM ${rows} JOIN account ON account.id = account_id LEFT JOIN outcome USING (seq)`;

/** All records of a journal, whatever reading has read them last. */
const ALL_RECORDS =
  "(SELECT record.*, 0 AS source, there AS twin FROM record WHERE state = 'valid') AS record";

/**
 * Records are sorted, and read once. The 16 MB of pages that are cached and sorted otherwise, for each run that is compared, take
 * 54 MB more, and no less time.
 */
const LITTLE_CACHE = 'cache_size = -2000';

export function provingOperations(db: RunDatabase, number: number) {
  let payload: Statement<[number], string | null> | undefined;
  let account: Statement<[string, string], number> | undefined;
  let found: Statement<[object], SentRecord> | undefined;
  let hasLittleCache = false;
  // No setting can be made while records are read, and an unfinished run is read twice at the same time.
  const useLittleCache = (): void => {
    if (!hasLittleCache) db.pragma(LITTLE_CACHE);
    hasLittleCache = true;
  };
  const sent = (origin: number): Iterable<SentRecord> => {
    useLittleCache();
    const records = db.prepare<[object], SentRecord>(
      `${sentSql(rowsOf(db, number))} WHERE record.state NOT IN ('invalid', 'filtered') ${IN_ORDER}`,
    );
    // Read later, because no table can be made while records are read.
    return guardedRows(db, { [Symbol.iterator]: () => records.iterate({ origin }) });
  };
  return {
    /**
     * The valid records in the order of account, key and variant. `contentOf` makes the content to compare of the JSON text of a
     * record; without it the hash of the text is the content.
     */
    sourceRecords(contentOf?: (payload: string) => Buffer) {
      useLittleCache();
      if (contentOf) db.function('content_of', { deterministic: true }, (text) => contentOf(String(text)));
      const content = contentOf ? 'content_of(payload)' : 'coalesce(content, payload_sha256)';
      const records = db.prepare<[], SourceRecord>(
        `SELECT ${IDENTITY}, ${COLUMNS}, ${content} AS content
         FROM ${rowsOf(db, number)} JOIN account ON account.id = account_id
         WHERE record.state NOT IN ('invalid', 'filtered') ${IN_ORDER}`,
      );
      return guardedRows(db, records.iterate());
    },
    /** The records of its rows, with their outcomes: `confirmed` also for what a ledger has settled. */
    sentRecords: (origin: number) => sent(origin),
    /** The record of the journal with an account, key and variant, whatever reading has read it last. */
    recordOf({ import_supplier, external_account_number, key, variant }: AccountKey & RecordKey, origin = 0) {
      found ??= db.prepare<[object], SentRecord>(
        `${sentSql(ALL_RECORDS)}
         WHERE import_supplier = @import_supplier AND external_account_number = @external_account_number
           AND identity_key = @key AND identity_variant = @variant`,
      );
      return found.get({ import_supplier, external_account_number, key, variant, origin });
    },
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
    hasAccount({ import_supplier, external_account_number }: AccountKey) {
      account ??= db
        .prepare<[string, string], number>(
          'SELECT 1 FROM account WHERE import_supplier = ? AND external_account_number = ?',
        )
        .pluck();
      return account.get(import_supplier, external_account_number) !== undefined;
    },
    /** JSON text of a record; null once it is erased. */
    payloadOf(seq: number) {
      // A ledger of notes asks for nearly every record, because the platform fills in times.
      payload ??= db.prepare<[number], string | null>('SELECT payload FROM record WHERE seq = ?').pluck();
      return payload.get(seq) ?? null;
    },
    /** Undefined for a record without a request. */
    answerTo: (seq: number) =>
      db
        .prepare<[number], AnswerTo>(
          `SELECT batch.id AS batch, attempt.status
           FROM record JOIN batch ON batch.account_id = record.account_id AND batch.first_seq <= record.seq
           LEFT JOIN attempt ON attempt.batch_id = batch.id
           WHERE record.seq = ? AND record.state = 'valid' ORDER BY batch.first_seq DESC, attempt.id DESC LIMIT 1`,
        )
        .get(seq),
    /** The first rows that are no valid records, at most `limit`. */
    invalidRows: (limit: number) =>
      allRows<{ source: number; line: number }>(
        db,
        `SELECT source, first_line AS line FROM ${rowsOf(db, number)} WHERE state = 'invalid' ORDER BY place LIMIT ?`,
        limit,
      ),
    /** The chain, computed from everything that it seals. */
    chain: () => provenChain(db),
    /** @throws DamageError when requests, attempts and outcomes contradict each other */
    assertConsistent() {
      useLittleCache();
      assertConsistent(db);
    },
    /** @throws DamageError also when the chain does not hold, so that figures of the run would prove nothing */
    assertProven() {
      useLittleCache();
      assertProven(db);
    },
  };
}
