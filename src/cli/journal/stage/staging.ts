import { hash } from 'node:crypto';
import type { RunResult } from 'better-sqlite3';
import type { AccountKey } from '../../../core/contract/account.ts';
import type {
  FinishedSource,
  NamedRecord,
  PlannableRecord,
  SourcePosition,
  StagedRecord,
  StagingRun,
} from '../../push/ports/staging.ts';
import { checksumOf, seal } from '../database/integrity.ts';
import { NOTHING_JUDGED, type Comparison } from '../merge/comparison.ts';
import { problemInserter } from '../read/problems.ts';
import type { RunDatabase } from '../database/run-database.ts';
import { repeatedHashes, wholeFileQueries } from './whole-file-queries.ts';

/** Rows in one transaction. Larger transactions are not faster. */
const ROWS_PER_COMMIT = 10_000;

/** Accounts cached between rows. A full cache is emptied, so that memory stays bounded. */
const CACHED_ACCOUNTS = 50_000;

/** The operations of staging over the first reading of a journal. `comparison`: what another journal says of its rows. */
export function stagingOperations(db: RunDatabase, comparison?: Comparison): StagingRun {
  const insertRecord = db.prepare(`
    INSERT INTO record (seq, place, state, reading_id, source_id, first_line, last_line, byte_start, byte_end, account_id,
      identity_key, identity_variant, id, type, amount, payload, payload_sha256, content, parts, checksum)
    VALUES (?, ?, 'valid', 1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  const insertOther = db.prepare(`
    INSERT INTO record (seq, place, reading_id, source_id, first_line, last_line, byte_start, byte_end, state, cause, cause_place,
      account_id, id, amount)
    VALUES (?, ?, 1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  // These checks take half the time of an insert, and refuse what `verify` adds. A journal has them again once it is opened.
  db.exec(`PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON; ${NOTHING_JUDGED}`);
  const insertProblem = problemInserter(db);
  const insertBatch = db.prepare('INSERT INTO batch (account_id, first_seq, last_seq) VALUES (?, ?, ?)');
  const invalidate = db.prepare(`
    UPDATE record SET state = 'invalid', payload = NULL, payload_sha256 = NULL, content = NULL
    WHERE seq = ? AND state = 'valid'`);
  const plannable = db.prepare<[number, number, number], PlannableRecord>(`
    SELECT seq, account_id AS accountId, octet_length(payload) AS bytes
    FROM record
    WHERE state = 'valid' AND (account_id, seq) > (?, ?) AND seq NOT IN (SELECT seq FROM temp.judged WHERE kind NOT IN ('anew', 'elsewhere'))
    ORDER BY account_id, seq LIMIT ?`);
  const repeat = db.prepare(
    `UPDATE record SET state = 'repeated', there = ?, payload = NULL WHERE seq = ? AND state = 'valid'`,
  );
  const accountId = accountIds(db);
  let uncommitted = 0;
  let seq = 0;

  // Every write is in a transaction. A statement that returns a row, such as those of `accountIds`, would not report
  // that its own commit has failed.
  const write = (act: () => unknown): void => {
    if (uncommitted === 0) db.exec('BEGIN');
    uncommitted++;
    act();
    if (uncommitted >= ROWS_PER_COMMIT) commit();
  };
  const commit = (): void => {
    if (db.inTransaction) db.exec('COMMIT');
    uncommitted = 0;
  };

  const appendOther = (position: SourcePosition, state: readonly (string | null)[], named?: NamedRecord) => {
    seq++;
    write(() => {
      const record = named ? [accountId(named.account), named.id, named.amount] : [null, null, null];
      insertOther.run(seq, seq, ...columnsOf(position), ...state, ...record);
    });
  };
  /** Changes a record that was appended as valid. */
  const change = (record: number, update: () => RunResult): void =>
    write(() => {
      if (update().changes !== 1) throw new Error(`journal: record ${record} is not valid`);
    });

  return {
    ...wholeFileQueries(db),
    commit,
    appendRecord(record) {
      const { position, account, id, type, amount, parts } = record;
      seq++;
      const { payload, valueText } = record.texts();
      // As a text, because making a buffer takes as long as the hash.
      const content = Buffer.from(hash('sha256', valueText, 'binary'), 'latin1');
      const hashes = valueText === payload ? [content, null] : [hash('sha256', payload, 'buffer'), content];
      const { key, variant } = identityOf(record);
      const listed = parts.length === 0 ? null : JSON.stringify(parts);
      const checksum = checksumOf(account, { id, type, amount, payload, parts: listed });
      write(() => {
        const named = [accountId(account), key, variant, id, type, amount, payload];
        insertRecord.run(seq, seq, ...columnsOf(position), ...named, ...hashes, listed, checksum);
      });
    },
    appendInvalid: (position, named) => appendOther(position, ['invalid', null, null], named),
    appendFiltered: (position, { kind, place }) => appendOther(position, ['filtered', kind, place]),
    appendProblem(problem, isOfHistory = false) {
      write(() => insertProblem(problem, { reading: 1, batch: null, isLasting: isOfHistory }));
    },
    invalidate: (record) => change(record, () => invalidate.run(record)),
    repeat: (record, first) => change(record, () => repeat.run(first, record)),
    plannable: (after, limit) => plannable.all(after?.accountId ?? 0, after?.seq ?? 0, limit),
    compared() {
      commit();
      if (comparison) db.exec('PRAGMA foreign_keys = ON; PRAGMA ignore_check_constraints = OFF');
      comparison?.judge();
      return comparison;
    },
    appendBatch({ accountId: account, firstSeq, lastSeq }) {
      write(() => insertBatch.run(account, firstSeq, lastSeq));
    },
    repeatedHashes: () => repeatedHashes(db),
  };
}

/**
 * Finds the row of an account, or inserts it. Finding writes nothing: a transaction keeps a copy of every page that it writes, and the
 * accounts of its rows are on as many pages.
 */
function accountIds(db: RunDatabase): (account: AccountKey) => number {
  const prepared = (sql: string) => db.prepare<[string, string], number>(sql).pluck();
  const find = prepared('SELECT id FROM account WHERE (import_supplier, external_account_number) = (?, ?)');
  const insert = prepared(
    'INSERT INTO account (import_supplier, external_account_number) VALUES (?, ?) RETURNING id',
  );
  /** Of the supplier of the latest row: hardly a file has rows of two. */
  const cache = new Map<string, number>();
  let cached: string | undefined;
  return ({ import_supplier: supplier, external_account_number: number }) => {
    const known = supplier === cached ? cache.get(number) : undefined;
    if (known !== undefined) return known;
    if (supplier !== cached || cache.size >= CACHED_ACCOUNTS) cache.clear();
    cached = supplier;
    const id = find.get(supplier, number) ?? insert.get(supplier, number)!;
    cache.set(number, id);
    return id;
  };
}

function columnsOf({ source, firstLine, lastLine, byteStart, byteEnd }: SourcePosition): readonly number[] {
  return [source, firstLine, lastLine, byteStart, byteEnd];
}

/**
 * Key and variant as the journal keeps them. An id is kept anyway. Other keys are hashed, because the key of a note is its
 * text and must not outlive its payload; the variant is hashed with the key, because a time alone could be guessed.
 */
export function identityOf({ id, identity: { key, variant } }: Pick<StagedRecord, 'id' | 'identity'>) {
  if (id === key) return { key, variant: variant ?? '' };
  return { key: sha256(key), variant: variant === undefined ? '' : sha256(`${key}\0${variant}`) };
}

const sha256 = (text: string): string => hash('sha256', text, 'base64');

/** Keeps the columns of the sources of the first reading. */
export function finishSources(db: RunDatabase, sources: readonly FinishedSource[]): void {
  db.transaction(() => {
    const finishSource = db.prepare('UPDATE source SET columns = ?, rows_from = ? WHERE id = ?');
    for (const [index, { columns, rowsFrom }] of sources.entries())
      finishSource.run(seal(columns), rowsFrom, index + 1);
    db.exec('UPDATE reading SET first_seq = 1, last_seq = (SELECT coalesce(max(seq), 0) FROM record)');
  })();
}
