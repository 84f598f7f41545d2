import { createHash } from 'node:crypto';
import { rowsOf } from './outcome-sql.ts';
import { hexColumn, valueOf } from './queries.ts';
import type { RunDatabase } from './run-database.ts';

/** Rows whose lines are one text, because passing each of them to JavaScript takes as long as making it. */
const ROWS_AT_ONCE = 500;

/**
 * The number of rows that a reading was the last to read, and their seal: this number, and the hash of the rows and problems. docs/chain.md
 * specifies the lines.
 */
export function stagedRowsOf(db: RunDatabase, number: number) {
  const sealing = createHash('sha256');
  db.exec(IN_ORDER);
  db.exec(`INSERT INTO temp.in_order (seq) SELECT seq FROM ${rowsOf(db, number)} ORDER BY place`);
  const lines = db.prepare<[object], string | null>(ROWS).pluck();
  const rows = valueOf<number>(db, 'SELECT count(*) FROM temp.in_order')!;
  for (let from = 1; from <= rows; from += ROWS_AT_ONCE)
    sealing.update(lines.get({ from, to: from + ROWS_AT_ONCE - 1, reading: number }) ?? '');
  for (const text of db.prepare<[number], string>(PROBLEMS).pluck().iterate(number)) sealing.update(text);
  return { rows, seal: `${rows} ${sealing.digest('hex')}` };
}

/** The rows of a reading, numbered anew: a damaged place of a row may be any number. */
const IN_ORDER = `
  DROP TABLE IF EXISTS temp.in_order;
  CREATE TEMP TABLE in_order (number INTEGER PRIMARY KEY, seq INTEGER NOT NULL);`;

/** Keeps the seal of the rows of a reading, and how many there are. A reading that is thrown away needs none. */
export function sealReading(db: RunDatabase, number: number): void {
  if (db.name === '') return;
  const { rows, seal } = stagedRowsOf(db, number);
  db.transaction(() =>
    db.prepare('UPDATE reading SET seal = ?, rows = ? WHERE id = ?').run(seal, rows, number),
  )();
}

/** The rows of files that became no record of their own are sealed as the records that they are. */
const STATE = "iif(record.state IN ('changed', 'moved', 'pending', 'repeated'), 'valid', record.state)";
const SOURCE = 'source_id - (SELECT min(id) - 1 FROM source WHERE reading_id = @reading)';

const ROW = `
  record.place || ' ' || ${STATE} || ' ' || (${SOURCE}) || ' ' || first_line || ' ' || last_line || ' ' || byte_start || ' ' ||
  byte_end || ' ' || ${hexColumn('import_supplier')} || ' ' || ${hexColumn('external_account_number')} || ' ' ||
  ${hexColumn('identity_key')} || ' ' || ${hexColumn('identity_variant')} || ' ' || ${hexColumn('record.id')} || ' ' ||
  ${hexColumn('type')} || ' ' || coalesce(record.amount, '-') || ' ' || ${hexColumn('payload_sha256')} || ' ' ||
  ${hexColumn('content')} || ' ' || coalesce(cause, '-') || ' ' || ${hexColumn('cause_place')} || char(10)`;

const ROWS = `
  SELECT group_concat(text, '') FROM (
    SELECT ${ROW} AS text
    FROM temp.in_order JOIN record USING (seq) LEFT JOIN account ON account.id = account_id
    WHERE number BETWEEN @from AND @to ORDER BY number)`;

const PROBLEMS = `
  SELECT 'problem ' || severity || ' ' || code || ' ' || coalesce(source_id - (SELECT min(id) - 1 FROM source
      WHERE source.reading_id = problem.reading_id), '-') || ' ' || coalesce(line, '-') || ' ' ||
    ${hexColumn('document')} || char(10)
  FROM problem WHERE reading_id = ? AND batch_id IS NULL AND lasting = 0 ORDER BY id`;
