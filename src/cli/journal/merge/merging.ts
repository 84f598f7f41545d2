import { valueOf } from '../database/queries.ts';
import type { RunDatabase } from '../database/run-database.ts';

/** Rows that one transaction takes over. */
const ROWS_AT_ONCE = 50_000;

export interface Merging {
  /** The number of the reading in the journal. */
  readonly reading: number;
  /** Whether every record is sent again (`--again`), so that each needs its text. */
  readonly again: boolean;
  /** Whether the platform stores a record a second time. Then no record is put in doubt because it may be there. */
  readonly keepsSecond: boolean;
}

/**
 * Takes the rows of a reading over into the attached journal, by the judgements about them. Nothing of it is sent before the journal ends
 * the reading: a process that dies meanwhile leaves rows that the next reading of the files takes for unsent ones.
 */
export function mergeRows(db: RunDatabase, { reading, again, keepsSecond }: Merging): void {
  db.transaction(() => db.exec(ACCOUNTS))();
  const rows = valueOf<number | null>(db, 'SELECT max(seq) FROM main.record') ?? 0;
  const firstSource = 'SELECT min(id) - 1 FROM journal.source WHERE reading_id = ?';
  const values = {
    reading,
    again: again ? 1 : 0,
    mayBeThere: again && !keepsSecond ? 1 : 0,
    // The number that a row or a source gets in the journal is this and its own.
    seq: valueOf<number | null>(db, 'SELECT max(seq) FROM journal.record') ?? 0,
    source: valueOf<number | null>(db, firstSource, reading) ?? 0,
  };
  const run = db.transaction((statements: readonly string[], more: object = {}) => {
    for (const statement of statements) db.prepare(statement).run({ ...values, ...more });
  });
  for (let from = 1; from <= rows; from += ROWS_AT_ONCE)
    run([DELETE_UNSENT, REPLACE, TAKE_PLACE, INSERT], { from, to: from + ROWS_AT_ONCE - 1 });
  run([COLUMNS, PROBLEMS, BATCHES, BOUNDS]);
}

const ACCOUNTS = `
  INSERT INTO journal.account (import_supplier, external_account_number)
    SELECT import_supplier, external_account_number FROM main.account WHERE (import_supplier, external_account_number) NOT IN (
      SELECT import_supplier, external_account_number FROM journal.account) ORDER BY id;
  DROP TABLE IF EXISTS temp.its_account;
  CREATE TEMP TABLE its_account (own INTEGER PRIMARY KEY, its INTEGER NOT NULL);
  INSERT INTO temp.its_account SELECT own.id, its.id
    FROM main.account AS own JOIN journal.account AS its USING (import_supplier, external_account_number)`;

const JUDGED = 'SELECT judged.there FROM temp.judged WHERE judged.seq BETWEEN @from AND @to';

/** A record that has never had an outcome gives way to the row. */
const DELETE_UNSENT = `
  DELETE FROM journal.record WHERE seq IN (${JUDGED} AND kind = 'anew')
    AND seq NOT IN (SELECT seq FROM journal.outcome) AND seq NOT IN (SELECT seq FROM journal.past_outcome)`;

/** The chain still seals a record that was refused in another form. */
const REPLACE = `UPDATE journal.record SET state = 'replaced', payload = NULL WHERE seq IN (${JUDGED} AND kind = 'anew')`;

const PLACE = `
  reading_id = @reading, place = mine.place, source_id = mine.source_id + @source, first_line = mine.first_line,
  last_line = mine.last_line, byte_start = mine.byte_start, byte_end = mine.byte_end`;

const FROM_SAME = `
  FROM main.record AS mine JOIN temp.judged ON judged.seq = mine.seq AND kind = 'same'
  WHERE record.seq = judged.there AND mine.seq BETWEEN @from AND @to`;

/**
 * A text that was erased before the record arrived comes back, and with `--again` every text. One that has another form than the one that
 * was sent stays erased: the hash seals what was sent.
 */
const TEXT = `CASE WHEN record.payload IS NOT NULL OR (NOT @again AND EXISTS (
    SELECT 1 FROM journal.outcome WHERE outcome.seq = record.seq AND outcome NOT IN ('rejected', 'verify')))
  THEN record.payload WHEN record.payload_sha256 = mine.payload_sha256 THEN mine.payload END`;
const TAKE_PLACE = `UPDATE journal.record SET ${PLACE}, payload = ${TEXT} ${FROM_SAME}`;

const INSERT = `
  INSERT INTO journal.record (seq, state, reading_id, place, source_id, first_line, last_line, byte_start, byte_end, account_id,
    identity_key, identity_variant, id, type, amount, payload, payload_sha256, content, parts, checksum, cause, cause_place, there)
  SELECT mine.seq + @seq, iif(judged.kind IN ('changed', 'moved', 'pending'), judged.kind, mine.state), @reading, mine.place, source_id + @source,
    first_line, last_line, byte_start, byte_end, its, identity_key, identity_variant, mine.id, type, amount, payload, payload_sha256,
    content, parts, checksum,
    iif(origin IS NULL, cause, 'journal'), coalesce(origin, cause_place),
    CASE WHEN mine.state = 'repeated' THEN coalesce(
        (SELECT first.there FROM temp.judged AS first WHERE first.seq = mine.there AND first.kind = 'same'), mine.there + @seq)
      WHEN judged.kind <> 'anew' THEN judged.there END
  FROM main.record AS mine LEFT JOIN temp.judged USING (seq) LEFT JOIN temp.its_account ON own = mine.account_id
  WHERE mine.seq BETWEEN @from AND @to AND judged.kind IS NOT 'same' ORDER BY mine.seq`;

const COLUMNS = `
  UPDATE journal.source SET (columns, rows_from) = (SELECT columns, rows_from FROM main.source AS own WHERE own.id = source.id - @source)
  WHERE reading_id = @reading`;

const PROBLEMS = `
  INSERT INTO journal.problem (reading_id, source_id, line, severity, code, header, document, lasting, unhidden)
  SELECT @reading, source_id + @source, line, severity, code, header, document, lasting, unhidden FROM main.problem ORDER BY id`;

/** A request is held until a command takes the reading up. With `--again` it is in doubt when one of its records may be on the platform. */
const BATCHES = `
  INSERT INTO journal.batch (account_id, first_seq, last_seq, state, in_doubt)
  SELECT its, first_seq + @seq, last_seq + @seq, 'held', CASE WHEN @mayBeThere THEN EXISTS (
      SELECT 1 FROM main.record AS mine JOIN temp.judged USING (seq)
      WHERE mine.account_id = batch.account_id AND mine.seq BETWEEN first_seq AND last_seq AND kind = 'anew'
        AND (judged.there IN temp.doubtful OR judged.there IN (SELECT seq FROM journal.outcome WHERE outcome <> 'rejected'))) ELSE 0 END
  FROM main.batch JOIN temp.its_account ON own = account_id ORDER BY batch.id`;

const BOUNDS = `
  UPDATE journal.reading SET
    first_seq = (SELECT min(coalesce(min(judged.there), @seq + 1), @seq + 1) FROM temp.judged WHERE kind = 'same'),
    last_seq = max(
      (SELECT coalesce(max(judged.there), 0) FROM temp.judged WHERE kind = 'same'),
      (SELECT coalesce(max(seq), 0) FROM journal.record WHERE seq > @seq))
  WHERE id = @reading`;
