import { expect, test } from 'vitest';
import { migration, type Migration } from '../support/migration.ts';
import { HEADER, IMPORTED } from '../support/refused-account.ts';

const ROWS = Array.from(
  { length: 30 },
  (_, row) => `ACME,${row % 2 === 0 ? 1001 : 1003},t-${row},2026-02-01,CREDIT,1.10`,
);

async function rehearsed(rows = ROWS): Promise<{ readonly site: Migration; readonly run: string }> {
  const site = await migration(IMPORTED);
  site.csv('t.csv', HEADER, ...rows);
  const { json } = await site.cli('push', 'transactions', 't.csv', '--batch-size', '1', '--json');
  return { site, run: (json() as { run: string }).run };
}

test('a plan names requests, bytes and the interval of the night, and is the same each time', async () => {
  const { site, run } = await rehearsed();
  const line = ['plan', 'transactions', 't.csv', '--from', run, '--batch-size', '5', '--rate-limit', '6/m'];
  const { exitCode, stdout } = await site.cli(...line, '--start', '23:59', '--json');
  const document = JSON.parse(stdout) as { duration_ms: { low: number; high: number } };
  expect(exitCode).toBe(0);
  expect(document).toMatchObject({
    requests: 6,
    records: 30,
    accounts: 2,
    rate_limit: { requests: 6, per_ms: 60_000 },
    ends: { earliest: '23:59', latest: '00:00 (+1 day)' },
  });
  // The sixth request may begin after 50 s.
  expect(document.duration_ms.low).toBeGreaterThan(45_000);
  expect(document.duration_ms.high).toBeLessThan(60_000);
  expect((await site.cli(...line, '--start', '23:59', '--json')).stdout).toBe(stdout);
  const { stdout: text } = await site.cli(...line);
  expect(text).toContain('transactions: 6 requests of 30 records for 2 accounts, ');
  expect(text).toContain('The rate limit needs at least 1 min 0 s.');
  expect(await site.ledger()).toHaveLength(30);
});

test('a rehearsal of another resource, or of few requests, is no basis for a plan', async () => {
  const { site, run } = await rehearsed(ROWS.slice(0, 4));
  const few = await site.cli('plan', 'transactions', 't.csv', '--from', run);
  expect(few.exitCode).toBe(8);
  expect(few.stderr).toContain('4 of its requests were answered, and 20 are needed');
  site.csv('n.csv', 'import_supplier,external_account_number,body', 'ACME,1001,hello');
  const other = await site.cli('plan', 'notes', 'n.csv', '--from', run);
  expect(other.stderr).toContain('plan_without_basis');
  expect(other.stderr).toContain('it sent transactions, and the plan is for notes');
});

test('an invalid file has no plan', async () => {
  const { site, run } = await rehearsed();
  site.csv('wrong.csv', HEADER, 'ACME,1001,t-1,2026-02-30,CREDIT,1.10');
  expect((await site.cli('plan', 'transactions', 'wrong.csv', '--from', run)).exitCode).toBe(3);
});
