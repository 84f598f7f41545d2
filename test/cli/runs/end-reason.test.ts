import { expect, test } from 'vitest';
import { endReasonOf, reportWithReason } from '../../../src/cli/runs/end-reason.ts';
import { reportWith } from '../../support/run-report.ts';

test('too many errors are counted as in the summary, with the errors of requests that were in flight', () => {
  const before = reportWith({});
  const rows = { ...before.rows, invalid: 2, rejected: 10 };
  const reason = endReasonOf({ kind: 'too_many_errors', errors: 11, limit: 10 }, rows, 'dataimport resume r');
  const { problems } = reportWithReason({ ...before, rows, problems: [] }, reason, {
    file: 't.csv',
    resume: 'dataimport resume r',
  });
  expect(problems.map(({ detail }) => detail)).toEqual([
    'rows that are invalid or were refused: 12, more than the 10 of --max-errors',
  ]);
});
