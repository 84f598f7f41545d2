import { expect, test } from 'vitest';
import { documentOf } from '../../../src/cli/output/result.ts';
import { shownRunList } from '../../../src/cli/runs/run-list.ts';
import { ROWS } from '../../support/run-report.ts';
import { shownText } from '../../support/shown-text.ts';

type Listed = Parameters<typeof shownRunList>[0]['runs'][number];

const READING: Listed['readings'][number] = {
  reading: '20261121-101502-payment-instructions-4f2a',
  journal: 'platform.example-1f2e3d4c/ACME/payment-instructions',
  resource: 'payment-instructions',
  sources: ['payment-instructions.csv'],
  state: 'done',
  changed: 0,
  rows: { ...ROWS, read: 1_000_000, created: 500_000, existing: 250_000, verify: 100, filtered: 249_899 },
};

const listed = (given: Partial<Listed> = {}): Listed => ({
  run: '20261121-101502-push-payment-instructions',
  words: ['push', 'payment-instructions', 'payment-instructions.csv'],
  user: 'ada',
  begun: '2026-11-21T10:15:02.000Z',
  target: 'https://customer-data-import.platform.example/prefix',
  state: 'ended',
  ended: { at: '2026-11-21T10:16:02.000Z', exit: 'PARTIAL', reason: null },
  readings: [READING],
  open: 101,
  replaced_by: null,
  ...given,
});

const textOf = (...runs: Listed[]): string => shownText(shownRunList({ folder: '/f', runs, unread: [] }));

test('the list has what was typed, by whom, how it ended and what is open, and fits 80 columns', () => {
  const result = shownRunList({
    folder: '/f',
    runs: [
      listed(),
      listed({ replaced_by: '20261122-101502-push-payment-instructions', user: null, target: null }),
    ],
    unread: [
      {
        journal: 'p/ACME/notes',
        reason: 'its folder may not be written by this user: it belongs to user 1000',
      },
    ],
  });
  const text = shownText(result);
  expect(text.split('\n')).toEqual([
    '20261121-101502-push-payment-instructions  partial (6)',
    '    dataimport push payment-instructions payment-instructions.csv, by ada, to',
    '    https://customer-data-import.platform.example/prefix',
    '    payment-instructions: 1000000 rows read: 750000 arrived (250000 there',
    '    already), 100 unproven, 1 refused, 249899 left out',
    '    open: 101 rows',
    '20261121-101502-push-payment-instructions  partial (6)',
    '    dataimport push payment-instructions payment-instructions.csv',
    '    replaced by 20261122-101502-push-payment-instructions',
    'p/ACME/notes cannot be read now: its folder may not be written by this user: it',
    'belongs to user 1000',
    '',
  ]);
  for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  expect(documentOf(result, 'OK')).toMatchObject({
    runs: [
      {
        run: listed().run,
        words: listed().words,
        user: 'ada',
        open: 101,
        replaced_by: null,
        readings: [READING],
      },
      { replaced_by: '20261122-101502-push-payment-instructions' },
    ],
    unread: [{ journal: 'p/ACME/notes' }],
  });
});

test.each<readonly [string, Partial<Listed>]>([
  ['ok (0)', { ended: { at: '', exit: 'OK', reason: null } }],
  [
    'unfinished (5): retry_time_used_up',
    { ended: { at: '', exit: 'UNFINISHED', reason: 'retry_time_used_up' } },
  ],
  ['of a later version', { ended: { at: '', exit: 'OF_A_LATER_VERSION', reason: null } }],
  ['running', { state: 'running', ended: null }],
  ['died', { state: 'died', ended: null }],
  ['not known', { state: 'unlisted', ended: null }],
])('a command is listed as %s', (word, given) => {
  expect(textOf(listed(given)).split('\n')[0]).toBe(`20261121-101502-push-payment-instructions  ${word}`);
});
