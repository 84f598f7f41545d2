import {
  NO_ROWS,
  type LocatedProblem,
  type ProblemGroup,
  type RowCounts,
  type RunReport,
} from '../../src/cli/push/ports/report.ts';

/** The outcomes of three rows. */
export const ROWS: RowCounts = { ...NO_ROWS, read: 3, created: 2, rejected: 1 };

/** The report of a small run without problems, with changes. */
export function reportWith(given: Partial<RunReport> = {}): RunReport {
  return {
    run: 'r',
    resource: 'transactions',
    rows: ROWS,
    changed: 0,
    requests: { total: 3, retried: 1, byStatus: { 201: 2, 400: 1 } },
    accounts: { total: 2, done: 1, stopped: 1 },
    controlTotals: [{ type: 'CREDIT', currency: null, count: 3, read: '3.50', accepted: '2.00' }],
    chain: { head: '0'.repeat(64), links: 0 },
    leftOut: [],
    problems: [],
    problemsTotal: 0,
    errorsTotal: 0,
    errorGroups: [],
    warningGroups: [],
    ...given,
  };
}

/** A problem of an amount, with changes. */
export function problemWith(given: Partial<LocatedProblem> = {}): LocatedProblem {
  return {
    code: 'invalid',
    severity: 'error',
    file: 't.csv',
    line: 2,
    column: 6,
    header: 'amount',
    attr: 'amount',
    detail: 'is not a plain decimal',
    next: 'Correct the cell.',
    http_status: null,
    ...given,
  };
}

/** A group that begins with a problem. */
export function groupOf(first: LocatedProblem, count = 1, lines = [first.line ?? 1]): ProblemGroup {
  return { count, first, lines };
}
