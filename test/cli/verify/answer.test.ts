import { expect, test } from 'vitest';
import { answerOf } from '../../../src/cli/verify/answer.ts';
import type { VerifiedPart } from '../../../src/cli/verify/verification-schema.ts';
import { ROWS } from '../../support/run-report.ts';

const GOOD = { comparisons: [], changed: 0, totals_equal: true, changed_since: null, rows: ROWS };
const DIFFERENT = { comparisons: [{ errors_total: 0 }, { errors_total: 1 }] };
const UNEQUAL = { totals_equal: false };
const SINCE = { changed_since: {} };

test.each([
  ['nothing', {}, 'OK', 'Everything arrived: 3 of 3 records.'],
  ['a record differs', DIFFERENT, 'UNRECONCILED', 'The files differ from what is there in 1 record: this'],
  ['a sum differs', UNEQUAL, 'UNRECONCILED', 'All 3 records arrived, but sums differ'],
  ['a file has changed', SINCE, 'UNFINISHED', 'All 3 records arrived, but the files have changed'],
  ['a sum differs, and a file has changed', { ...UNEQUAL, ...SINCE }, 'UNRECONCILED', 'All 3 records arr'],
])(
  'the answer about a cohort is the same whichever resource it is of which %s',
  (_, part, exit, sentence) => {
    for (const at of [0, 1, 2]) {
      const parts = [GOOD, GOOD, GOOD].with(at, { ...GOOD, ...part } as typeof GOOD);
      const rows = { ...ROWS, read: 3, created: 3, rejected: 0 };
      const { exit: found, answer } = answerOf(rows, parts as unknown as readonly VerifiedPart[]);
      expect([found, answer.everything_arrived]).toEqual([exit, exit === 'OK']);
      expect(answer.sentence).toContain(sentence);
    }
  },
);
