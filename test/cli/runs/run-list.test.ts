import { expect, test } from 'vitest';
import { ageText, shownRunList, type ListedRunDocument } from '../../../src/cli/runs/run-list.ts';
import { PLAIN } from '../../../src/cli/output/text/paint.ts';
import { ROWS } from '../../support/run-report.ts';

const VIEW = { exit: 'OK', quiet: false, isTTY: true, cwd: '/', paint: () => PLAIN } as const;

const listed = (given: Partial<ListedRunDocument> = {}): ListedRunDocument => ({
  run: '20261121-101502-payment-instructions-4f2a',
  cohort: null,
  state: 'done',
  created_at: '2026-11-21T10:15:02Z',
  resource: 'payment-instructions',
  target: 'https://customer-data-import.platform.example/prefix',
  sources: ['payment-instructions.csv'],
  rows: { ...ROWS, read: 1_000_000, created: 500_000, existing: 250_000, verify: 100, filtered: 249_899 },
  replaced_by: '20261122-101502-payment-instructions-4f2a',
  reason: null,
  ...given,
});

const textOf = (runs: readonly ListedRunDocument[]): string =>
  shownRunList({ folder: '/f', runs, nowMs: Date.UTC(2026, 10, 21, 10, 18, 30) }).text(VIEW) as string;

test('the list of runs has a header, the age and the target of each run, and fits 80 columns', () => {
  const text = textOf([
    listed(),
    listed({
      state: 'inaccessible',
      created_at: null,
      target: null,
      sources: [],
      rows: null,
      replaced_by: null,
      reason: 'its folder may not be written by this user, because it belongs to user 1000',
    }),
  ]);
  expect(text.split('\n')).toEqual([
    '  run                                        state             age',
    '  20261121-101502-payment-instructions-4f2a  incomplete        3 min',
    '      payment-instructions.csv to',
    '      https://customer-data-import.platform.example/prefix',
    '      1000000 rows read: 500000 created, 250000 already there, 100 to verify, 1',
    '      rejected, 249899 left out',
    '      replaced by 20261122-101502-payment-instructions-4f2a',
    '  20261121-101502-payment-instructions-4f2a  cannot be opened',
    '      its folder may not be written by this user, because it belongs to user',
    '      1000',
    '',
  ]);
  for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
});

test.each<readonly [string, Partial<ListedRunDocument>]>([
  ['finished', { rows: { ...ROWS, rejected: 0, created: 3 } }],
  ['finished', { rows: { ...ROWS, rejected: 0, created: 1, confirmed: 1, sent_before: 1 } }],
  ['incomplete', { rows: { ...ROWS, rejected: 0, invalid: 1 } }],
  ['unfinished', { state: 'open', replaced_by: null }],
  ['texts erased', { state: 'forgotten', replaced_by: null }],
  ['replaced', { state: 'open' }],
  ['replaced', { state: 'forgotten' }],
])('a run is listed as %s: %j', (word, given) => {
  expect(textOf([listed(given)]).split('\n')[1]).toBe(
    `  20261121-101502-payment-instructions-4f2a  ${word}  3 min`,
  );
});

test.each([
  [-5_000, '0 s'],
  [59_999, '59 s'],
  [60_000, '1 min'],
  [7_199_000, '1 h'],
  [86_400_000, '1 day'],
  [200_000_000, '2 days'],
])('an age of %d ms is %s', (ageMs, text) => {
  expect(ageText(ageMs)).toBe(text);
});
