import type { Repetition, Repetitions, Tally } from '../push/ports/whole-file.ts';
import type { RunDatabase } from './run-database.ts';

/** Groups of records that are one for the platform, in temporary tables: a file may repeat every row it has. */
export function repetitionsOf(db: RunDatabase): Repetitions {
  db.exec(FIND);
  return {
    leaveOutExact() {
      const tally = tallyOf(db, `${LATER} AND differing IS NULL`);
      if (!tally) return undefined;
      db.exec(LEAVE_OUT_EXACT);
      return tally;
    },
    laterNotes() {
      db.exec(FIND_UNDATED);
      return tallyOf(db, LATER_NOTES);
    },
    page(after, limit): Repetition[] {
      return db
        .prepare<[number, number], PageRow>(PAGE)
        .all(after, limit)
        .map(({ seq, source, line, exact, other_source, other_line }) => ({
          seq,
          source,
          line,
          exact: exact === 1,
          other: { source: other_source, line: other_line },
        }));
    },
  };
}

interface PageRow {
  readonly seq: number;
  readonly source: number;
  readonly line: number;
  readonly exact: number;
  readonly other_source: number;
  readonly other_line: number;
}

// Instants of one identity are the same, however they are written.
// `record` is read once and looks its group up: the groups are few, and an index on all records would cost more.
const FIND = `
  DROP TABLE IF EXISTS temp.twin;
  DROP TABLE IF EXISTS temp.repetition;
  DROP TABLE IF EXISTS temp.sibling;
  CREATE TEMP TABLE twin (account_id, identity, first, PRIMARY KEY (account_id, identity)) WITHOUT ROWID;
  INSERT INTO twin SELECT account_id, identity, min(seq) FROM record WHERE state = 'valid'
    GROUP BY account_id, identity HAVING count(*) > 1;
  CREATE TEMP TABLE repetition (seq INTEGER PRIMARY KEY, first, same);
  INSERT INTO repetition SELECT record.seq, first, record.payload = head.payload
      OR json_remove(record.payload, '$.created_at') = json_remove(head.payload, '$.created_at')
    FROM record CROSS JOIN twin USING (account_id, identity) CROSS JOIN record AS head ON head.seq = first
    WHERE record.state = 'valid' AND EXISTS (SELECT 1 FROM twin);
  CREATE TEMP TABLE sibling (first INTEGER PRIMARY KEY, second, differing);
  INSERT INTO sibling SELECT first, min(iif(seq = first, NULL, seq)), min(iif(same, NULL, seq))
    FROM repetition GROUP BY first;
`;

const LATER = `FROM repetition JOIN sibling USING (first) JOIN record USING (seq) WHERE seq <> first`;

/** A note by what the platform knows it by beside its instant: its body, or without one its documents. */
const CONTENT = `coalesce(nullif(json_extract(record.payload, '$.body'), ''), json_extract(record.payload, '$.document_paths'))`;

const CREATED_AT = `json_extract(record.payload, '$.created_at')`;

// Of those without an instant that have the same content the first one does: the others repeat it anyway.
const FIND_UNDATED = `
  DROP TABLE IF EXISTS temp.undated;
  DROP TABLE IF EXISTS temp.shadowed;
  CREATE TEMP TABLE undated (account_id, content, seq, PRIMARY KEY (account_id, content)) WITHOUT ROWID;
  INSERT INTO undated SELECT account_id, ${CONTENT} AS content, min(seq) FROM record
    WHERE state = 'valid' AND ${CREATED_AT} IS NULL AND content IS NOT NULL
      AND EXISTS (SELECT 1 FROM record WHERE state = 'valid' AND ${CREATED_AT} IS NOT NULL) GROUP BY 1, 2;
  CREATE TEMP TABLE shadowed AS SELECT DISTINCT undated.seq FROM record CROSS JOIN undated
    ON undated.account_id = record.account_id AND undated.content = ${CONTENT} AND record.seq < undated.seq
    WHERE record.state = 'valid' AND ${CREATED_AT} IS NOT NULL AND EXISTS (SELECT 1 FROM undated);
`;

const LATER_NOTES = `FROM record WHERE
  seq IN (SELECT seq FROM repetition JOIN sibling USING (first) WHERE seq <> first AND differing IS NULL
    UNION ALL SELECT seq FROM shadowed)
  AND seq NOT IN (SELECT seq FROM repetition JOIN sibling USING (first) WHERE differing IS NOT NULL)`;

const LEAVE_OUT_EXACT = `
  UPDATE record SET state = 'filtered', payload = NULL WHERE seq IN (
    SELECT seq FROM repetition JOIN sibling USING (first) WHERE seq <> first AND differing IS NULL);
  DELETE FROM repetition WHERE first IN (SELECT first FROM sibling WHERE differing IS NULL);
`;

const PAGE = `
  SELECT record.seq, record.source_id AS source, record.first_line AS line, differing IS NULL AS exact,
    other.source_id AS other_source, other.first_line AS other_line
  FROM repetition JOIN sibling USING (first) JOIN record USING (seq)
  JOIN record AS other ON other.seq = CASE
    WHEN repetition.seq = first THEN coalesce(differing, second)
    WHEN differing IS NULL OR NOT same THEN first
    ELSE differing END
  WHERE repetition.seq > ? ORDER BY repetition.seq LIMIT ?`;

function tallyOf(db: RunDatabase, from: string): (Tally & { readonly accounts: number }) | undefined {
  const row = db
    .prepare<[], { count: number; accounts: number; source: number; line: number }>(
      // Beside a minimum SQLite takes the other columns from the row that has it.
      `SELECT count(*) AS count, count(DISTINCT account_id) AS accounts, min(seq), source_id AS source,
         first_line AS line ${from}`,
    )
    .get()!;
  const { count, accounts, source, line } = row;
  return count === 0 ? undefined : { count, accounts, first: { source, line } };
}
