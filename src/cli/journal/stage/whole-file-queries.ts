import { likeness } from '../../push/ports/identifier-text.ts';
import type { RepeatedHashes, Repetition, RowTally, WholeFile } from '../../push/ports/staging.ts';
import { guard } from '../database/integrity.ts';
import { allRows, firstRow, isAny } from '../database/queries.ts';
import type { RunDatabase } from '../database/run-database.ts';

/** The questions about all records, as queries over a journal. */
export function wholeFileQueries(db: RunDatabase): WholeFile {
  db.function('likeness', { deterministic: true }, (text) => likeness(String(text)));
  const tally = (groups: string) => tallyOf(db, groups);
  return {
    repetitions() {
      db.transaction(() => db.exec(FIND_REPETITIONS))();
      return {
        laterNotes: () => tally(LATER_NOTES),
        page: (after, limit) => allRows<Repetition>(db, PAGE, after, limit),
      };
    },
    collidingIds: () =>
      tally(`SELECT min(seq) AS seq, count(DISTINCT id) AS size FROM record WHERE state = 'valid' AND id IS NOT NULL
             GROUP BY account_id, likeness(id) HAVING min(id) <> max(id)`),
    idsOnSeveralAccounts() {
      const ids = `SELECT id, min(seq) AS seq, 1 AS size FROM record WHERE state = 'valid' AND id IS NOT NULL
                   GROUP BY id HAVING min(account_id) <> max(account_id)`;
      const found = tally(ids);
      const sums = `SELECT decimal_sum(amount) AS sum, decimal_sum(iif(record.seq = shared.seq, amount, NULL)) AS sumOfFirst
                    FROM record JOIN (${ids}) AS shared USING (id) WHERE state = 'valid'`;
      return found && { ...found, ...firstRow<Record<'sum' | 'sumOfFirst', string | null>>(db, sums)! };
    },
    collidingAccounts: () =>
      tally(`SELECT (SELECT min(seq) FROM record WHERE account_id = min(account.id) AND state = 'valid') AS seq, count(*) AS size
             FROM account GROUP BY import_supplier, likeness(external_account_number) HAVING count(*) > 1`),
    sharedTexts: (field) =>
      tally(`SELECT min(seq) AS seq, count(*) AS size
             FROM (SELECT seq, account_id, payload ->> '${field}' AS value FROM record WHERE state = 'valid')
             WHERE value IS NOT NULL GROUP BY value HAVING min(account_id) <> max(account_id)`),
  };
}

/** Adds groups of records up, given as the first record and the size of each. Beside min() SQLite takes the other columns from its row. */
function tallyOf(db: RunDatabase, groups: string) {
  const { count, accounts, source, line } = firstRow<
    RowTally['first'] & Record<'count' | 'accounts', number>
  >(
    db,
    `SELECT coalesce(sum(size), 0) AS count, count(DISTINCT account_id) AS accounts, min(seq), source_id AS source, first_line AS line
     FROM (${groups}) JOIN record USING (seq)`,
  )!;
  return count === 0 ? undefined : { count, accounts, first: { source, line } };
}

const IDENTITY = 'account_id, identity_key, identity_variant';

/**
 * Groups of records with one identity, in temporary tables, because a file may repeat every row that it has. `twin`: the identities that
 * occur more than once, with the first record of each. `repetition`: all their records, and whether each has the content of the first; the
 * times of one identity are equal, however they are written. `sibling`: of each group the second record, and the first one with other content.
 *
 * `record` is read once and looks up its group, because groups are few and an index on all records would cost more.
 */
const FIND_REPETITIONS = `
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

const LATER_NOTES = `SELECT seq, 1 AS size FROM record
  WHERE seq IN (${LATER_EXACT} UNION ALL ${LATER_WITHOUT_TIME})
    AND seq NOT IN (SELECT seq FROM repetition JOIN sibling USING (first) WHERE differing IS NOT NULL)`;

const PAGE = `
  SELECT record.seq, record.source_id AS source, record.first_line AS line, differing IS NULL AS exact, first AS firstSeq,
    other.source_id AS otherSource, other.first_line AS otherLine
  FROM repetition JOIN sibling USING (first) JOIN record USING (seq)
  JOIN record AS other ON other.seq = CASE
    WHEN repetition.seq = first THEN coalesce(differing, second)
    WHEN differing IS NULL OR NOT same THEN first
    ELSE differing END
  WHERE repetition.seq > ? ORDER BY repetition.seq LIMIT ?`;

/** So many hashes are kept in memory, and then written. Most files have fewer. */
const WRITTEN_AT_ONCE = 200_000;

/** Finds out whether any hash occurs twice. Memory does not grow with the hashes. */
export function repeatedHashes(db: RunDatabase): RepeatedHashes {
  let waiting: number[] = [];
  let isWritten = false;
  db.exec(
    'DROP TABLE IF EXISTS temp.added_hash; CREATE TEMP TABLE added_hash (hash INTEGER NOT NULL) STRICT',
  );
  const insert = db.prepare('INSERT INTO temp.added_hash SELECT value FROM json_each(?)');
  const write = (): void => {
    guard(db, () => insert.run(JSON.stringify(waiting)));
    waiting = [];
    isWritten = true;
  };
  return {
    add(hash) {
      if (waiting.push(hash) === WRITTEN_AT_ONCE) write();
    },
    hasRepeated() {
      if (!isWritten)
        return Float64Array.from(waiting)
          .sort()
          .some((hash, at, all) => hash === all[at - 1]);
      write();
      return guard(db, () => isAny(db, 'SELECT 1 FROM temp.added_hash GROUP BY hash HAVING count(*) > 1'));
    },
  };
}
