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
  expect(repaired.json()).toMatchObject({ rows: { read: 2, created: 2 } });
  expect(repaired.exitCode).toBe(0);
});

test('a record has moved although its id was refused on a third account', async () => {
  const site = await migration(seedWith('staged', 'imported', 'imported'));
  const push = ['push', 'transactions', 't.csv', '--json'] as const;
  const exits: number[] = [];
  for (const account of [1001, 1002, 1003]) {
    site.csv('t.csv', TRANSACTIONS, transaction(account, 't-1'));
    exits.push((await site.cli(...push)).exitCode);
  }
  expect(exits).toEqual([4, 0, 3]);
  expect((await site.ledger()).map((line) => line.external_account_number)).toEqual(['1002']);
});
