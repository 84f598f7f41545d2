import type { AccountKey } from '../../../core/contract/account.ts';
import type { ErrorCode } from '../../../core/error-codes/table.ts';
import type { AnsweredProblem, ChainHead } from '../../push/ports/report.ts';
import type {
  Batch,
  BatchRecord,
  DrainRun,
  FailedAttempt,
  Settlement,
  SameId,
} from '../../push/ports/run.ts';
import { chainHeadOf, chainOf, type EndOfAttempt } from '../database/chain.ts';
import { groupCommit } from '../database/group-commit.ts';
import { assertUnchanged, DamageError, guard, type RecordContent } from '../database/integrity.ts';
import { ARRIVED_SQL, WITH_PAST_ATTEMPTS, MAY_BE_THERE, ofBatch } from '../database/outcome-sql.ts';
import { outcomePacker, type PackedOutcomes, type SettledRecord } from '../database/packed-outcomes.ts';
import { problemInserter } from '../read/problems.ts';
import type { RunDatabase } from '../database/run-database.ts';

interface BatchRow extends AccountKey {
  readonly id: number;
  readonly account_id: number;
  readonly first_seq: number;
  readonly last_seq: number;
  readonly in_doubt: number;
  readonly isPart: 0 | 1;
  readonly attempts: number;
}

interface RecordRow extends RecordContent {
  readonly seq: number;
  readonly source: number;
  readonly line: number;
  readonly checksum: number;
  readonly wasThere: 0 | 1;
}

/** The result of an attempt, see schema.ts. */
type AttemptResult = 'settled' | FailedAttempt['kind'];

const OPEN = "state IN ('planned', 'sent')";

/** Why the records of a request may be stored: it, or one that it was cut from, was left in doubt, by more than a 500, or stored them. */
const MAY_REPEAT = `${WITH_PAST_ATTEMPTS}
  SELECT iif(max(status IS NOT 500), 'unanswered', 'failed') FROM past WHERE result = 'ambiguous' OR result = 'settled' AND status < 300
  HAVING count(*) > 0`;

/** The operations of draining a reading. `now` gives the instant to record, as text. */
export function drainingOperations(
  db: RunDatabase,
  outcomes: PackedOutcomes,
  {
    now,
    reading,
    oneByOne,
    onCommit,
    assertThere,
  }: {
    now: () => string;
    reading: number;
    /** Whether records in doubt are sent one by one, so that an answer settles each. */
    oneByOne: boolean;
    /** Gets the head of the chain after each commit. */
    onCommit?: ((head: ChainHead) => void) | undefined;
    /** Throws when the file is not where it was opened. */
    assertThere: () => void;
  },
): DrainRun {
  const nextAccount = db.prepare<[number], { account_id: number }>(`
    SELECT account_id FROM batch WHERE ${OPEN} AND account_id > ? ORDER BY account_id LIMIT 1`);
  // The first open batch from an account on, one in doubt before all others. With `account_id = ?` SQLite builds the set of the two states for each search, which
  // takes five times as long.
  const openBatchFrom = db.prepare<[number], BatchRow>(`
    SELECT batch.id, account_id, first_seq, last_seq, in_doubt, attempts, cut_from IS NOT NULL AS isPart,
      (SELECT import_supplier FROM account WHERE id = account_id) AS import_supplier,
      (SELECT external_account_number FROM account WHERE id = account_id) AS external_account_number
    FROM batch WHERE ${OPEN} AND account_id >= ? ORDER BY account_id, in_doubt DESC, first_seq LIMIT 1`);
  const unsettledRecords = db.prepare<[number, number, number, number, number], RecordRow>(`
    SELECT seq, source_id AS source, first_line AS line, id, type, amount, payload, parts, checksum,
      EXISTS (SELECT 1 FROM past_outcome WHERE past_outcome.seq = record.seq AND outcome IN ${ARRIVED_SQL}) AS wasThere
    FROM record
    WHERE state = 'valid' AND account_id = ? AND seq BETWEEN ? AND ? AND (reading_id = ? OR ?)
      AND NOT EXISTS (SELECT 1 FROM outcome WHERE outcome.seq = record.seq) ORDER BY seq`);
  const markSent = db.prepare(`
    UPDATE batch SET state = 'sent', attempts = attempts + 1 WHERE id = ? AND attempts = ? AND (state = 'planned' OR state = 'sent')`);
  const insertAttempt = db.prepare(`
    INSERT INTO attempt (batch_id, started_at) SELECT ?, ?
    WHERE NOT EXISTS (SELECT 1 FROM attempt WHERE batch_id = ? AND ended_at IS NULL)`);
  const endAttempt = db
    .prepare<[string, number | null, string, string | null, number], number>(
      `UPDATE attempt SET ended_at = ?, status = ?, result = ?, reason = ? WHERE batch_id = ? AND ended_at IS NULL RETURNING id`,
    )
    .pluck();
  const release = db.prepare(
    `UPDATE batch SET state = 'planned' WHERE id = ? AND state = 'sent' AND in_doubt = 0`,
  );
  const markInDoubt = db.prepare(`UPDATE batch SET in_doubt = 1 WHERE id = ? AND state = 'sent'`);
  const inDoubt = db.prepare<[number], number>('SELECT in_doubt FROM batch WHERE id = ?').pluck();
  const mayRepeat = db.prepare<[number], 'failed' | 'unanswered'>(MAY_REPEAT).pluck();
  const doubtAbout = (batch: number, isInDoubt: boolean): Pick<Batch, 'inDoubt' | 'mayRepeat'> => {
    return { inDoubt: isInDoubt, mayRepeat: isInDoubt && oneByOne ? mayRepeat.get(batch) : undefined };
  };
  const markSettled = db.prepare(`UPDATE batch SET state = ?, in_doubt = ? WHERE id = ? AND state = 'sent'`);
  const markCertain = db.prepare('UPDATE batch SET state = ?, in_doubt = 0 WHERE id = ?');
  const chain = chainOf(db);
  const pack = outcomePacker(db);
  const insertProblem = problemInserter(db);
  const boundsOf = db.prepare<[number], { account: number; first: number; last: number }>(
    'SELECT account_id AS account, first_seq AS first, last_seq AS last FROM batch WHERE id = ?',
  );
  const narrow = db.prepare('UPDATE batch SET first_seq = ?, last_seq = ? WHERE id = ?');
  const insertPart = db.prepare(
    `INSERT INTO batch (account_id, first_seq, last_seq, state, in_doubt, cut_from, cut_after)
     SELECT account_id, ?, ?, state, in_doubt, id,
       (SELECT coalesce(max(attempt.id), 0) FROM attempt WHERE batch_id = batch.id)
     FROM batch WHERE id = ?`,
  );
  // A record that was refused, is planned again since, and was in no request since. Its neighbours alone are in doubt, so they go first.
  const notInDoubt = db.prepare<{ batch: number; seq: number }>(`
    UPDATE batch SET state = 'planned', in_doubt = 0 WHERE (id = @batch OR cut_from = @batch) AND @seq BETWEEN first_seq AND last_seq
      AND (SELECT until_id FROM past_outcome WHERE seq = @seq AND outcome = 'rejected' ORDER BY until_id DESC LIMIT 1) > (
        SELECT coalesce(max(link.id), 0) FROM link JOIN attempt ON attempt.id = attempt_id WHERE attempt.batch_id = @batch)`);
  const names = db.prepare<[], string>('SELECT name FROM source ORDER BY id').pluck().all();
  const sources = names.length;

  const claimNext = (accountId: number): Batch | undefined => {
    const row = openBatchFrom.get(accountId);
    if (row?.account_id !== accountId) return undefined;
    const { id, import_supplier, external_account_number, attempts } = row;
    const account = { import_supplier, external_account_number };
    const rows = unsettledRecords.all(row.account_id, row.first_seq, row.last_seq, reading, row.in_doubt);
    if (rows.length === 0) throw new DamageError('a request has no records');
    if (oneByOne && row.in_doubt === 1 && rows.length > 1) {
      cut(id, rows, 1);
      for (const { seq } of rows) notInDoubt.run({ batch: id, seq });
      return claimNext(accountId);
    }
    for (const record of rows) {
      assertUnchanged(account, record);
      if (record.source < 1 || record.source > sources) throw new DamageError('a record is of no file');
    }
    begin(id, attempts);
    const [records, doubt] = [rows.map(recordOf), doubtAbout(id, row.in_doubt === 1)];
    return { id, account, records, attempt: attempts + 1, isPart: row.isPart === 1, ...doubt };
  };
  const claimAgain = (batch: Batch): Batch => {
    begin(batch.id, batch.attempt);
    const doubt = doubtAbout(batch.id, inDoubt.get(batch.id) === 1);
    return { ...batch, attempt: batch.attempt + 1, ...doubt, exchange: undefined };
  };
  const begin = (batchId: number, attemptsSoFar: number): void => {
    exactlyOne(markSent.run(batchId, attemptsSoFar).changes, 'claim');
    exactlyOne(insertAttempt.run(batchId, now(), batchId).changes, 'claim of a batch that is in flight');
  };
  /** Ends the attempt at a batch and seals it with the outcomes that it settled. */
  const end = (
    batch: Batch,
    attempt: { status: number | null; result: AttemptResult; reason: string | null },
    { state, settled }: { state: EndOfAttempt['state']; settled: readonly SettledRecord[] },
  ): void => {
    const { status, result, reason } = attempt;
    const ended = endAttempt.all(now(), status, result, reason, batch.id);
    exactlyOne(ended.length, 'end of an attempt');
    const own = new Set(batch.records.map(({ seq }) => seq));
    if (!settled.every(({ seq }) => own.has(seq)))
      throw new Error('journal: an outcome belongs to no record of the batch');
    chain.append(ended[0]!, { state, exchange: batch.exchange }, (link) => pack(link, settled));
  };
  const report = (batch: Batch, problems: readonly AnsweredProblem[], isLasting: boolean): void => {
    for (const problem of problems) {
      const about = batch.records.find(
        ({ source, line }) => line === problem.line && names[source - 1] === problem.file,
      );
      insertProblem(problem, {
        reading,
        batch: batch.id,
        seq: about?.seq,
        atLine: about?.line,
        // A warning is about a record that is on the platform, so it stays when the rest of the batch is sent again.
        isLasting: isLasting || problem.severity === 'warning' || ABOUT_VERIFY.has(problem.code),
      });
    }
  };
  const fail = (batch: Batch, attempt: FailedAttempt): void => {
    end(batch, { ...attempt, result: attempt.kind }, { state: 'none', settled: [] });
    if (attempt.kind === 'ambiguous') report(batch, attempt.problems ?? [], false);
    const mayBeApplied = attempt.kind === 'ambiguous' || (attempt.kind === 'refused' && attempt.inDoubt);
    if (mayBeApplied) exactlyOne(markInDoubt.run(batch.id).changes, 'doubt');
    else release.run(batch.id);
  };
  const settle = (batch: Batch, settlement: Settlement, claimsNext: () => boolean): Batch | undefined => {
    const { status, state, records, problems } = settlement;
    const settled = records.filter((record) => record.outcome !== null) as readonly SettledRecord[];
    const missing = batch.records.length - settled.length;
    if (state === 'done' && missing !== 0)
      throw new Error(`journal: ${missing} records would be done without outcome`);
    end(batch, { status, result: 'settled', reason: null }, { state, settled });
    // The next claim looks for the records without an outcome, and a cohort for refusals.
    if (state !== 'done' || settled.some(({ outcome }) => outcome === 'rejected')) outcomes.unpackToDisk();
    const staysInDoubt = state !== 'done' && (settlement.inDoubt || batch.inDoubt) ? 1 : 0;
    exactlyOne(markSettled.run(stateAfter(batch, settlement), staysInDoubt, batch.id).changes, 'settle');
    if (staysInDoubt === 1 && !batch.inDoubt) separate(batch, settlement);
    // A rejected batch is sent again when the run is taken up, and its refusal is then reported anew.
    report(batch, problems, state !== 'rejected');
    return claimsNext() ? claimNext(boundsOf.get(batch.id)!.account) : undefined;
  };
  /** A refusal may have left the records before the refused one on the platform. They alone are in doubt, and the others become a batch of their own. */
  const separate = (batch: Batch, { state, records }: Settlement): void => {
    const refused = records.find(({ outcome }) => outcome === 'rejected')?.seq;
    if (refused === undefined) return;
    const open = records.filter(({ outcome }) => outcome === null).map(({ seq }) => seq);
    let certain: number | bigint = batch.id;
    if (open.some((seq) => seq < refused)) {
      const { first, last } = boundsOf.get(batch.id)!;
      narrow.run(first, refused - 1, batch.id);
      certain = insertPart.run(refused, last, batch.id).lastInsertRowid;
    }
    const isDone = state === 'again' && !open.some((seq) => seq > refused);
    markCertain.run(isDone ? 'done' : state === 'again' ? 'planned' : state, certain);
  };
  /**
   * Cuts a batch into parts of `size` records, in their order and with its state. A refused record between them belongs to the part
   * before it, because the next command plans it again.
   */
  const cut = (batch: number, records: readonly { readonly seq: number }[], size: number): void => {
    const { first, last } = boundsOf.get(batch)!;
    const begins = records.filter((_, index) => index % size === 0).map(({ seq }) => seq);
    for (const [index, begin] of begins.entries()) {
      const end = (begins[index + 1] ?? last + 1) - 1;
      const changed = index === 0 ? narrow.run(first, end, batch) : insertPart.run(begin, end, batch);
      exactlyOne(changed.changes, 'split');
    }
  };

  const elsewhere = sameIdsElsewhere(db, outcomes);
  const inNextCommit = groupCommit(db, onCommit && (() => onCommit(chainHeadOf(db))), assertThere);
  return {
    nextAccount: (after) => guard(db, () => nextAccount.get(after)?.account_id),
    claimNext: (accountId, isWanted = () => true) =>
      inNextCommit(() => (isWanted() ? claimNext(accountId) : undefined)),
    claimAgain: (batch) => inNextCommit(() => claimAgain(batch)),
    fail: (batch, attempt) => inNextCommit(() => fail(batch, attempt)),
    settle: (batch, settlement, claimsNext = () => false) =>
      inNextCommit(() => settle(batch, settlement, claimsNext)),
    sameIdElsewhere: (_, seqs) => inNextCommit(() => elsewhere(seqs)),
    splitInHalves: (batch, attempt) =>
      inNextCommit(() => {
        fail(batch, attempt);
        cut(batch.id, batch.records, Math.ceil(batch.records.length / 2));
      }),
  };
}

/** Errors about records that are settled as `verify`. */
export const ABOUT_VERIFY: ReadonlySet<string> = new Set<ErrorCode>([
  'outcome_unproven',
  'existing_differs',
  'differs_by_blanks',
]);

/** The state of a batch after a settlement. An answer that settles nothing leaves an earlier attempt in doubt. */
function stateAfter(batch: Batch, settlement: Settlement): 'done' | 'rejected' | 'planned' | 'sent' {
  const { state, records, inDoubt } = settlement;
  if (state === 'again') return batch.inDoubt || inDoubt ? 'sent' : 'planned';
  return batch.inDoubt && records.every(({ outcome }) => outcome === null) ? 'sent' : state;
}

function recordOf({ parts, wasThere, ...record }: RecordRow): BatchRecord {
  return {
    ...record,
    parts: parts === null ? [] : (JSON.parse(parts) as BatchRecord['parts']),
    wasThere: wasThere === 1,
  };
}

/** An operation that does not change exactly one row has met a state that it does not rely on. */
function exactlyOne(changes: number, operation: string): void {
  if (changes !== 1) throw new Error(`journal: ${operation} changed ${changes} rows instead of one`);
}

/** Accounts with one id that are looked at, because some files count their ids from 1 in each account. */
const MOST_ACCOUNTS = 300;

const OTHERS = `FROM record AS mine JOIN record ON record.identity_key = mine.identity_key AND record.account_id <> mine.account_id
    AND record.state = 'valid' WHERE mine.seq = ?
      AND NOT EXISTS (SELECT 1 FROM past_outcome WHERE past_outcome.seq = mine.seq AND outcome IN ${ARRIVED_SQL})`;

const BY_US = "('created', 'confirmed', 'sent_before')";

/** Answers `DrainRun.sameIdElsewhere`. Ids that only one account has are found without a look at outcomes. */
function sameIdsElsewhere(db: RunDatabase, outcomes: Pick<PackedOutcomes, 'unpackToDisk'>) {
  const isShared = db.prepare<[number], number>(`SELECT 1 ${OTHERS} LIMIT 1`);
  const byUs = db.prepare<[number], { file: string; line: number; isCreated: 0 | 1 }>(`
    SELECT name AS file, first_line AS line, isCreated FROM (
      SELECT source_id, first_line, (coalesce(outcome IN ${BY_US}, 0) OR EXISTS (
          SELECT 1 FROM past_outcome WHERE past_outcome.seq = record.seq AND past_outcome.outcome IN ${BY_US})) AS isCreated,
        CASE outcome WHEN 'verify' THEN 1 WHEN 'existing' THEN ${ofBatch('attempts > 1')} ELSE outcome IS NULL AND ${MAY_BE_THERE} END AS isOpen
      FROM (SELECT record.* ${OTHERS} LIMIT ${MOST_ACCOUNTS}) AS record LEFT JOIN outcome USING (seq))
    JOIN source ON source.id = source_id WHERE isCreated OR isOpen ORDER BY isCreated DESC LIMIT 2`);
  return (seqs: readonly number[]): ReadonlyMap<number, SameId> => {
    const shared = seqs.filter((seq) => isShared.get(seq) !== undefined);
    if (shared.length > 0) outcomes.unpackToDisk();
    return new Map(
      shared.flatMap((seq) => {
        const [first, second] = byUs.all(seq);
        const isKeptByAccount = second?.isCreated === 1;
        return first && !isKeptByAccount ? [[seq, { ...first, isCreated: first.isCreated === 1 }]] : [];
      }),
    );
  };
}
