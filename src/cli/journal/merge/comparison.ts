import { AppError } from '../../../core/app-error.ts';
import { DESCRIPTORS, type Resource } from '../../../core/contract/resources.ts';
import { isSameMoney } from '../../../core/values/decimal.ts';
import type { ConflictKind, HistoryConflict } from '../../push/ports/staging.ts';
import { ARRIVED_SQL, doubtfulIn } from '../database/outcome-sql.ts';
import { allRows, firstRow, isAny, valueOf } from '../database/queries.ts';
import { isBusy, openingError, type RunDatabase } from '../database/run-database.ts';
import { RUN_OF_READING } from '../database/run-header.ts';
import { ID_INDEX } from '../database/schema.ts';
import { headBeside } from '../journal-head.ts';

/**
 * What a journal says of each row of a new reading, as `temp.judged` has it: `there` is the record of the journal.
 *
 *     same       the row is the record; the journal knows what became of it
 *     changed    the record has arrived, and the row has other content
 *     moved      the record has arrived on another account
 *     pending    the record may be on the platform with other content, and nobody knows
 *     anew       the record was not sent, or was refused with other content: the row takes its place
 *     elsewhere  another journal of the folder brought an equal record to the platform; `origin` is its name
 */
const JUDGED = `
  CREATE TEMP TABLE judged (seq INTEGER PRIMARY KEY, kind TEXT NOT NULL, there INTEGER, origin TEXT)`;
export const NOTHING_JUDGED = `DROP TABLE IF EXISTS temp.judged; ${JUDGED}`;

/**
 * A journal beside another one. `shard`: of another shard of the same number, which has other accounts. `count`: of another number of shards.
 * `supplier`: of another supplier.
 */
export interface JournalBeside {
  readonly path: string;
  readonly kind: 'shard' | 'count' | 'supplier';
  /** Its name in messages: its path below the folder. */
  readonly name: string;
}

/** What decides about records that the journal has. */
export interface ComparisonChoice {
  readonly resource: Resource;
  /** Journals beside it that may have its records. */
  readonly others: readonly JournalBeside[];
  /** Whether every row is sent again, whatever the journal says (`--again`). */
  readonly again: boolean;
  /** Whether the reading is thrown away, and only has to know what would be sent. Default: false. */
  readonly isForgotten?: boolean;
}

/** The comparison of a reading in a database of its own with the journal that it is to become a part of. */
export type Comparison = ReturnType<typeof comparedWith>;

/** Attaches the journal, which must not be open, to the database of a reading. */
export function comparedWith(db: RunDatabase, path: string, choice: ComparisonChoice) {
  const { resource, others, again, isForgotten } = choice;
  const { idField, repetition } = DESCRIPTORS[resource];
  attach(db, path, 'journal');
  for (const pragma of ['synchronous = FULL', 'secure_delete = ON']) db.pragma(`journal.${pragma}`);
  return {
    detach: () => void db.exec('DETACH journal'),
    /** Judges every row, once all are read. */
    judge() {
      db.exec(`${NOTHING_JUDGED}; ${FIND_DOUBTFUL}`);
      const find = db.transaction(() => {
        db.exec(FIND_SAME);
        if (again) db.exec(SEND_AGAIN);
        if (isForgotten) db.exec(again ? 'DELETE FROM temp.judged' : FORGET_UNSENT);
      });
      find();
      if (again) return;
      if (idField !== null && isAny(db, `SELECT 1 FROM main.record AS mine WHERE ${MAY_HAVE_MOVED}`)) {
        if (!repetition.isKeyedById)
          db.exec(ID_INDEX.replace('EXISTS record_by_id', 'EXISTS journal.record_by_id'));
        const byId = repetition.isKeyedById ? 'there.identity_key = mine.identity_key' : 'there.id = mine.id';
        db.transaction(() => db.exec(findMoved(byId)))();
      }
      const suppliers = valueOf<number>(db, 'SELECT count(DISTINCT import_supplier) FROM main.account')!;
      for (const { kind, path: other, name } of others) {
        const isOfSeveral = suppliers > 1 || headBeside(other)?.severalSuppliers === true;
        if (kind === 'count' || (kind === 'supplier' && isOfSeveral))
          besideAs(db, other, () => db.transaction(() => db.prepare(FIND_ELSEWHERE).run(name))());
      }
    },
    /** The rows that are kept apart from their records, or wait for a person: in file order, after the record `after`, at most `limit`. */
    conflicts: (after: number, limit: number): readonly HistoryConflict[] =>
      allRows<ConflictRow>(db, CONFLICTS, after, limit).map(conflictOf),
    /**
     * Rows whose record may have moved here from an account of another shard: that one has it, and only the files say whether one of their
     * rows still is it. A shard that another process sends now is passed over.
     */
    mayHaveMoved(): readonly MovedRow[] {
      if (idField === null || !repetition.isKeyedById || again) return [];
      return others.flatMap(({ kind, path: other }) => {
        if (kind === 'supplier') return [];
        try {
          return besideAs(db, other, () => allRows<MovedRow>(db, MOVED_FROM_SHARD));
        } catch (error) {
          if (error instanceof AppError && error.code === 'run_locked') return [];
          throw error;
        }
      });
    },
    /** Keeps rows from being sent whose records have moved here. */
    keepMoved(rows: readonly MovedRow[]) {
      const keep = db.prepare("INSERT OR REPLACE INTO temp.judged (seq, kind) VALUES (?, 'moved')");
      db.transaction(() => {
        for (const { seq } of rows) keep.run(seq);
      })();
    },
    /** Copies the outcomes of the journal into a reading that will be thrown away, and ends the comparison. */
    giveOutcomes() {
      db.transaction(() => db.exec(APPLY))();
      this.detach();
    },
  };
}

/** Asks a journal beside, as the schema `other`. */
function besideAs<T>(db: RunDatabase, path: string, ask: () => T): T {
  attach(db, path, 'other');
  try {
    return ask();
  } finally {
    db.exec('DETACH other');
  }
}

/** How long another command may look at a journal, in milliseconds. */
const LOOK_MS = 2_000;

/** Attaches a journal for this process alone; as `other`, to look at it. @throws AppError `run_locked`, and why it cannot be opened */
function attach(db: RunDatabase, path: string, schema: 'journal' | 'other'): void {
  try {
    // Another command has its journal until it ends.
    db.pragma('busy_timeout = 0');
    db.prepare(`ATTACH ? AS ${schema}`).run(path);
    db.pragma(`${schema}.locking_mode = EXCLUSIVE`);
    firstRow(db, `SELECT count(*) FROM ${schema}.reading`);
    if (schema === 'other') return;
    // Reading alone lets others look at it, and a command for another shard may do so for a moment.
    db.pragma(`busy_timeout = ${LOOK_MS}`);
    db.exec('BEGIN IMMEDIATE; COMMIT');
  } catch (error) {
    if (isBusy(error))
      throw new AppError('run_locked', { reason: `${path} is in use by another process` }, error);
    throw openingError(path, error);
  }
}

const CONTENT = (record: string): string => `coalesce(${record}.content, ${record}.payload_sha256)`;
const IS_EQUAL = `${CONTENT('there')} = ${CONTENT('mine')}`;

const FIND_DOUBTFUL = `
  DROP TABLE IF EXISTS temp.doubtful; CREATE TEMP TABLE doubtful (seq INTEGER PRIMARY KEY);
  INSERT INTO temp.doubtful ${doubtfulIn('journal.')}`;

const FIND_SAME = `
  INSERT INTO temp.judged (seq, kind, there)
  SELECT mine.seq, CASE
      WHEN outcome IN ${ARRIVED_SQL} THEN iif(${IS_EQUAL}, 'same', 'changed')
      WHEN outcome = 'verify' OR (outcome IS NULL AND there.seq IN temp.doubtful) THEN iif(${IS_EQUAL}, 'same', 'pending')
      WHEN outcome = 'rejected' AND ${IS_EQUAL} AND (there.payload IS NOT NULL OR there.payload_sha256 = mine.payload_sha256) THEN 'same'
      ELSE 'anew' END, there.seq
  FROM main.record AS mine JOIN main.account AS own ON own.id = mine.account_id
    JOIN journal.account AS its USING (import_supplier, external_account_number)
    JOIN journal.record AS there ON there.account_id = its.id AND there.identity_key = mine.identity_key
      AND there.identity_variant = mine.identity_variant AND there.state = 'valid'
    LEFT JOIN journal.outcome ON outcome.seq = there.seq
  WHERE mine.state = 'valid'`;

/** A record that was sent in another form has no text any more, so the row takes its place, too. */
const SEND_AGAIN = `
  UPDATE temp.judged SET kind = 'anew' WHERE kind IN ('changed', 'pending') OR (kind = 'same'
    AND (SELECT payload_sha256 FROM main.record WHERE record.seq = judged.seq)
      <> (SELECT payload_sha256 FROM journal.record WHERE record.seq = judged.there))`;

const MAY_HAVE_MOVED = `mine.state = 'valid' AND mine.id IS NOT NULL AND mine.seq NOT IN (SELECT seq FROM temp.judged WHERE kind <> 'anew'
  AND (kind <> 'same' OR judged.there NOT IN (SELECT seq FROM journal.outcome WHERE outcome = 'rejected')))`;

/**
 * A record that is new to its account, or was refused there, may have moved from another one: one other account has its id, or may have it, with equal content,
 * and no row is that record any more. An id that several accounts have, or that several rows would have moved, is no sign of a move.
 */
const findMoved = (byId: string): string => `
  DROP TABLE IF EXISTS temp.elsewhere;
  CREATE TEMP TABLE elsewhere AS
    SELECT mine.seq, min(there.seq) AS there, count(*) AS accounts, min(${IS_EQUAL}) AS is_equal
    FROM main.record AS mine JOIN main.account AS own ON own.id = mine.account_id
      JOIN journal.record AS there ON ${byId} AND there.state = 'valid'
      JOIN journal.account AS its ON its.id = there.account_id
        AND (its.import_supplier, its.external_account_number) <> (own.import_supplier, own.external_account_number)
      LEFT JOIN journal.outcome ON outcome.seq = there.seq
    WHERE (outcome IN ('verify', ${ARRIVED_SQL.slice(1)} OR (outcome IS NULL AND there.seq IN temp.doubtful))
      AND ${MAY_HAVE_MOVED}
    GROUP BY mine.seq;
  INSERT OR REPLACE INTO temp.judged (seq, kind, there)
    SELECT min(seq), 'moved', there FROM temp.elsewhere
    WHERE accounts = 1 AND is_equal AND there NOT IN (SELECT there FROM temp.judged WHERE there IS NOT NULL)
    GROUP BY there HAVING count(*) = 1`;

/** A row, and the record of another shard that may have become it. */
export interface MovedRow {
  readonly seq: number;
  readonly source: number;
  readonly line: number;
  readonly id: string;
  /** The account that has the record, and where a reading found it there. */
  readonly account: string;
  readonly file: string;
  readonly earlierLine: number;
  readonly run: string;
}

const MOVED_FROM_SHARD = `
  SELECT mine.seq, mine.source_id AS source, mine.first_line AS line, mine.id, its.external_account_number AS account,
    source.name AS file, there.first_line AS earlierLine, ${RUN_OF_READING} AS run
  FROM main.record AS mine JOIN main.account AS own ON own.id = mine.account_id
    JOIN other.record AS there ON there.identity_key = mine.identity_key AND there.state = 'valid'
    JOIN other.account AS its ON its.id = there.account_id AND its.import_supplier = own.import_supplier
      AND its.external_account_number <> own.external_account_number
    JOIN other.outcome ON outcome.seq = there.seq AND outcome IN ('verify', ${ARRIVED_SQL.slice(1)}
    JOIN other.source ON source.id = there.source_id JOIN other.reading ON reading.id = there.reading_id
  WHERE mine.state = 'valid' AND ${IS_EQUAL} AND mine.seq NOT IN (SELECT seq FROM temp.judged WHERE kind <> 'anew')`;

const FIND_ELSEWHERE = `
  INSERT INTO temp.judged (seq, kind, origin)
  SELECT mine.seq, 'elsewhere', ?
  FROM main.record AS mine JOIN main.account AS own ON own.id = mine.account_id
    JOIN other.account AS its USING (import_supplier, external_account_number)
    JOIN other.record AS there ON there.account_id = its.id AND there.identity_key = mine.identity_key
      AND there.identity_variant = mine.identity_variant AND there.state = 'valid'
    JOIN other.outcome ON outcome.seq = there.seq AND outcome IN ${ARRIVED_SQL}
  WHERE mine.state = 'valid' AND ${IS_EQUAL} AND mine.seq NOT IN (SELECT seq FROM temp.judged)`;

/** Records that the journal has not sent, or would send again. */
const FORGET_UNSENT = `
  DELETE FROM temp.judged WHERE kind = 'anew' OR (kind = 'same' AND there NOT IN (
    SELECT seq FROM journal.outcome WHERE outcome <> 'rejected'))`;

const APPLY = `
  UPDATE main.record SET state = (SELECT kind FROM temp.judged WHERE judged.seq = record.seq)
    WHERE seq IN (SELECT seq FROM temp.judged WHERE kind IN ('changed', 'moved', 'pending'));
  INSERT INTO main.outcome (seq, outcome, link_id) SELECT judged.seq, iif(outcome = 'verify', outcome, 'sent_before'), 0
    FROM temp.judged LEFT JOIN journal.outcome ON outcome.seq = judged.there
    WHERE kind = 'elsewhere' OR (kind = 'same' AND outcome <> 'rejected')`;

interface ConflictRow extends Record<'type' | 'amount' | 'ownType' | 'ownAmount' | 'outcome', string | null> {
  readonly seq: number;
  readonly source: number;
  readonly line: number;
  readonly kind: ConflictKind;
  readonly file: string;
  readonly earlierLine: number;
  readonly run: string;
}

const FACTS = `
  mine.type AS ownType, mine.amount AS ownAmount, there.type, there.amount, source.name AS file, there.first_line AS earlierLine,
  ${RUN_OF_READING} AS run, outcome`;

/** `verify`: nobody knows whether the platform has the record with the content of the row. */
const CONFLICTS = `
  SELECT judged.seq, mine.source_id AS source, mine.first_line AS line, iif(kind IN ('changed', 'moved'), kind, 'verify') AS kind, ${FACTS}
  FROM temp.judged JOIN main.record AS mine USING (seq) JOIN journal.record AS there ON there.seq = judged.there
    JOIN journal.source ON source.id = there.source_id JOIN journal.reading ON reading.id = there.reading_id
    LEFT JOIN journal.outcome ON outcome.seq = there.seq
  WHERE judged.seq > ? AND (kind IN ('changed', 'moved') OR (kind = 'pending' AND outcome = 'verify'))
  ORDER BY judged.seq LIMIT ?`;

/** The rows in a temporary table that are kept apart from their records; `source` counts the files of the reading from 1. */
export function changedIn(db: RunDatabase, table: string): readonly HistoryConflict[] {
  const changed = `
    SELECT mine.seq, 'changed' AS kind, mine.first_line AS line, ${FACTS},
      (SELECT count(*) FROM source AS own WHERE own.reading_id = mine.reading_id AND own.id <= mine.source_id) AS source
    FROM record AS mine JOIN record AS there ON there.seq = mine.there
      JOIN source ON source.id = there.source_id JOIN reading ON reading.id = there.reading_id
      JOIN outcome ON outcome.seq = there.seq
    WHERE mine.state = 'changed' AND mine.seq IN (SELECT seq FROM temp.${table}) ORDER BY mine.seq`;
  return allRows<ConflictRow>(db, changed).map(conflictOf);
}

function conflictOf(row: ConflictRow): HistoryConflict {
  const { type, amount, ownType, ownAmount, file, earlierLine, run, outcome, ...conflict } = row;
  return {
    ...conflict,
    differs: [
      ...(ownType === type ? [] : (['type'] as const)),
      ...(isSameMoney(ownAmount, amount) ? [] : (['amount'] as const)),
    ],
    earlier: { file, line: earlierLine, run, wasCompared: outcome !== 'uncompared' },
  };
}
