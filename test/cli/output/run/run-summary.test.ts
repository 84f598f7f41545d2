import { expect, test } from 'vitest';
import { checkSummary, rowsSentence, runSummary } from '../../../../src/cli/output/run/run-summary.ts';
import { NO_ROWS } from '../../../../src/cli/push/ports/report.ts';
import { reportWith } from '../../../support/run-report.ts';

const ending = { exit: 'REFUSED', resumable: true, next: 'dataimport resume r' } as const;
const resultWith = (report = reportWith()) => ({ report, ending, run: report.run, durationMs: 1_500 });

test('a summary has the outcomes of all rows, the exact totals, the requests and the next command', () => {
  expect(runSummary(resultWith())).toBe(
    [
      'transactions: 3 rows read: 2 arrived, 1 refused',
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
  expect(rowsSentence({ report: reportWith({ rows: NO_ROWS }) })).toBe('0 rows read');
});

test.each([
  [
    { read: 9, created: 4, existing: 2, uncompared: 1, confirmed: 1, sent_before: 1 },
    0,
    '9 rows read: 9 arrived',
  ],
  [
    { read: 7, verify: 1, rejected: 1, unknown: 1, not_sent: 2, invalid: 2 },
    1,
    '7 rows read: 1 unproven, 1 refused, 3 waiting, 1 changed, 1 invalid',
  ],
  [{ read: 3, invalid: 1, filtered: 2 }, 0, '3 rows read: 1 invalid, 2 left out'],
])('every row ends in one of seven words: %j', (rows, changed, sentence) => {
  expect(rowsSentence({ report: reportWith({ rows: { ...NO_ROWS, ...rows }, changed }) })).toBe(sentence);
});

test.each([
  [1_761, '1761 rows read: 1761 arrived'],
  [1, '1761 rows read: 1761 arrived, 1 of them now'],
  [0, '1761 rows read: 1761 arrived, none of them now'],
])('a command says how many of the arrived rows it has brought there: %i', (arrivedNow, sentence) => {
  const rows = { ...NO_ROWS, read: 1_761, created: 1_760, existing: 1 };
  expect(rowsSentence({ report: reportWith({ rows }), arrivedNow })).toBe(sentence);
});

test('a sending plan is shown with its size and its target', () => {
  const plan = {
    target: 'https://platform.example',
    requests: 2,
    accounts: 1,
    records: 3,
  };
  expect(runSummary({ ...resultWith(), plan })).toContain(
    'would send 2 requests of 3 records for 1 account to https://platform.example\n',
  );
  expect(runSummary({ ...resultWith(), plan: { ...plan, target: null } })).toContain('for 1 account\n');
});

test('notes come before the next step, one line each, and cannot control the terminal', () => {
  const text = checkSummary({ ...resultWith(), notes: ['rejects: 1 row in a\u001b.csv', 'b'] }, true);
  expect(text).toContain('rejects: 1 row in a\\u001b.csv\nb\nnext: ');
});
