import { expect, onTestFinished, test } from 'vitest';
import { createScratchDatabase } from '../../../src/cli/journal/database/run-database.ts';
import { accountIds } from '../../../src/cli/journal/stage/staging.ts';

test('an account that is known is found without a write, which a transaction would keep pages in memory for', () => {
  const db = createScratchDatabase(() => undefined);
  onTestFinished(() => void db.close());
  const changes = db.prepare<[], number>('SELECT total_changes()').pluck();
  const idOf = accountIds(db);
  const accounts = ['1', '2'].map((number) => ({ import_supplier: 'ACME', external_account_number: number }));
  const ids = accounts.map(idOf);
  expect(new Set(ids).size).toBe(2);
  const before = changes.get();
  expect(accounts.map(idOf)).toEqual(ids);
  expect(changes.get()).toBe(before);
});
