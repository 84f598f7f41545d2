import { digitsOf, foldedText } from '../../push/ports/identifier-text.ts';
import {
  EMPTY_DAYS,
  type GrossAmounts,
  type NumberedField,
  type NumberLengths,
  type RowTally,
  type WholeFile,
} from '../../push/ports/staging.ts';
import { repetitionsOf } from './repetitions.ts';
import type { RunDatabase } from '../database/run-database.ts';

/** The questions about all records, as queries over a run file. */
export function wholeFileQueries(db: RunDatabase): WholeFile {
  db.function('folded', { deterministic: true }, (text) => foldedText(String(text)));
  db.function('digit_run', { deterministic: true }, (text) => digitsOf(String(text)).run);
  db.function('number_shape', { deterministic: true }, (text) => digitsOf(String(text)).shape);
  const tally = (groups: string): RowTally | undefined => tallyOfGroups(db, groups);
  return {
    idsAreApart() {
      const { ids, apart } = db
        .prepare<[], { ids: number; apart: number }>(
          `SELECT count(*) AS ids, count(DISTINCT ${FOLDED_ID}) AS apart FROM record WHERE state = 'valid'`,
        )
        .get()!;
      return ids > 0 && ids === apart;
    },
    repetitions: () => repetitionsOf(db),
    collidingIds: () =>
      tally(`SELECT min(seq) AS seq, count(DISTINCT id) AS size FROM record WHERE state = 'valid' AND id IS NOT NULL
             GROUP BY account_id, ${FOLDED_ID} HAVING min(id) <> max(id)`),
    idsOnSeveralAccounts: () =>
      tally(`SELECT min(seq) AS seq, 1 AS size FROM record WHERE state = 'valid' AND id IS NOT NULL
             GROUP BY id HAVING min(account_id) <> max(account_id)`),
    collidingAccounts: () =>
      tally(`SELECT (SELECT min(seq) FROM record WHERE account_id = min(account.id) AND state = 'valid') AS seq,
               count(*) AS size
             FROM account GROUP BY import_supplier, ${folded('external_account_number')} HAVING count(*) > 1`),
    numberLengths: (field) =>
      db
        .prepare<[], NumberLengths>(
          `SELECT shape, length(run) AS digits, count(*) AS count, sum(run GLOB '0*') AS zeroLed
           FROM (${NUMBERS[field]}) GROUP BY shape, digits ORDER BY shape, digits`,
        )
        .all(),
    numbersBelow: (field, shape, digits) => {
      const { count, seq } = db
        .prepare<[string, number], { count: number; seq: number | null }>(
          `SELECT count(*) AS count, min(seq) AS seq FROM (${NUMBERS[field]}) WHERE shape = ? AND length(run) < ?`,
        )
        .get(shape, digits)!;
      return seq === null ? undefined : { count, first: lineOf(db, seq) };
    },
    numbersWithAndWithoutZeros: (field, shape) => {
      const { count, seq } = db
        .prepare<[string], { count: number; seq: number | null }>(
          `SELECT count(*) AS count, min(seq) AS seq FROM (
             SELECT min(iif(run GLOB '0*', NULL, seq)) AS seq FROM (${NUMBERS[field]}) WHERE shape = ?
             GROUP BY ltrim(run, '0') HAVING count(*) > 1 AND min(run GLOB '0*') = 0)`,
        )
        .get(shape)!;
      return seq === null ? undefined : { count, first: lineOf(db, seq) };
    },
    splitSeconds: (field) =>
      tally(`SELECT seq, 1 AS size FROM record WHERE state = 'valid' AND payload ->> '${field}' GLOB '*.*'`),
    missingValues: (field) =>
      db
        .prepare<[], { type: string | null; records: number; count: number; seq: number }>(
          `SELECT type, count(*) AS records, sum(value IS NULL) AS count, min(iif(value IS NULL, seq, NULL)) AS seq
           FROM (${valuesOf(field)}) GROUP BY type HAVING sum(value IS NULL) > 0 ORDER BY type`,
        )
        .all()
        .map(({ seq, ...missing }) => ({ ...missing, first: lineOf(db, seq) })),
    dateGroups: (field) =>
      db
        .prepare<[], { period: string; count: number; seq: number }>(
          `SELECT iif(substr(value, 1, 10) IN ('${EMPTY_DAYS.join(`', '`)}'), substr(value, 1, 10), substr(value, 1, 4))
             AS period, count(*) AS count, min(seq) AS seq
           FROM (${valuesOf(field)}) WHERE value IS NOT NULL GROUP BY period ORDER BY period`,
        )
        .all()
        .map(({ seq, ...group }) => ({ ...group, first: lineOf(db, seq) })),
    sharedTexts: (field) =>
      tally(`SELECT min(seq) AS seq, count(*) AS size FROM (${valuesOf(field)}) WHERE value IS NOT NULL
             GROUP BY value HAVING min(account_id) <> max(account_id)`),
    supersededStatements: () =>
      tally(`SELECT min(seq) AS seq, count(*) - 1 AS size
             FROM (SELECT seq, account_id, id, payload ->> 'number' AS number,
                     payload ->> 'bill_period_from_date' AS start, payload ->> 'bill_period_to_date' AS stop
                   FROM record WHERE state = 'valid')
             WHERE number <> '' GROUP BY account_id, number, start, stop HAVING min(id) <> max(id)`),
    grossAmounts: () => grossAmountsOf(db),
    signedAmounts: () =>
      db
        .prepare<[], { type: string; count: number; negative: number; seq: number }>(
          `SELECT type, count(*) AS count, sum(amount GLOB '-*') AS negative, min(seq) AS seq
           FROM record WHERE state = 'valid' AND amount GLOB '*[1-9]*' GROUP BY type ORDER BY type`,
        )
        .all()
        .map(({ seq, ...amounts }) => ({ ...amounts, first: lineOf(db, seq) })),
  };
}

const valuesOf = (field: string): string =>
  `SELECT seq, account_id, type, payload ->> '${field}' AS value FROM record WHERE state = 'valid'`;

const isNumber = (column: string): string => `${column} NOT GLOB '*[^0-9]*'`;

/** Each identifier of a field once: its shape, its longest run of digits, and its first record. */
const NUMBERS: Readonly<Record<NumberedField, string>> = {
  account: `
    SELECT iif(${isNumber('number')}, '#', number_shape(number)) AS shape,
      iif(${isNumber('number')}, number, digit_run(number)) AS run, seq
    FROM (SELECT external_account_number AS number, min(seq) AS seq
          FROM record JOIN account ON account.id = account_id WHERE state = 'valid' GROUP BY account_id)
    WHERE number GLOB '*[0-9]*'`,
  id: `
    SELECT '#' AS shape, id AS run, min(seq) AS seq FROM record
    WHERE state = 'valid' AND id <> '' AND ${isNumber('id')} GROUP BY id`,
};

/** SQLite folds ASCII by itself, much faster than our function, and only ASCII. */
function folded(column: string): string {
  return `iif(${column} GLOB '*[^ -~]*', folded(${column}), lower(${column}))`;
}

const FOLDED_ID = folded('record.id');

function tallyOfGroups(db: RunDatabase, groups: string): RowTally | undefined {
  const { count, seq } = db
    .prepare<[], { count: number | null; seq: number | null }>(
      `SELECT sum(size) AS count, min(seq) AS seq FROM (${groups}) WHERE seq IS NOT NULL`,
    )
    .get()!;
  return seq === null ? undefined : { count: count!, first: lineOf(db, seq) };
}

function lineOf(db: RunDatabase, seq: number): RowTally['first'] {
  return db
    .prepare<[number], RowTally['first']>(
      'SELECT source_id AS source, first_line AS line FROM record WHERE seq = ?',
    )
    .get(seq)!;
}

/** Amounts of statements are whole numbers of at most 15 digits, which SQLite keeps exactly. */
function grossAmountsOf(db: RunDatabase): GrossAmounts | undefined {
  const row = db
    .prepare<[], { count: number; seq: number | null; largest: number; hundreds: number }>(
      `SELECT count(*) AS count, min(seq) AS seq, max(abs(gross)) AS largest, sum(gross % 100 = 0) AS hundreds
       FROM (SELECT seq, CAST(amount AS INTEGER) AS gross FROM record WHERE state = 'valid' AND amount IS NOT NULL)
       WHERE gross <> 0`,
    )
    .get()!;
  const { count, seq, largest, hundreds } = row;
  return seq === null ? undefined : { count, largest, hundreds, first: lineOf(db, seq) };
}
