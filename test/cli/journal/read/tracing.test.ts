import { describe, expect, test } from 'vitest';
import { csvOf, NOW, row, stagedRun } from '../../../support/push-staged-run.ts';
import { problemWith } from '../../../support/run-report.ts';
import { created } from '../../../support/requests-of-a-run.ts';
import { runWithEveryEnd } from '../../../support/sent-run.ts';

const VIEW = { showValues: false, command: null };

describe('the records of a trace', () => {
  test('have the problems of their lines, and no attempt when they are invalid', async () => {
    const { run } = await runWithEveryEnd();
    const traced = (choice: object) => {
      const [{ outcome, attempts, problems }] = run.traced(choice, VIEW).records as [
        ReturnType<typeof run.traced>['records'][number],
      ];
      return [outcome, attempts.length, problems.map(({ code }) => code)];
    };
    expect(traced({ line: 4 })).toEqual(['invalid', 0, ['invalid']]);
    expect(traced({ account: 'A', line: 3 })).toEqual(['rejected', 1, ['invalid']]);
    expect(traced({ account: 'C' })).toEqual(['unknown', 1, []]);
  });

  test('that have arrived do not say why the rest of their account was not sent', async () => {
    const csv = csvOf(['1', '2', '3'].map((id) => row.transactions('A', id)));
    const { run } = await stagedRun('transactions', csv, { limits: { records: 1, bytes: 1_000_000 } });
    const operations = run.draining(() => NOW);
    const batch = (await operations.claimNext(1))!;
    await operations.settle(batch, created(batch));
    const problem = problemWith({ code: 'account_import_failed', file: 'transactions-1.csv', line: 3 });
    run.cohort.keepUnsent([{ account: 1, seq: 2, problem }]);
    const codes = run
      .traced({}, VIEW)
      .records.map(({ outcome, problems }) => [outcome, ...problems.map(({ code }) => code)]);
    expect(codes).toEqual([
      ['created'],
      ['not_sent', 'account_import_failed'],
      ['not_sent', 'account_import_failed'],
    ]);
  });

  test('that a rule has made invalid have no attempt, although their account has one', async () => {
    const csv = csvOf(['1', '2', '2'].map((id) => row.transactions('A', id)));
    const { run } = await stagedRun('transactions', csv, { skipInvalid: true });
    const operations = run.draining(() => NOW);
    const batch = (await operations.claimNext(1))!;
    await operations.settle(batch, created(batch));
    const found = run.traced({}, VIEW).records.map(({ outcome, attempts }) => [outcome, attempts.length]);
    expect(found).toEqual([
      ['created', 1],
      ['invalid', 0],
      ['invalid', 0],
    ]);
  });
});
