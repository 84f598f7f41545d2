import type { Statement } from 'better-sqlite3';
import type { AccountKey } from '../../../core/contract/account.ts';
import type { SourceLine } from '../../push/ports/staging.ts';
import { THERE_ALREADY } from '../../../core/contract/resources.ts';
import type { LocatedProblem, RowOutcome } from '../../push/ports/report.ts';
import { problemInserter } from './problems.ts';
import { ARRIVED_SQL, END_OF_ROW, rowsOf } from '../database/outcome-sql.ts';
import { eachRow, firstRow, isAny } from '../database/queries.ts';
import type { RunDatabase } from '../database/run-database.ts';
import { IS_APART } from '../database/schema.ts';

/** Records of an account with one outcome, and the first of them. */
interface AccountEnd extends SourceLine {
  readonly outcome: RowOutcome | 'invalid';
  readonly isArrived: 0 | 1;
  /** Whether they were refused, or may have been applied. A refusal because the record exists does not count. */
  readonly isFailed: 0 | 1;
  readonly rows: number;
  readonly seq: number;
}

/** Why the records of an account were not sent. */
export type UnsentAccount = Readonly<{ account: number; seq: number; problem: LocatedProblem }>;

/** Whether a refused record was refused because the platform has it, by the code of its problem. */
const EXISTS_THERE = `EXISTS (
  SELECT 1 FROM problem WHERE problem.source_id = own.source_id AND problem.line = own.first_line
    AND problem.code IN (SELECT value FROM json_each('${JSON.stringify(THERE_ALREADY)}')))`;

/** The ends of the records of an account. Beside the only min() SQLite takes the other columns from the row with the minimum. */
const endsSql = (rows: string): string => {
  // Two queries, because each has an index: this is asked for every account.
  const own = (state: string): string => `
    SELECT ${END_OF_ROW} AS outcome, seq, source_id, source, first_line FROM ${rows} LEFT JOIN outcome USING (seq)
    WHERE record.account_id = ? AND record.state ${state}`;
  return `
    WITH own AS MATERIALIZED (${own("= 'valid'")} UNION ALL ${own(IS_APART)})
    SELECT outcome, outcome IN ${ARRIVED_SQL} AS isArrived,
      outcome = 'unknown' OR (outcome = 'rejected' AND NOT ${EXISTS_THERE}) AS isFailed,
      count(*) AS rows, min(seq) AS seq, source, first_line AS line
    FROM own GROUP BY 1, 2, 3`;
};

/** The order of `ORDER BY` below: that of the bytes in UTF-8. The units of JavaScript would order some emoji otherwise. */
export function compareAccounts(one: AccountKey, other: AccountKey): number {
  return Buffer.compare(sortedAs(one), sortedAs(other));
}

const sortedAs = ({ import_supplier, external_account_number }: AccountKey) =>
  Buffer.from(`${import_supplier}\0${external_account_number}`);

/** The queries of a cohort to the run of one of its resources. Accounts come in the order of supplier and number. */
export type CohortOperations = ReturnType<typeof cohortOperations>;

export function cohortOperations(db: RunDatabase, reading: number) {
  const key = 'import_supplier, external_account_number';
  /** Asked for late: a journal lists many readings, and few of them are of a cohort that is sent. */
  const rows = (): string => rowsOf(db, reading);
  /** Of each account the key, the line of its first valid record, and `columns`. */
  const each = <T>(columns: string, types?: readonly string[]) =>
    eachRow<AccountKey & SourceLine & T>(
      db,
      `SELECT ${columns}, ${key}, source, first_line AS line, min(seq)
       FROM ${rows()} JOIN account ON account.id = account_id
       WHERE state NOT IN ('invalid', 'filtered') AND (@types IS NULL OR type IN (SELECT value FROM json_each(@types)))
       GROUP BY account_id ORDER BY ${key}`,
      { types: types ? JSON.stringify(types) : null },
    );
  let ends: Statement<[number, number], AccountEnd> | undefined;
  const endsOf = (account: number): readonly AccountEnd[] => {
    ends ??= db.prepare(endsSql(rows()));
    return ends.all(account, account);
  };
  return {
    /** `id`: the number that the run has for it. */
    accounts: () => each<{ readonly id: number }>('account.id'),
    /** The exact sum of the amounts of each account; null when its records have none. `types`: only records of these types. */
    sums: (types: readonly string[] | undefined) =>
      each<{ readonly total: string | null }>('decimal_sum(amount) AS total', types),
    keyOf: (account: number) => firstRow<AccountKey>(db, `SELECT ${key} FROM account WHERE id = ?`, account)!,
    /** Whether a command has seen the import of the account under way. */
    wasUnderWay: (account: number) =>
      isAny(db, 'SELECT 1 FROM account WHERE id = ? AND seen_under_way = 1', account),
    rememberUnderWay: (account: number) =>
      db.transaction(() => db.prepare('UPDATE account SET seen_under_way = 1 WHERE id = ?').run(account))(),
    /** Whether a record of the account has failed. */
    hasFailed: (account: number) => endsOf(account).some(({ isFailed }) => isFailed),
    /** Whether every valid record of the account has arrived. */
    isDone: (account: number) => endsOf(account).every(({ isArrived }) => isArrived),
    /** The first record of the account with the outcome that counts as failed; undefined without one. */
    firstOf: (account: number, outcome: 'rejected' | 'unknown'): SourceLine | undefined =>
      endsOf(account).find((end) => end.isFailed && end.outcome === outcome),
    /** The records of the account that were not sent; undefined without one. */
    notSent: (account: number) => endsOf(account).find(({ outcome }) => outcome === 'not_sent'),
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
