import { hash } from 'node:crypto';
import type { ColumnMap } from '../mapping/column-map.ts';
import type {
  LeftOutCause,
  PlannableRecord,
  SourcePosition,
  StagedRecord,
  StagingRun,
} from '../push/ports/staging.ts';
import { checksumOf, seal } from './integrity.ts';
import { earlierRecords } from './earlier-records.ts';
import { emptyJournal } from './payloads.ts';
import { problemInserter } from './problems.ts';
import { firstRowByte } from './rejected-rows.ts';
import { repeatedHashes } from './repeated-hashes.ts';
import type { RunDatabase } from './run-database.ts';
import { wholeFileQueries } from './whole-file-queries.ts';

/** Rows in one transaction. Larger transactions are not faster. */
const ROWS_PER_COMMIT = 10_000;

/** Accounts cached between rows. A full cache is emptied, so that memory stays bounded. */
const CACHED_ACCOUNTS = 50_000;

/** The operations of staging over a run file. */
export function stagingOperations(db: RunDatabase): StagingRun {
  const insertRecord = db.prepare(`
    INSERT INTO record (state, source_id, first_line, last_line, byte_start, byte_end, account_id,
      identity_key, identity_variant, id, type, amount, payload, payload_sha256, parts, checksum)
    VALUES ('valid', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  const insertOther = db.prepare(`
    INSERT INTO record (state, source_id, first_line, last_line, byte_start, byte_end, cause_id) VALUES (?, ?, ?, ?, ?, ?, ?)`);
  const causeId = causeIds(db);
  const insertProblem = problemInserter(db);
  const insertBatch = db.prepare('INSERT INTO batch (account_id, first_seq, last_seq) VALUES (?, ?, ?)');
  const invalidate = db.prepare(`
    UPDATE record SET state = 'invalid', payload = NULL, payload_sha256 = NULL WHERE seq = ? AND state = 'valid'`);
  const plannable = db.prepare<[number, number, number], PlannableRecord>(`
    SELECT seq, source_id AS source, first_line AS line, account_id AS accountId, octet_length(payload) AS bytes
    FROM record
    WHERE state = 'valid' AND (account_id, seq) > (?, ?) ORDER BY account_id, seq LIMIT ?`);
  const accountId = cachedAccountIds(db);
  let uncommitted = 0;

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

  return {
    ...wholeFileQueries(db),
    commit,
    appendRecord(record) {
      const { position, account, id, type, amount, payload } = record;
      const parts = record.parts.length === 0 ? null : JSON.stringify(record.parts);
      write(() =>
        insertRecord.run(
          ...columnsOf(position),
          accountId(account),
          ...identityOf(record),
          id,
          type,
          amount,
          payload,
          hash('sha256', payload, 'buffer'),
          parts,
          checksumOf(account, { id, type, amount, payload, parts }),
        ),
      );
    },
    countRecord() {
      throw new Error('run file: a run that keeps records counts none');
    },
    appendInvalid(position) {
      write(() => insertOther.run('invalid', ...columnsOf(position), null));
    },
    appendFiltered(position, cause) {
      write(() => insertOther.run('filtered', ...columnsOf(position), causeId(cause)));
    },
    appendProblem(problem) {
      write(() => insertProblem(problem, { batch: null, isLasting: false }));
    },
    invalidate(seq) {
      write(() => {
        if (invalidate.run(seq).changes !== 1) throw new Error(`run file: record ${seq} is not valid`);
      });
    },
    plannable: (after, limit) => plannable.all(after?.accountId ?? 0, after?.seq ?? 0, limit),
    compareWith(earlier) {
      commit();
      return earlierRecords(db, earlier);
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
export function accountIds(db: RunDatabase): (account: StagedRecord['account']) => number {
  const find = db
    .prepare<[string, string], number>(
      'SELECT id FROM account WHERE import_supplier = ? AND external_account_number = ?',
    )
    .pluck();
  const insert = db
    .prepare<[string, string], number>(
      'INSERT INTO account (import_supplier, external_account_number) VALUES (?, ?) RETURNING id',
    )
    .pluck();
  return ({ import_supplier, external_account_number }) =>
    find.get(import_supplier, external_account_number) ??
    insert.get(import_supplier, external_account_number)!;
}

/** Finds the row of a cause, or inserts it. A run has few causes. */
function causeIds(db: RunDatabase): (cause: LeftOutCause) => number {
  const find = db
    .prepare<[string, string], number>(
      'INSERT INTO cause (kind, place) VALUES (?, ?) ON CONFLICT DO UPDATE SET kind = kind RETURNING id',
    )
    .pluck();
  const ids = new Map<string, number>();
  return ({ kind, place }) => {
    const key = `${kind} ${place}`;
    const id = ids.get(key) ?? find.get(kind, place)!;
    ids.set(key, id);
    return id;
  };
}

function cachedAccountIds(db: RunDatabase): ReturnType<typeof accountIds> {
  const find = accountIds(db);
  const cache = new Map<string, number>();
  return (account) => {
    const { import_supplier, external_account_number } = account;
    // The length keeps the two texts apart. JSON would take three times as long.
    const key = `${import_supplier.length} ${import_supplier}${external_account_number}`;
    let id = cache.get(key);
    if (id === undefined) {
      if (cache.size >= CACHED_ACCOUNTS) cache.clear();
      id = find(account);
      cache.set(key, id);
    }
    return id;
  };
}

function columnsOf({ source, firstLine, lastLine, byteStart, byteEnd }: SourcePosition): readonly number[] {
  return [source, firstLine, lastLine, byteStart, byteEnd];
}

/**
 * Key and variant as the run file keeps them. An id is kept anyway. Other keys are hashed, because the key of a note is its
 * text and must not outlive its payload; the variant is hashed with the key, because a time alone could be guessed.
 */
export function identityOf({
  id,
  identity: { key, variant },
}: Pick<StagedRecord, 'id' | 'identity'>): readonly [key: string, variant: string] {
  if (id === key) return [key, variant ?? ''];
  return [sha256(key), variant === undefined ? '' : sha256(`${key}\0${variant}`)];
}

function sha256(text: string): string {
  return hash('sha256', text, 'base64');
}

/** A source that is read to its end. */
export interface FinishedSource {
  readonly columns: ColumnMap;
  /** Byte at which its first row begins. Default: where the first record begins; a retry has only some of the records. */
  readonly rowsFrom?: number | null;
}

/** Ends staging: from now on the run can be drained and resumed. */
export function finishStaging(db: RunDatabase, sources: readonly FinishedSource[]): void {
  db.transaction(() => {
    const finishSource = db.prepare('UPDATE source SET columns = ?, rows_from = ? WHERE id = ?');
    for (const [index, { columns, rowsFrom }] of sources.entries())
      finishSource.run(seal(columns), rowsFrom ?? firstRowByte(db, index + 1), index + 1);
    const { changes } = db.prepare(`UPDATE run SET state = 'staged' WHERE state = 'staging'`).run();
    if (changes !== 1) throw new Error('run file: staging was finished before');
  })();
  // Records that are about to be sent must not be in the journal alone, which may get lost.
  emptyJournal(db);
}
