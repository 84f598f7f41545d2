import { hash } from 'node:crypto';
import type { Statement } from 'better-sqlite3';
import type { ColumnMap } from '../../mapping/column-map.ts';
import type {
  LeftOutCause,
  PlannableRecord,
  SourcePosition,
  StagedRecord,
  StagingRun,
} from '../../push/ports/staging.ts';
import { checksumOf, seal } from '../database/integrity.ts';
import { sealStagedRows } from '../database/sealed-rows.ts';
import { DecimalSum } from '../../../core/values/decimal-sum.ts';
import {
  dropUntrue,
  judgementsOf,
  writeJudgements,
  type ComparedFacts,
  type Judgements,
} from '../history/comparing.ts';
import { rememberRun } from '../read/withdrawn.ts';
import type { StoredIdentity } from '../history/history-index.ts';
import type { HistoryView, RecordThere } from '../history/history-view.ts';
import { emptyJournal } from '../database/payloads.ts';
import { problemInserter } from '../read/problems.ts';
import { firstRowByte } from './rejected-rows.ts';
import { repeatedHashes } from './repeated-hashes.ts';
import { boundJournal, type RunDatabase } from '../database/run-database.ts';
import { planOpenRecords } from '../send/taking-up.ts';
import { wholeFileQueries } from './whole-file-queries.ts';

/** Rows in one transaction. Larger transactions are not faster. */
const ROWS_PER_COMMIT = 10_000;

/** Accounts cached between rows. A full cache is emptied, so that memory stays bounded. */
const CACHED_ACCOUNTS = 50_000;

/** The history that the records of a new run are compared with. */
export interface StagingHistory extends Pick<ComparedFacts, 'now' | 'idOf'> {
  readonly view: HistoryView;
  /** Whether records that were sent before are kept, because rules between rows have to see them. */
  readonly keepsAll: boolean;
}

/** The operations of staging over a run file. Without `history` nothing was sent before. */
export function stagingOperations(db: RunDatabase, history?: StagingHistory): StagingRun {
  const insertRecord = db.prepare(`
    INSERT INTO record (seq, state, source_id, first_line, last_line, byte_start, byte_end, account_id,
      identity_key, identity_variant, id, type, amount, payload, payload_sha256, content, parts, checksum)
    VALUES (?, 'valid', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  const insertOther = db.prepare(`
    INSERT INTO record (seq, state, source_id, first_line, last_line, byte_start, byte_end, cause_id, amount)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  const causeId = causeIds(db);
  const insertProblem = problemInserter(db);
  const insertBatch = db.prepare('INSERT INTO batch (account_id, first_seq, last_seq) VALUES (?, ?, ?)');
  const invalidate = db.prepare(`
    UPDATE record SET state = 'invalid', payload = NULL, payload_sha256 = NULL, content = NULL
    WHERE seq = ? AND state = 'valid'`);
  const plannable = db.prepare<[number, number, number], PlannableRecord>(`
    SELECT seq, source_id AS source, first_line AS line, account_id AS accountId, octet_length(payload) AS bytes
    FROM record
    WHERE state = 'valid' AND payload IS NOT NULL AND (account_id, seq) > (?, ?) ORDER BY account_id, seq LIMIT ?`);
  const accountId = cachedAccountIds(db);
  const judged = history && judgementsOf(db, history.view);
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
    if (db.inTransaction) {
      db.exec('COMMIT');
      boundJournal(db);
    }
    uncommitted = 0;
  };

  const notKept = history && new RowsSentBefore(db, history, write);

  return {
    ...wholeFileQueries(db),
    commit,
    appendRecord(record) {
      const { position, account, id, type, amount, valueText } = record;
      seq++;
      // As a text, because making a buffer takes as long as the hash.
      const content = hash('sha256', valueText, 'binary');
      const judgement = history?.view.judge({ account, id, content }, () => identityOf(record));
      if (judgement?.kind === 'sent_before' && !history!.keepsAll)
        return notKept!.add(seq, judgement.there, record);
      const identity = identityOf(record);
      const parts = partsText(record);
      const payload = record.payload();
      const isPayload = valueText === payload;
      write(() => {
        insertRecord.run(
          seq,
          ...columnsOf(position),
          accountId(account),
          identity.key,
          identity.variant,
          id,
          type,
          amount,
          payload,
          isPayload ? bytesOf(content) : hash('sha256', payload, 'buffer'),
          isPayload ? null : bytesOf(content),
          parts,
          checksumOf(account, { id, type, amount, payload, parts }),
        );
        if (judgement) judged!.add(seq, judgement);
      });
    },
    noteOfOtherShard(record) {
      const { account, id, valueText } = record;
      const content = hash('sha256', valueText, 'binary');
      const judgement = history?.view.judge({ account, id, content }, () => identityOf(record));
      if (judgement?.kind === 'moved') history!.view.see(judgement.there);
    },
    countRecord() {
      throw new Error('run file: a run that keeps records counts none');
    },
    appendInvalid(position, amount) {
      seq++;
      write(() => insertOther.run(seq, 'invalid', ...columnsOf(position), null, amount));
    },
    appendFiltered(position, cause) {
      seq++;
      write(() => insertOther.run(seq, 'filtered', ...columnsOf(position), causeId(cause), null));
    },
    appendProblem(problem, isOfHistory = false) {
      write(() => insertProblem(problem, { batch: null, isLasting: false, isOfHistory }));
    },
    invalidate(seq) {
      write(() => {
        if (invalidate.run(seq).changes !== 1) throw new Error(`run file: record ${seq} is not valid`);
      });
    },
    plannable: (after, limit) => plannable.all(after?.accountId ?? 0, after?.seq ?? 0, limit),
    compared() {
      const rowsSentBefore = notKept?.finish();
      commit();
      sealStagedRows(db);
      if (!history || !judged) return undefined;
      return finishedComparison(db, judged, { ...history, rowsSentBefore });
    },
    appendBatch({ accountId: account, firstSeq, lastSeq }) {
      write(() => insertBatch.run(account, firstSeq, lastSeq));
    },
    repeatedHashes: () => repeatedHashes(db),
  };
}

/** Ends the comparison of all rows with the history, and writes what it says. */
function finishedComparison(
  db: RunDatabase,
  judged: Judgements,
  { view, ...facts }: StagingHistory & ComparedFacts,
): Judgements {
  dropUntrue(db, view);
  writeJudgements(db, facts);
  db.transaction(() =>
    db.exec(
      `UPDATE record SET payload = NULL WHERE seq IN (SELECT seq FROM outcome WHERE outcome = 'sent_before')`,
    ),
  )();
  return judged;
}

/** The rows that are counted and not kept, because another run brought equal records to the platform. */
class RowsSentBefore {
  private range: { first: number; last: number; run: number; there: number } | undefined;
  private rows = 0;
  private readonly types = new Map<string | null, { count: number; readonly sum: DecimalSum }>();
  private readonly db: RunDatabase;
  private readonly idOf: (run: number) => string;
  private readonly insert: Statement<[number, number, number, number]>;
  private readonly write: (act: () => unknown) => void;

  constructor(db: RunDatabase, { idOf }: Pick<StagingHistory, 'idOf'>, write: RowsSentBefore['write']) {
    this.db = db;
    this.idOf = idOf;
    this.write = write;
    this.insert = db.prepare(
      'INSERT INTO sent_before (first_seq, last_seq, run_id, there_seq) VALUES (?, ?, ?, ?)',
    );
  }

  add(
    seq: number,
    { run, seq: there }: RecordThere,
    { type, amount }: Pick<StagedRecord, 'type' | 'amount'>,
  ): void {
    const { range } = this;
    this.rows++;
    if (range && range.run === run && range.last + 1 === seq && range.there + seq - range.first === there)
      range.last = seq;
    else {
      this.flush();
      this.range = { first: seq, last: seq, run, there };
    }
    let found = this.types.get(type);
    if (!found) this.types.set(type, (found = { count: 0, sum: new DecimalSum() }));
    found.count++;
    if (amount !== null) found.sum.add(amount);
  }

  /** Writes the last rows and the sums. Returns how many rows there are. */
  finish(): number {
    this.flush();
    this.write(() => {
      const total = this.db.prepare('INSERT INTO sent_before_total (type, count, read) VALUES (?, ?, ?)');
      for (const [type, { count, sum }] of this.types) total.run(type, count, sum.total?.text ?? null);
    });
    return this.rows;
  }

  private flush(): void {
    if (!this.range) return;
    const { first, last, run, there } = this.range;
    this.write(() => this.insert.run(first, last, rememberRun(this.db, this.idOf(run)), there));
    this.range = undefined;
  }
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

const bytesOf = (latin1: string): Buffer => Buffer.from(latin1, 'latin1');

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
}: Pick<StagedRecord, 'id' | 'identity'>): StoredIdentity {
  if (id === key) return { key, variant: variant ?? '' };
  return { key: sha256(key), variant: variant === undefined ? '' : sha256(`${key}\0${variant}`) };
}

const sha256 = (text: string): string => hash('sha256', text, 'base64');

/** The items of other rows as the run file keeps them; null without any. */
export const partsText = ({ parts }: Pick<StagedRecord, 'parts'>): string | null =>
  parts.length === 0 ? null : JSON.stringify(parts);

/** A source that is read to its end. */
export interface FinishedSource {
  readonly columns: ColumnMap;
  /** Byte at which its first row begins. Default: where the first record begins. */
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
    // Batches of which the history says that nothing is to be sent.
    planOpenRecords(db);
  })();
  // Records that are about to be sent must not be in the journal alone, which may get lost.
  emptyJournal(db);
}
