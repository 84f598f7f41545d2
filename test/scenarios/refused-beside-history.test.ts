import { expect, test } from 'vitest';
import { seedWith, transaction, TRANSACTIONS } from '../support/cohort-site.ts';
import { migration } from '../support/migration.ts';

test('a refusal behind a record that the history keeps back leaves nothing in doubt', async () => {
  const site = await migration(seedWith('imported'));
  const push = ['push', 'transactions', 't.csv', '--skip-invalid', '--json'] as const;
  site.csv('t.csv', TRANSACTIONS, transaction(1001, 't-1'));
  expect(await site.cli(...push)).toMatchObject({ exitCode: 0 });
  site.csv('t.csv', TRANSACTIONS, transaction(1001, 't-1', '9.90'), transaction(1001, 't-2'));
  await site.faults('transactions before-commit failing times=1');
  const refused = await site.cli(...push);
  expect(refused.exitCode).toBe(4);
  expect(refused.json()).toMatchObject({ rows: { rejected: 1, invalid: 1 } });
  site.csv('t.csv', TRANSACTIONS, transaction(1001, 't-1'), transaction(1001, 't-2'));
  const repaired = await site.cli(...push);
  expect(repaired.json()).toMatchObject({ rows: { read: 2, created: 1, sent_before: 1 } });
  expect(repaired.exitCode).toBe(0);
});
