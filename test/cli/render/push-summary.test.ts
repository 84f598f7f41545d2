import { expect, test } from 'vitest';
import type { LocatedProblem } from '../../../src/cli/push/ports/located-problem.ts';
import type { RunReport } from '../../../src/cli/push/ports/report.ts';
import { problemsText, pushSummary, rowsSentence } from '../../../src/cli/render/push-summary.ts';

const ROWS = {
  read: 3,
  created: 2,
  existing: 0,
  verify: 0,
  rejected: 1,
  unknown: 0,
  not_sent: 0,
  invalid: 0,
  filtered: 0,
};

function report(given: Partial<RunReport> = {}): RunReport {
  return {
    run: 'r',
    resource: 'transactions',
    rows: ROWS,
    requests: { total: 3, retried: 1, byStatus: { 201: 2, 400: 1 } },
    accounts: { total: 2, done: 1, stopped: 1 },
    controlTotals: [{ type: 'CREDIT', currency: null, count: 3, read: '3.50', accepted: '2.00' }],
    problems: [],
    problemsTotal: 0,
    errorsTotal: 0,
    warningGroups: [],
    ...given,
  };
}

function problem(given: Partial<LocatedProblem>): LocatedProblem {
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

const ENDING = { exit: 'REFUSED', resumable: true, next: 'dataimport resume r', durationMs: 1_500 } as const;

test('a summary tells where every row ended, the exact totals, the requests and what to type next', () => {
  expect(pushSummary(report(), ENDING)).toBe(
    [
      'transactions: 3 rows read: 2 created, 1 rejected',
      '  type    count  read  accepted',
      '  CREDIT      3  3.50      2.00',
      '3 requests (1 tried again), 1 of 2 accounts done, 2 s',
      'next: dataimport resume r',
      '',
    ].join('\n'),
  );
});

test('amounts of statements are called minor units', () => {
  const totals = [{ type: null, currency: null, count: 1, read: '5324', accepted: '0' }];
  const text = pushSummary(report({ resource: 'statements', controlTotals: totals }), ENDING);
  expect(text).toContain('all, in minor units');
});

test('a file without rows is told as such', () => {
  expect(rowsSentence({ rows: { ...ROWS, read: 0, created: 0, rejected: 0 } })).toBe('0 rows read');
});

test('warnings about one column are one line, errors one each, and each step stands once', () => {
  const problems = [problem({}), problem({ line: 3 }), problem({ line: 4, code: 'min_value' })];
  const first = problem({
    severity: 'warning',
    code: 'field_not_shown_for_type',
    header: 'reference',
    column: 11,
    detail: 'is not shown for the type CREDIT',
  });
  const text = problemsText(
    report({ problems, problemsTotal: 102, errorsTotal: 3, warningGroups: [{ count: 99, first }] }),
  );
  expect(text.trimEnd().split('\n')).toEqual([
    't.csv:2:11 warning field_not_shown_for_type reference is not shown for the type CREDIT (and 98 more rows)',
    't.csv:2:6 error invalid amount is not a plain decimal',
    't.csv:3:6 error invalid amount is not a plain decimal',
    't.csv:4:6 error min_value amount is not a plain decimal',
    'help: invalid, min_value: Correct the cell.',
  ]);
});

test('errors beyond those that are shown are counted', () => {
  const problems = Array.from({ length: 30 }, (_, index) => problem({ line: index + 2 }));
  expect(problemsText(report({ problems, errorsTotal: 1_030 }))).toContain(
    '… and 1010 more errors (--json lists up to 1000)\n',
  );
});

test('control characters of a file stay visible and harmless', () => {
  const text = problemsText(report({ problems: [problem({ header: 'a\u001b[31m' })], errorsTotal: 1 }));
  expect(text).toContain('a\\u001b[31m');
});
