import { expect, test } from 'vitest';
import { checkSummary, rowsSentence, runSummary } from '../../../../src/cli/output/run/run-summary.ts';
import { reportWith, ROWS } from '../../../support/run-report.ts';

const ending = { exit: 'REFUSED', resumable: true, next: 'dataimport resume r' } as const;
const resultWith = (report = reportWith()) => ({ report, ending, run: report.run, durationMs: 1_500 });

test('a summary has the outcomes of all rows, the exact totals, the requests and the next command', () => {
  expect(runSummary(resultWith())).toBe(
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

test('amounts of statements are marked as minor units', () => {
  const totals = [{ type: null, currency: null, count: 1, read: '5324', accepted: '0' }];
  const text = runSummary(resultWith(reportWith({ resource: 'statements', controlTotals: totals })));
  expect(text).toContain('all, in minor units');
});

test('a file without rows is reported as 0 rows', () => {
  expect(rowsSentence({ rows: { ...ROWS, read: 0, created: 0, rejected: 0 } })).toBe('0 rows read');
});

test('a sending plan is shown with its size and its target', () => {
  const plan = {
    target: 'https://platform.example',
    requests: 2,
    accounts: 1,
    records: 3,
    bytes: 900,
    largest_request: { records: 2, bytes: 600 },
  };
  expect(runSummary({ ...resultWith(), plan })).toContain(
    'would send 2 requests of 3 records for 1 account to https://platform.example: 900 bytes in all, ' +
      'at most 2 records and 600 bytes in one request\n',
  );
  expect(runSummary({ ...resultWith(), plan: { ...plan, target: null } })).toContain(
    'for 1 account: 900 bytes',
  );
});

test('notes come before the next step, one line each, and cannot control the terminal', () => {
  const text = checkSummary({ ...resultWith(), notes: ['rejects: 1 row in a\u001b.csv', 'b'] });
  expect(text).toContain('rejects: 1 row in a\\u001b.csv\nb\nnext: ');
});
