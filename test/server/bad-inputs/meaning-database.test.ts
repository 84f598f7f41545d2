import { join } from 'node:path';
import BetterSqlite from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { charge, startPlatform, type TestPlatform } from '../../support/server-platform.ts';
import { transactions } from '../../support/server-transactions.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const HUNDRED = transactions(
  ...Array.from({ length: 100 }, (_, index) => charge({ transaction_id: `t-${index}` })),
);

/** A platform on a file, and a second connection to it. */
async function platformWithFile(): Promise<{ platform: TestPlatform; other: BetterSqlite.Database }> {
  const database = join(temporaryFolder(), 'serve.sqlite');
  const platform = await startPlatform({ database });
  const other = new BetterSqlite(database);
  onTestFinished(() => void other.close());
  return { platform, other };
}

/** Expects a failure that the client may retry, that reveals nothing, and that stored nothing. */
async function expectFailure(platform: TestPlatform): Promise<void> {
  const answer = await platform.post('createTransactions', HUNDRED);
  expect(answer.body).toEqual({ detail: expect.any(String), code: 'error' });
  expect(answer.status).toBe(500);
  expect(answer.text).not.toMatch(/sqlite|disk|lock|readonly|table|\.ts/i);
  expect(platform.unexpected).toHaveLength(1);
  expect(await platform.ledger()).toEqual([]);
}

async function expectSuccess(platform: TestPlatform): Promise<void> {
  expect((await platform.post('createTransactions', HUNDRED)).status).toBe(201);
  expect(await platform.ledger()).toHaveLength(100);
}

test('[S60] while another program locks the database a POST is a 500 and stores nothing, and afterwards it works', async () => {
  const { platform, other } = await platformWithFile();
  other.exec('BEGIN IMMEDIATE');
  await expectFailure(platform);
  other.exec('ROLLBACK');
  await expectSuccess(platform);
});

test.each([
  ['the first', 0],
  ['one in the middle', 50],
  ['the last', 99],
])('[S60] when the disk accepts all records up to %s, no record of the request is kept', async (_, index) => {
  const { platform, other } = await platformWithFile();
  other.exec(`CREATE TRIGGER fails BEFORE INSERT ON records WHEN NEW.identity_key LIKE '%t-${index}%'
    BEGIN SELECT RAISE(FAIL, 'database or disk is full'); END`);
  await expectFailure(platform);
  other.exec('DROP TRIGGER fails');
  await expectSuccess(platform);
});
