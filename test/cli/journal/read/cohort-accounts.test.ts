import { describe, expect, test } from 'vitest';
import { csvFrom, stagedRun, takenUp } from '../../../support/push-staged-run.ts';
import { problemWith } from '../../../support/run-report.ts';
import { runWithEveryEnd } from '../../../support/sent-run.ts';

describe('an account that was sent', () => {
  test('is done, has failed, or is not sent', async () => {
    const { run } = await runWithEveryEnd();
    const { cohort } = run;
    const states = ['A', 'C', 'D', 'E', 'G'].map((number) => {
      const { id } = [...cohort.accounts()].find((each) => each.external_account_number === number)!;
      const { rows, source, line, seq } = cohort.notSent(id) ?? {};
      return {
        number,
        isDone: cohort.isDone(id),
        hasFailed: cohort.hasFailed(id),
        rejected: cohort.firstOf(id, 'rejected'),
        unknown: cohort.firstOf(id, 'unknown'),
        notSent: rows === undefined ? undefined : { rows, source, line, seq },
      };
    });
    const none = {
      isDone: false,
      hasFailed: false,
      rejected: undefined,
      unknown: undefined,
      notSent: undefined,
    };
    expect(states).toMatchObject([
      { ...none, number: 'A', hasFailed: true, rejected: { source: 1, line: 3 } },
      { ...none, number: 'C', hasFailed: true, unknown: { source: 2, line: 3 } },
      { ...none, number: 'D', isDone: true },
      { ...none, number: 'E', hasFailed: true, rejected: { source: 2, line: 2 } },
      { ...none, number: 'G', notSent: { rows: 1, source: 2, line: 4, seq: 7 } },
    ]);
  });
});

test('why accounts were not sent is kept until the run is taken up again', async () => {
  const { run } = await stagedRun('transactions', csvFrom('transactions', 'A:1 A:2 A:3 B:4'), {
    limits: { records: 1, bytes: 1_000_000 },
  });
  const problem = problemWith({ code: 'account_not_imported', line: 3, file: 'transactions-1.csv' });
  run.cohort.keepUnsent([{ account: 1, seq: 2, problem }]);
  expect(run.report().problems).toMatchObject([{ code: 'account_not_imported', line: 3 }]);
  expect(run.report().errorsTotal).toBe(1);
  takenUp(run);
  expect(run.report().problems).toEqual([]);
});
