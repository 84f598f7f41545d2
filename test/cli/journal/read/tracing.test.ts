import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { csvOf, NOW, row, stagedRun } from '../../../support/push-staged-run.ts';
import { problemWith } from '../../../support/run-report.ts';
import { created } from '../../../support/requests-of-a-run.ts';
import { runWithEveryEnd } from '../../../support/sent-run.ts';

const VIEW = { showValues: false, command: null };

describe('the records of a trace', () => {
  test('are those on a line or of an account, and all without a choice', async () => {
    const { run } = await runWithEveryEnd();
    const seqs = (choice: object) => {
      const { total, records } = run.traced(choice, VIEW);
      expect(total).toBe(records.length);
      return records.map(({ seq }) => seq);
    };
    expect(seqs({})).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(seqs({ line: 3 })).toEqual([2, 6]);
    expect(seqs({ account: 'E' })).toEqual([5]);
    expect(seqs({ account: 'Z' })).toEqual([]);
  });

  test('have everything that the run knows of them', async () => {
    const { run } = await runWithEveryEnd();
    const [sent] = run.traced({ account: 'D' }, VIEW).records;
    const { payload, ...facts } = sent!;
    expect(JSON.parse(payload!)).toMatchObject({ transaction_id: '5', amount: -5.5 });
    expect(facts).toEqual({
      seq: 4,
      state: 'valid',
      source: 1,
      line: 5,
      lastLine: 5,
      importSupplier: 'ACME',
      account: 'D',
      id: '5',
      type: 'CREDIT',
      amount: '-5.5',
      payloadSha256: createHash('sha256').update(payload!).digest('hex'),
      cause: null,
      place: null,
      outcome: 'created',
      origin: null,
      batch: { id: expect.any(Number) as number, state: 'done', inDoubt: 0 },
      attempts: [
        {
          batch: facts.batch!.id,
          startedAt: NOW,
          endedAt: NOW,
          status: expect.any(Number) as number,
          result: 'settled',
          reason: null,
        },
      ],
      problems: [],
    });
  });

  test('have the problems of their lines, and no request when they are invalid', async () => {
    const { run } = await runWithEveryEnd();
    const traced = (choice: object) => {
      const [{ state, outcome, batch, attempts, problems, payloadSha256 }] = run.traced(choice, VIEW)
        .records as [ReturnType<typeof run.traced>['records'][number]];
      return [
        state,
        outcome,
        batch?.state,
        attempts.length,
        problems.map(({ code }) => code),
        payloadSha256?.length,
      ];
    };
    expect(traced({ line: 4 })).toEqual(['invalid', null, undefined, 0, ['invalid'], undefined]);
    expect(traced({ account: 'A', line: 3 })).toEqual(['valid', 'rejected', 'done', 1, ['invalid'], 64]);
    expect(traced({ account: 'C' })).toEqual(['valid', 'unknown', 'sent', 1, [], 64]);
  });

  test('say why their account was not sent, unless they have problems of their own', async () => {
    const csv = csvOf(['1', '2', '3'].map((id) => row.transactions('A', id)));
    const { run } = await stagedRun('transactions', csv, { limits: { records: 1, bytes: 1_000_000 } });
    const file = 'transactions-1.csv';
    const unsent = problemWith({ code: 'account_not_imported', file, line: 2 });
    run.cohort.keepUnsent([{ account: 1, seq: 1, problem: unsent }]);
    const codes = run.traced({}, VIEW).records.map(({ problems }) => problems.map(({ code }) => code));
    expect(codes).toEqual([['account_not_imported'], ['account_not_imported'], ['account_not_imported']]);
  });

  test('are at most a hundred, and all are counted', async () => {
    const rows = Array.from({ length: 101 }, (_, index) => row.transactions('A', `t-${index}`));
    const { run } = await stagedRun('transactions', csvOf(rows));
    const { total, records } = run.traced({ account: 'A' }, VIEW);
    expect([total, records.length, records.at(-1)!.id]).toEqual([101, 100, 't-99']);
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

  test('that a rule has made invalid have no request, although their account has one', async () => {
    const csv = csvOf(['1', '2', '2'].map((id) => row.transactions('A', id)));
    const { run } = await stagedRun('transactions', csv, { skipInvalid: true });
    const found = run
      .traced({}, VIEW)
      .records.map(({ state, outcome, batch }) => [state, outcome, batch?.id]);
    expect(found).toEqual([
      ['valid', 'not_sent', 1],
      ['invalid', null, undefined],
      ['invalid', null, undefined],
    ]);
  });
});
