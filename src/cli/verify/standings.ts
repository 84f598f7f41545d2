import type { Decision } from '../push/ports/measures.ts';
import { ARRIVED_SQL, IS_CORRECTED_COPY, ofBatch } from '../journal/database/outcome-sql.ts';
import { allRows, firstRow, valueOf } from '../journal/database/queries.ts';
import { DamageError } from '../journal/database/integrity.ts';
import { openingError, type RunDatabase } from '../journal/database/run-database.ts';
import type { FoundReading, OpenJournals } from '../journal/found-readings.ts';
import type { Comparison } from '../journal/merge/comparison.ts';
import type { Reading } from '../journal/reading.ts';
import { PAGE } from '../push/stage/batches.ts';
import { changedProblem, isInvalidating } from '../push/stage/history-conflicts.ts';
import type { VerifiedPart } from './verification-schema.ts';

/** Vanished records that are named. All are counted. */
const NAMED = 20;

/**
 * A reading of a journal, and how many rows it has read. `matched`: rows of the files whose records it was the last to read. `open`: of
 * them, those that a command still sends. `unresolved`: those that a person can settle.
 */
export type ReadingHere = FoundReading & ReadRows;
type ReadRows = Readonly<Record<'rows' | 'matched' | 'open' | 'unresolved', number>>;

/** How the rows of files stand by the journals that may have their records. */
export type Standings = ReturnType<typeof standingsOf>;

/**
 * Asks journals for the records of rows that were read, by their identity: whatever file, reading or shard has brought them there.
 * @throws AppError `run_damaged` for a journal whose chain does not hold; those of `Journal.open`
 */
export function standingsOf(run: Reading, found: readonly FoundReading[], journals: OpenJournals) {
  const { db } = run;
  const files = [...new Set(found.map(({ file }) => file))];
  db.exec(STANDING);
  /** Asks every journal, attached to the reading. */
  const asked = <T>(ask: (comparison: Comparison, journal: number) => T): readonly T[] =>
    files.map((file, journal) => {
      const comparison = journals.provenAt(file).comparedWith(run, { others: [], again: false });
      journals.close();
      try {
        return ask(comparison, journal);
      } catch (error) {
        throw openingError(file, error);
      } finally {
        comparison.detach();
      }
    });
  // Every journal judges the rows before any of them gives the reading those that no other journal knows better.
  const vanished = asked((comparison, journal) => {
    comparison.judge();
    for (const statement of LEAVE_CORRECTED) db.exec(statement);
    db.prepare(RATE).run(journal);
    return {
      named: allRows<VerifiedPart['vanished']['named'][number]>(db, NAMED_VANISHED, NAMED),
      sums: allRows<VerifiedPart['vanished']['sums'][number]>(db, SUMS_OF_VANISHED),
    };
  });
  const taken = asked((comparison, journal) => {
    db.transaction(() => take(run, comparison, journal))();
    const rows = new Map(
      allRows<ReadRows & { number: number }>(db, READINGS).map((each) => [each.number, each]),
    );
    return { rows, decisions: allRows<Decision>(db, DECISIONS) };
  });
  return {
    here: found.map((reading): ReadingHere => {
      const { rows } = taken[files.indexOf(reading.file)]!;
      return { ...reading, ...rows.get(reading.number)! };
    }),
    decisions: taken.flatMap(({ decisions }) => decisions),
    /** Records that a reading of the same files has brought to the platform, and that no row is any more. */
    vanished: {
      named: vanished.flatMap(({ named }) => named),
      sums: vanished.flatMap(({ sums }) => sums),
    },
    /** How many valid rows no journal knows. */
    unknownRows: valueOf<number>(db, UNKNOWN_ROWS)!,
    /** The record of a row; undefined for a row that no journal knows. */
    recordOf(seq: number) {
      const found = firstRow<Record<'journal' | 'there' | 'reading', number>>(db, RECORD_OF, seq);
      return found && { ...found, file: files[found.journal]! };
    },
    /** Counts rows as arrived that a ledger has proven. */
    prove(rows: readonly number[]) {
      const list = JSON.stringify(rows);
      db.transaction(() => {
        for (const statement of PROVE) db.prepare(statement).run(list);
      })();
    },
  };
}

/** Gives the reading the rows that a journal knows best, with the problems of those whose record differs. */
function take(run: Reading, comparison: Comparison, journal: number): void {
  const { db, header } = run;
  const apart = valueOf<number>(db, 'SELECT max(seq) FROM main.record') ?? 0;
  db.exec(JUDGED_BY);
  db.prepare(
    'INSERT INTO temp.judged (seq, kind, there) SELECT seq, kind, there FROM temp.standing WHERE journal = ?',
  ).run(journal);
  const damaged = valueOf<number>(db, OTHER_CHECKSUM);
  if (damaged !== undefined)
    throw new DamageError(`the checksum of the record ${damaged} is not that of its row`);
  for (const statement of TAKE) db.prepare(statement).run({ apart });
  for (let after: number | undefined = 0; after !== undefined;) {
    const conflicts = comparison.conflicts(after, PAGE);
    run.keepProblems(
      conflicts
        .filter(isInvalidating)
        .map((conflict) =>
          changedProblem(header.resource, conflict, header.sources[conflict.source - 1]!.name),
        ),
    );
    after = conflicts.at(-1)?.seq;
  }
}

/** Counts every valid row as arrived, because a ledger without a difference has them all. */
export function countAsThere(db: RunDatabase): void {
  db.exec(
    `INSERT INTO outcome (seq, outcome, link_id) SELECT seq, 'existing', 0 FROM record WHERE state = 'valid'`,
  );
}

/** Leaves invalid rows out whose corrected copies have arrived. */
const LEAVE_CORRECTED = [
  `UPDATE main.record SET state = 'filtered', cause = 'corrected', cause_place = their.name
   FROM main.account AS own JOIN journal.account AS same USING (import_supplier, external_account_number)
     JOIN journal.record AS its ON its.account_id = same.id
     JOIN journal.outcome AS known ON known.seq = its.seq JOIN journal.source AS their ON their.id = its.source_id
   WHERE own.id = record.account_id AND ${IS_CORRECTED_COPY}`,
  `DELETE FROM main.problem WHERE (source_id, line) IN (SELECT source_id, first_line FROM main.record WHERE cause = 'corrected')`,
];

const RECORD_OF = `SELECT journal, there, reading FROM temp.standing WHERE seq = ? AND kind = 'same'`;

const UNKNOWN_ROWS = `
  SELECT count(*) FROM main.record WHERE state = 'valid' AND reading_id = 1 AND seq NOT IN (SELECT seq FROM temp.standing)`;

const PROVE = [
  `UPDATE outcome SET outcome = 'existing' WHERE seq IN (SELECT value FROM json_each(?))`,
  `DELETE FROM problem WHERE severity = 'error' AND seq IN (SELECT value FROM json_each(?))`,
];

/** `outcome`: of the record, `unknown` where it may be on the platform without one. */
const STANDING = `
  CREATE TEMP TABLE standing (
    seq INTEGER PRIMARY KEY, journal INTEGER NOT NULL, kind TEXT NOT NULL, there INTEGER, reading INTEGER, outcome TEXT, rank INTEGER NOT NULL)`;

const APART = "('changed', 'moved', 'pending')";

/** A journal that knows that the record has arrived knows it better than one that knows that another journal has sent it. */
const RATE = `
  INSERT INTO temp.standing (seq, journal, kind, there, reading, outcome, rank)
  SELECT judged.seq, ?, kind, judged.there, its.reading_id, coalesce(outcome, iif(judged.there IN temp.doubtful, 'unknown', NULL)), CASE
      WHEN kind = 'same' AND outcome = 'sent_before' THEN 1
      WHEN kind = 'same' AND outcome IN ${ARRIVED_SQL} THEN 0
      WHEN kind = 'changed' THEN 2 WHEN kind = 'pending' OR outcome = 'verify' THEN 3 WHEN kind = 'moved' THEN 4
      WHEN kind = 'same' AND outcome IS NULL THEN 5 WHEN kind = 'same' THEN 6 ELSE 7 END
  FROM temp.judged LEFT JOIN journal.record AS its ON its.seq = judged.there LEFT JOIN journal.outcome ON outcome.seq = its.seq WHERE TRUE
  ON CONFLICT (seq) DO UPDATE SET journal = excluded.journal, kind = excluded.kind, there = excluded.there,
    reading = excluded.reading, outcome = excluded.outcome, rank = excluded.rank
    WHERE excluded.rank < standing.rank`;

/**
 * The records that no row is any more. A reading of some rows says nothing about the others, and a row that is invalid now may be one of
 * them.
 */
const VANISHED = `
  FROM journal.record JOIN journal.source ON source.id = record.source_id LEFT JOIN journal.outcome ON outcome.seq = record.seq
  WHERE record.state = 'valid' AND iif(EXISTS (SELECT 1 FROM journal.source AS its WHERE its.place IN (SELECT place FROM main.source)),
      source.place IN (SELECT place FROM main.source), source.name IN (SELECT name FROM main.source))
    AND (outcome IN ('verify', ${ARRIVED_SQL.slice(1)} OR (outcome IS NULL AND record.seq IN temp.doubtful))
    AND record.seq NOT IN (SELECT there FROM temp.judged WHERE there IS NOT NULL)
    AND record.identity_key NOT IN (SELECT identity_key FROM main.record WHERE state = 'invalid' AND identity_key IS NOT NULL)
    AND NOT EXISTS (SELECT 1 FROM main.record WHERE cause IN ('window', 'shard'))`;
const NAMED_VANISHED = `
  SELECT source.name AS file, record.first_line AS line ${VANISHED} ORDER BY record.source_id, record.first_line LIMIT ?`;
const SUMS_OF_VANISHED = `SELECT type, count(*) AS count, decimal_sum(record.amount) AS sum ${VANISHED} GROUP BY type ORDER BY type`;

const JUDGED_BY = `
  DELETE FROM temp.judged; DROP TABLE IF EXISTS temp.told;
  CREATE INDEX IF NOT EXISTS temp.judged_there ON judged (there)`;

/** The chain does not seal the checksum of a record, which covers items from other rows, too. */
const OTHER_CHECKSUM = `
  SELECT its.seq FROM temp.judged JOIN main.record AS mine USING (seq) JOIN journal.record AS its ON its.seq = judged.there
  WHERE kind = 'same' AND its.payload_sha256 = mine.payload_sha256 AND its.parts IS mine.parts AND its.checksum <> mine.checksum LIMIT 1`;

/** The record of a row that is kept apart from it gets a number of its own behind all rows: the row's and this. */
const OWN_SEQ = `judged.seq + iif(judged.kind IN ${APART}, @apart, 0)`;

const TAKE = [
  `UPDATE main.record SET state = kind, there = judged.seq + @apart FROM temp.judged
   WHERE judged.seq = record.seq AND kind IN ${APART}`,
  `INSERT INTO main.record (seq, state, reading_id, place, source_id, first_line, last_line, byte_start, byte_end, account_id,
     identity_key, identity_variant, id, type, amount)
   SELECT ${OWN_SEQ}, 'valid', 0, 0, mine.source_id, 0, 0, 0, 0, mine.account_id,
     its.identity_key, its.identity_variant, its.id, its.type, its.amount
   FROM temp.judged JOIN main.record AS mine USING (seq) JOIN journal.record AS its ON its.seq = judged.there WHERE kind IN ${APART}`,
  `INSERT INTO main.outcome (seq, outcome, amount, link_id)
   SELECT ${OWN_SEQ}, standing.outcome, amount, coalesce(link_id, 0)
   FROM temp.judged JOIN temp.standing USING (seq) LEFT JOIN journal.outcome ON outcome.seq = judged.there
   WHERE standing.outcome IS NOT NULL AND judged.kind <> 'anew'`,
  // The requests that say something of rows which have not arrived.
  `CREATE TEMP TABLE told AS
   SELECT ${OWN_SEQ} AS seq, ${ofBatch('batch.id').replace('FROM batch', 'FROM journal.batch')} AS batch
   FROM temp.judged JOIN journal.record ON record.seq = judged.there LEFT JOIN journal.outcome ON outcome.seq = record.seq
   WHERE (kind <> 'anew' AND (outcome IS NULL OR outcome IN ('verify', 'rejected')))
     OR (kind = 'anew' AND outcome IS NULL AND EXISTS (SELECT 1 FROM journal.problem WHERE batch_id IS NOT NULL))`,
  `INSERT INTO main.problem (reading_id, seq, at_line, source_id, line, severity, code, header, document, lasting, unhidden)
   SELECT 1, record.seq, coalesce(at_line, line), record.source_id, line, severity, code, header, document, 1, unhidden
   FROM (
     SELECT problem.*, judged.seq AS row FROM journal.problem JOIN temp.judged ON judged.there = problem.seq AND kind = 'same'
     UNION ALL SELECT problem.*, min(told.seq) FROM journal.problem JOIN temp.told ON told.batch = problem.batch_id AND problem.seq IS NULL
     GROUP BY problem.id) AS problem
   JOIN main.record ON record.seq = row`,
];

const READINGS = `
  SELECT id AS number, rows, coalesce(matched, 0) AS matched, coalesce(open, 0) AS open, coalesce(unresolved, 0) AS unresolved
  FROM journal.reading LEFT JOIN (
    SELECT reading_id AS id, count(*) AS matched,
      sum(kind = 'anew' OR (kind = 'same' AND (outcome IS NULL OR outcome = 'rejected'))) AS open,
      sum(kind IN ${APART} OR outcome IN ('verify', 'rejected') OR (kind = 'same' AND outcome IS NULL)) AS unresolved
    FROM temp.judged JOIN journal.record ON record.seq = judged.there LEFT JOIN journal.outcome ON outcome.seq = record.seq
    GROUP BY reading_id) USING (id) ORDER BY id DESC`;

/** What people and ledgers have decided about the rows. */
const DECISIONS = `
  SELECT at, by, iif(kind = 'confirmed', json_extract(document, '$.verdict'), 'again') AS kind,
    json_extract(document, '$.ledger') AS ledger, max(rows) AS rows
  FROM (
    SELECT link_id AS link, count(*) AS rows FROM temp.judged JOIN journal.outcome ON outcome.seq = judged.there GROUP BY link_id
    UNION ALL SELECT until_id, count(DISTINCT seq) FROM (
      SELECT until_id, judged.seq FROM temp.judged JOIN journal.past_outcome ON past_outcome.seq = judged.there) GROUP BY until_id)
    JOIN journal.link ON link.id = link JOIN journal.event ON event.id = event_id
  WHERE kind = 'confirmed' OR (kind = 'planned_again' AND json_extract(document, '$.again'))
  GROUP BY link.id ORDER BY link.id`;
