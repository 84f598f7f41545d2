import { likeness } from '../../push/ports/identifier-text.ts';
import type { RowTally, WholeFile } from '../../push/ports/staging.ts';
import type { RunDatabase } from '../database/run-database.ts';
import { repetitionsOf } from './repetitions.ts';

/** The questions about all records, as queries over a journal. */
export function wholeFileQueries(db: RunDatabase): WholeFile {
  db.function('likeness', { deterministic: true }, (text) => likeness(String(text)));
  const tally = (groups: string): RowTally | undefined => tallyOfGroups(db, groups);
  return {
    repetitions: () => repetitionsOf(db),
    collidingIds: () =>
      tally(`SELECT min(seq) AS seq, count(DISTINCT id) AS size FROM record WHERE state = 'valid' AND id IS NOT NULL
             GROUP BY account_id, likeness(id) HAVING min(id) <> max(id)`),
    idsOnSeveralAccounts: () =>
      tally(`SELECT min(seq) AS seq, 1 AS size FROM record WHERE state = 'valid' AND id IS NOT NULL
             GROUP BY id HAVING min(account_id) <> max(account_id)`),
    collidingAccounts: () =>
      tally(`SELECT (SELECT min(seq) FROM record WHERE account_id = min(account.id) AND state = 'valid') AS seq,
               count(*) AS size
             FROM account GROUP BY import_supplier, likeness(external_account_number) HAVING count(*) > 1`),
    sharedTexts: (field) =>
      tally(`SELECT min(seq) AS seq, count(*) AS size
             FROM (SELECT seq, account_id, payload ->> '${field}' AS value FROM record WHERE state = 'valid')
             WHERE value IS NOT NULL GROUP BY value HAVING min(account_id) <> max(account_id)`),
  };
}

function tallyOfGroups(db: RunDatabase, groups: string): RowTally | undefined {
  const { count, seq } = db
    .prepare<[], { count: number | null; seq: number | null }>(
      `SELECT sum(size) AS count, min(seq) AS seq FROM (${groups}) WHERE seq IS NOT NULL`,
    )
    .get()!;
  if (seq === null) return undefined;
  const first = db
    .prepare<[number], RowTally['first']>(
      'SELECT source_id AS source, first_line AS line FROM record WHERE seq = ?',
    )
    .get(seq)!;
  return { count: count!, first };
}
