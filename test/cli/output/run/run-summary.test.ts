import { expect, test } from 'vitest';
import { rowsSentence, shownRun } from '../../../../src/cli/output/run/run-summary.ts';
import { NO_ROWS } from '../../../../src/cli/push/ports/report.ts';
import { reportWith } from '../../../support/run-report.ts';
import { shownText } from '../../../support/shown-text.ts';

const ending = { exit: 'REFUSED', resumable: true, next: 'dataimport resume r' } as const;
const resultWith = (report = reportWith()) => ({ report, ending, run: report.run, durationMs: 1_500 });

test('a summary has the outcomes of all rows, the exact totals, the requests and the next command', () => {
  expect(shownText(shownRun(resultWith()))).toBe(
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

test.each([
  [
    { read: 9, created: 4, existing: 2, uncompared: 1, confirmed: 1, sent_before: 1 },
    0,
    '9 rows read: 9 arrived (3 there already)',
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
  [1_761, '1761 rows read: 1761 arrived (1 there already)'],
  [1, '1761 rows read: 1761 arrived (1 there already), 1 of them now'],
  [0, '1761 rows read: 1761 arrived (1 there already), none of them now'],
])('a command says how many of the arrived rows it has brought there: %i', (arrivedNow, sentence) => {
  const rows = { ...NO_ROWS, read: 1_761, created: 1_760, existing: 1 };
  expect(rowsSentence({ report: reportWith({ rows }), arrivedNow })).toBe(sentence);
});
