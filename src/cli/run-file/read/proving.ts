import type { Statement } from 'better-sqlite3';
import type { AccountKey } from '../../../core/contract/account.ts';
import type { AnswerTo, SentRecord, SourceRecord } from '../../comparison/ports.ts';
import { provenChain } from '../database/chain.ts';
import { guardedRows } from '../database/integrity.ts';
import { checksumsOf } from '../database/sealed-rows.ts';
import { OUTCOME_OF_RECORD } from '../database/outcome-sql.ts';
import type { RunDatabase } from '../database/run-database.ts';
import { assertConsistent, assertProven } from './consistency.ts';

/** The operations of `verify`, over a run that was sent and over a check of the source files. */
export type ProvingOperations = ReturnType<typeof provingOperations>;

/** Records of a run that follow each other. */
export type RowRange = { readonly first: number; readonly last: number };

const IDENTITY = 'identity_key AS key, identity_variant AS variant';
const COLUMNS = `
  import_supplier, external_account_number, record.seq, type, record.amount, source_id AS source, first_line AS line,
  last_line AS lastLine, byte_start AS byteStart, byte_end AS byteEnd, checksum`;

const lastOfRange = (table: string): string =>
  `SELECT last FROM temp.${table} WHERE first <= record.seq ORDER BY first DESC LIMIT 1`;

const IN_ORDER = 'ORDER BY import_supplier, external_account_number, key, variant, record.seq';

/** The links of what people have confirmed, and of what a ledger has settled. No answer of the platform proves these outcomes. */
const CONFIRMED = "SELECT link.id FROM link JOIN event ON event.id = event_id WHERE kind = 'confirmed'";

/**
 * Records are sorted, and read once. The 16 MB of pages that are cached and sorted otherwise, for each run that is compared, take
 * 54 MB more, and no less time.
 */
const LITTLE_CACHE = 'cache_size = -2000';

export function provingOperations(db: RunDatabase) {
  let payload: Statement<[number], string | null> | undefined;
  let account: Statement<[string, string], number> | undefined;
  let hasLittleCache = false;
  // No setting can be made while records are read, and an unfinished run is read twice at the same time.
  const useLittleCache = (): void => {
    if (!hasLittleCache) db.pragma(LITTLE_CACHE);
    hasLittleCache = true;
  };
  const sent = (origin: number, condition = ''): Iterable<SentRecord> => {
    useLittleCache();
    const records = db.prepare<[number], SentRecord>(
      `SELECT ${IDENTITY}, ${COLUMNS}, coalesce(content, payload_sha256, x'') AS content,
         iif(outcome.link_id IN (${CONFIRMED}), 'confirmed', ${OUTCOME_OF_RECORD}) AS outcome,
         outcome.amount AS answered, ? AS origin,
         iif(outcome.outcome = 'sent_before', (SELECT run FROM other_run WHERE id = outcome.origin), NULL) AS sentBy
       FROM record JOIN account ON account.id = account_id LEFT JOIN outcome USING (seq)
       WHERE state = 'valid' ${condition} ${IN_ORDER}`,
    );
    // Read later, because no table can be made while records are read.
    return guardedRows(db, { [Symbol.iterator]: () => records.iterate(origin) });
  };
  let ranges = 0;
  return {
    /**
     * The valid records in the order of account, key and variant. `contentOf` makes the content to compare of the JSON text of a
     * record; without it the hash of the text is the content. `identityOf` makes another key and variant of it.
     */
    sourceRecords(
      contentOf?: (payload: string) => Buffer,
      identityOf?: (payload: string) => Readonly<Record<'key' | 'variant', string>>,
    ) {
      useLittleCache();
      if (contentOf) db.function('content_of', { deterministic: true }, (text) => contentOf(String(text)));
      if (identityOf)
        db.function(
          'part_of',
          { deterministic: true },
          (text, part) => identityOf(String(text))[part as 'key'],
        );
      const identity = identityOf
        ? "part_of(payload, 'key') AS key, part_of(payload, 'variant') AS variant"
        : IDENTITY;
      const content = contentOf ? 'content_of(payload)' : 'coalesce(content, payload_sha256)';
      const records = db.prepare<[], SourceRecord>(
        `SELECT ${identity}, ${COLUMNS}, ${content} AS content FROM record JOIN account ON account.id = account_id
         WHERE state = 'valid' ${IN_ORDER}`,
      );
      return guardedRows(db, records.iterate());
    },
    /** The records that the run keeps, with their outcomes: `confirmed` also for what a ledger has settled. `origin`: the number of the run. */
    sentRecords: (origin: number) => sent(origin),
    /** The records that no answer of the platform proves, though they are there, and those that another run brought there. */
    recordsApart: () =>
      sent(0, `AND (outcome.outcome IN ('uncompared', 'sent_before') OR outcome.link_id IN (${CONFIRMED}))`),
    /** The records of this run that another version of the files has, which does not keep them. `ranges`: where they are here. */
    recordsIn(wanted: readonly RowRange[], origin: number) {
      const table = `range_${++ranges}`;
      db.exec(`CREATE TEMP TABLE ${table} (first INTEGER PRIMARY KEY, last INTEGER)`);
      const insert = db.prepare(`INSERT OR REPLACE INTO temp.${table} VALUES (@first, @last)`);
      db.transaction(() => {
        for (const range of wanted) insert.run(range);
      })();
      return sent(origin, `AND record.seq <= (${lastOfRange(table)})`);
    },
    /** Who says that records are there of which no answer says so: the names of people, and ledgers. */
    confirmedBy: () =>
      db
        .prepare<[], string>(
          `SELECT DISTINCT coalesce('the ledger ' || json_extract(document, '$.ledger'), by) FROM event JOIN link ON event_id = event.id
           WHERE kind = 'confirmed' AND EXISTS (SELECT 1 FROM outcome WHERE link_id = link.id)`,
        )
        .pluck()
        .all(),
    /** The rows that this run does not keep, by the run that has brought equal records to the platform. */
    rowsSentBefore: () => Map.groupBy(rangesSentBefore(db), ({ run }) => run),
    /** The runs that have brought records of this one to the platform, whether it keeps the rows or not. */
    runsBefore: () =>
      db
        .prepare<[], string>(
          `SELECT run FROM other_run WHERE id IN (SELECT run_id FROM sent_before WHERE until_id IS NULL)
             OR EXISTS (SELECT 1 FROM outcome WHERE outcome = 'sent_before' AND origin = other_run.id)`,
        )
        .pluck()
        .all(),
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
          `SELECT batch.id AS batch, batch.attempts, attempt.status, attempt.ended_at AS endedAt
           FROM record JOIN batch ON batch.account_id = record.account_id AND batch.first_seq <= record.seq
           LEFT JOIN attempt ON attempt.batch_id = batch.id
           WHERE record.seq = ? AND record.state = 'valid' ORDER BY batch.first_seq DESC, attempt.id DESC LIMIT 1`,
        )
        .get(seq),
    /** The first rows that are no valid records, at most `limit`. */
    invalidRows: (limit: number) =>
      db
        .prepare<[number], { source: number; line: number }>(
          `SELECT source_id AS source, first_line AS line FROM record WHERE state = 'invalid' ORDER BY seq LIMIT ?`,
        )
        .all(limit),
    /** The chain, computed from everything that it seals. */
    chain: () => provenChain(db),
    /** The checksums of the valid records, as `ComparedRows` hashes them. */
    checksums: () => checksumsOf(db),
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

/** The records of other runs that rows of this run are, which it does not keep, in the order of the rows. */
export function rangesSentBefore(db: RunDatabase): Iterable<RowRange & { run: string }> {
  return db
    .prepare<[], RowRange & { run: string }>(
      `SELECT run, there_seq AS first, there_seq + last_seq - first_seq AS last
       FROM sent_before JOIN other_run ON other_run.id = run_id WHERE until_id IS NULL ORDER BY first_seq`,
    )
    .iterate();
}
