import type { Repetition, Repetitions, RowTally } from '../../push/ports/staging.ts';
import type { RunDatabase } from '../database/run-database.ts';

/** Groups of records with one identity, in temporary tables: a file may repeat every row that it has. */
export function repetitionsOf(db: RunDatabase): Repetitions {
  db.transaction(() => db.exec(FIND))();
  return {
    laterNotes: () => tallyOf(db, LATER_NOTES),
    page(after, limit): Repetition[] {
      return db
        .prepare<[number, number], PageRow>(PAGE)
        .all(after, limit)
        .map(({ seq, source, line, exact, first, other_source, other_line }) => ({
          seq,
          source,
          line,
          exact: exact === 1,
          firstSeq: first,
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
  readonly first: number;
  readonly other_source: number;
  readonly other_line: number;
}

const IDENTITY = 'account_id, identity_key, identity_variant';

/**
 * `twin`: the identities that occur more than once, with the first record of each. `repetition`: all their records, and
 * whether each has the content of the first; the times of one identity are equal, however they are written. `sibling`: of
 * each group the second record, and the first one with other content.
 *
 * `record` is read once and looks up its group, because groups are few and an index on all records would cost more.
 */
const FIND = `
  DROP TABLE IF EXISTS temp.twin;
  DROP TABLE IF EXISTS temp.repetition;
  DROP TABLE IF EXISTS temp.sibling;
  CREATE TEMP TABLE twin (account_id, identity_key, identity_variant, first, PRIMARY KEY (${IDENTITY})) WITHOUT ROWID;
  INSERT INTO twin SELECT ${IDENTITY}, min(seq) FROM record WHERE state = 'valid'
    GROUP BY ${IDENTITY} HAVING count(*) > 1;
  CREATE TEMP TABLE repetition (seq INTEGER PRIMARY KEY, first, same);
  INSERT INTO repetition SELECT record.seq, first, coalesce(record.content, record.payload_sha256) = coalesce(head.content, head.payload_sha256)
      OR json_remove(record.payload, '$.created_at') = json_remove(head.payload, '$.created_at')
    FROM record CROSS JOIN twin USING (${IDENTITY}) CROSS JOIN record AS head ON head.seq = first
    WHERE record.state = 'valid' AND EXISTS (SELECT 1 FROM twin);
  CREATE TEMP TABLE sibling (first INTEGER PRIMARY KEY, second, differing);
  INSERT INTO sibling SELECT first, min(iif(seq = first, NULL, seq)), min(iif(same, NULL, seq))
    FROM repetition GROUP BY first;
`;

/** All but the first record of each group whose records have the same content. */
const LATER_EXACT = `
  SELECT seq FROM repetition JOIN sibling USING (first) WHERE seq <> first AND differing IS NULL`;

/**
 * The platform takes a note without `created_at` (an empty variant) for any earlier note with the same key. Only the first
 * such note counts here, because the later ones repeat it exactly.
 */
const LATER_WITHOUT_TIME = `
  SELECT min(iif(identity_variant = '', seq, NULL)) AS without_time FROM record WHERE state = 'valid'
  GROUP BY account_id, identity_key HAVING min(iif(identity_variant <> '', seq, NULL)) < without_time`;

const LATER_NOTES = `FROM record WHERE
  seq IN (${LATER_EXACT} UNION ALL ${LATER_WITHOUT_TIME})
  AND seq NOT IN (SELECT seq FROM repetition JOIN sibling USING (first) WHERE differing IS NOT NULL)`;

const PAGE = `
  SELECT record.seq, record.source_id AS source, record.first_line AS line, differing IS NULL AS exact, first,
    other.source_id AS other_source, other.first_line AS other_line
  FROM repetition JOIN sibling USING (first) JOIN record USING (seq)
  JOIN record AS other ON other.seq = CASE
    WHEN repetition.seq = first THEN coalesce(differing, second)
    WHEN differing IS NULL OR NOT same THEN first
    ELSE differing END
  WHERE repetition.seq > ? ORDER BY repetition.seq LIMIT ?`;

function tallyOf(db: RunDatabase, from: string): (RowTally & { accounts: number }) | undefined {
  const { count, accounts, source, line } = db
    .prepare<[], { count: number; accounts: number; source: number; line: number }>(
      // Beside min() SQLite takes the other columns from the row with the minimum.
      `SELECT count(*) AS count, count(DISTINCT account_id) AS accounts, min(seq), source_id AS source,
         first_line AS line ${from}`,
    )
    .get()!;
  return count === 0 ? undefined : { count, accounts, first: { source, line } };
}
