import { FakePlatform } from './fake-platform.ts';
import { answer } from './push-batch.ts';
import { drained } from './push-drained.ts';
import { csvOf, row, stagedRun } from './push-staged-run.ts';

/**
 * A run of two files, sent with an end of each kind: A:1 and D:5 have arrived, A:2 and E:4 were refused, C:4 is unknown because its
 * answer was lost, G:6 was not sent after that, and a row of F is invalid.
 */
export async function runWithEveryEnd() {
  const t = row.transactions;
  const files = [
    csvOf([
      t('A', '1'),
      t('A', '2'),
      { ...t('F', '3'), amount: 'x' },
      { ...t('D', '5'), amount: '-5.5', type: 'CREDIT' },
    ]),
    csvOf([t('E', '4'), { ...t('C', '4'), amount: '4.05' }, t('G', '6')]),
  ];
  const refused = (status: number, body: object) =>
    ({ kind: 'answer', applied: false, answer: answer(status, body) }) as const;
  const invalid = { detail: 'No.', code: 'invalid', attr: 'transactions.0.type' };
  const platform = new FakePlatform('transactions', {
    'A#2': refused(400, { detail: 'x', errors: [invalid] }),
    'C#1': { kind: 'lost', applied: true },
    'E#1': refused(404, { detail: 'Not found.' }),
  });
  const staged = await stagedRun('transactions', files, {
    skipInvalid: true,
    limits: { records: 1, bytes: 1_000_000 },
  });
  await drained(staged.run, platform, { concurrency: 1, onReject: 'skip', retryForMs: 0 });
  return { ...staged, platform, texts: files };
}
