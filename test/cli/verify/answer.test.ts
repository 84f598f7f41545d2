import { expect, test } from 'vitest';
import { answerOf } from '../../../src/cli/verify/answer.ts';
import type { VerifiedPart } from '../../../src/cli/verify/verification-schema.ts';
import { ROWS } from '../../support/run-report.ts';

const GOOD = { comparisons: [], changed: 0, totals_equal: true, changed_since: null, rows: ROWS };

test.each([
  [
    { comparisons: [{ errors_total: 0 }, { errors_total: 1 }] },
    'UNRECONCILED',
    'there in 1 record: this does not',
  ],
  [{ totals_equal: false, changed_since: {} }, 'UNRECONCILED', 'All 3 records arrived, but sums differ'],
  [{ changed_since: {} }, 'UNFINISHED', 'All 3 records arrived, but the files have changed'],
])('the answer about a cohort is the same whichever resource has %j', (part, exit, sentence) => {
  for (const at of [0, 1, 2]) {
    const parts = [GOOD, GOOD, GOOD].with(at, { ...GOOD, ...part } as typeof GOOD);
    const found = answerOf({ ...ROWS, created: 3, rejected: 0 }, parts as unknown as readonly VerifiedPart[]);
    expect(found).toMatchObject({ exit, answer: { everything_arrived: false } });
    expect(found.answer.sentence).toContain(sentence);
  }
});
