import type { AccountKey } from '../../../core/contract/account.ts';
import type { SourceLine } from '../../push/ports/staging.ts';
import type { LocatedProblem } from '../../push/ports/report.ts';
import { THERE_ALREADY } from '../../push/ports/there-already.ts';
import { guardedRows } from '../database/integrity.ts';
import { problemInserter } from './problems.ts';
import { ARRIVED_SQL, END_OF_ROW, rowsOf } from '../database/outcome-sql.ts';
import { eachRow, firstRow, isAny } from '../database/queries.ts';
import type { RunDatabase } from '../database/run-database.ts';

/** An account of a run, with the line of its first valid record. */
export interface AccountOfRun extends AccountKey, SourceLine {
  /** The number that the run has for it. */
  readonly id: number;
}

/** An account of a run and the exact sum of its amounts; null when its records have none. */
export type AccountSum = AccountKey & SourceLine & { readonly total: string | null };

/** The records of an account that were not sent. */
export interface UnsentRecords extends SourceLine {
  readonly rows: number;
  /** The number of the first one in the run. */
  readonly seq: number;
}

/** Why the records of an account were not sent. */
export type UnsentAccount = Readonly<{ account: number; seq: number; problem: LocatedProblem }>;

/** The queries of a cohort to the run of one of its resources. Accounts come in the order of supplier and number. */
export type CohortOperations = ReturnType<typeof cohortOperations>;

/** Whether a refused record was refused because the platform has it, by the code of its problem. */
const EXISTS_THERE = `EXISTS (
  SELECT 1 FROM problem WHERE problem.source_id = own.source_id AND problem.line = own.first_line
    AND problem.code IN (SELECT value FROM json_each('${JSON.stringify(THERE_ALREADY)}')))`;

const IN_ORDER = 'ORDER BY import_supplier, external_account_number';

export function cohortOperations(db: RunDatabase, reading: number) {
  const rows = rowsOf(db, reading);
  const outcomes = `SELECT ${END_OF_ROW} AS outcome, seq, source_id, source, first_line
    FROM ${rows} LEFT JOIN outcome USING (seq) WHERE record.state NOT IN ('invalid', 'filtered') AND record.account_id = ?`;
  const failed = `FROM (${outcomes}) AS own WHERE outcome = 'unknown' OR (outcome = 'rejected' AND NOT ${EXISTS_THERE})`;
  const each = <T>(sql: string, ...values: unknown[]): Iterable<T> =>
    guardedRows(db, eachRow<T>(db, sql, ...values));
  return {
    accounts: () =>
      each<AccountOfRun>(
        `SELECT account.id, import_supplier, external_account_number, source, first_line AS line, min(seq)
         FROM ${rows} JOIN account ON account.id = account_id WHERE state NOT IN ('invalid', 'filtered') GROUP BY account_id ${IN_ORDER}`,
      ),
    /** `types`: only records of these types; undefined for all. */
    sums: (types: readonly string[] | undefined) =>
      each<AccountSum>(
        `SELECT import_supplier, external_account_number, source, first_line AS line, min(seq),
           decimal_sum(amount) AS total
         FROM ${rows} JOIN account ON account.id = account_id
         WHERE state NOT IN ('invalid', 'filtered') ${types ? 'AND type IN (SELECT value FROM json_each(?))' : "AND ? <> ''"}
         GROUP BY account_id ${IN_ORDER}`,
        JSON.stringify(types ?? []),
      ),
    /** The first line of each id that occurs in two files. */
    idsInTwoFiles: () =>
      each<SourceLine>(
        `SELECT source, first_line AS line, min(seq) FROM ${rows}
         WHERE state NOT IN ('invalid', 'filtered') AND id IS NOT NULL
         GROUP BY id HAVING count(DISTINCT source_id) > 1 ORDER BY 3`,
      ),
    keyOf: (account: number) =>
      firstRow<AccountKey>(
        db,
        'SELECT import_supplier, external_account_number FROM account WHERE id = ?',
        account,
      )!,
    /** Whether a command has seen the import of the account under way. */
    wasUnderWay: (account: number) =>
      isAny(db, 'SELECT 1 FROM account WHERE id = ? AND seen_under_way = 1', account),
    rememberUnderWay: (account: number) =>
      db.transaction(() => db.prepare('UPDATE account SET seen_under_way = 1 WHERE id = ?').run(account))(),
    /**
     * Whether a record of the account has not arrived: it was refused, or nobody knows whether it was applied. A refusal because the
     * record exists does not count, because the platform itself says that it is there.
     */
    hasFailed: (account: number) => isAny(db, `SELECT 1 ${failed}`, account),
    /** Whether every valid record of the account has arrived. */
    isDone: (account: number) =>
      !isAny(db, `SELECT 1 FROM (${outcomes}) WHERE outcome NOT IN ${ARRIVED_SQL}`, account),
    /** The first record of the account with the outcome that counts as failed; undefined without one. */
    firstOf: (account: number, outcome: 'rejected' | 'unknown') =>
      firstRow<SourceLine>(
        db,
        `SELECT source, first_line AS line FROM (SELECT * ${failed}) WHERE outcome = ? ORDER BY seq LIMIT 1`,
        account,
        outcome,
      ),
    /** The first record of the account that was not sent, and how many there are; undefined without one. */
    notSent(account: number) {
      const unsent = firstRow<UnsentRecords>(
        db,
        `SELECT count(*) AS rows, source, first_line AS line, min(seq) AS seq
           FROM (${outcomes}) WHERE outcome = 'not_sent'`,
        account,
      )!;
      return unsent.rows === 0 ? undefined : unsent;
    },
    /** Keeps why accounts were not sent, until the run is continued. The reasons are kept together or not at all. */
    keepUnsent(reasons: Iterable<UnsentAccount>) {
      const insert = problemInserter(db);
      const batchOf = db
        .prepare<[number, number], number>(
          'SELECT id FROM batch WHERE account_id = ? AND first_seq <= ? ORDER BY first_seq DESC LIMIT 1',
        )
        .pluck();
      // A problem of an open batch that does not last is removed when the run is continued.
      db.transaction(() => {
        for (const { account, seq, problem } of reasons)
          insert(problem, { reading, batch: batchOf.get(account, seq)!, isLasting: false });
      })();
    },
  };
}
