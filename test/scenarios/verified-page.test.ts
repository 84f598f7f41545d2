import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { migration } from '../support/migration.ts';
import { typed } from '../support/next-command.ts';
import { HEADER, SEED } from '../support/refused-account.ts';
import { verified, verifiedPage } from '../support/verified.ts';

const row = (account: string, id: string, amount: string): string =>
  `ACME,${account},${id},2026-02-01,CREDIT,${amount}`;

test('the first screen says what is missing, what the files were compared with, and who has to act', async () => {
  const site = await migration(SEED);
  site.csv('t.csv', HEADER, row('1001', 't-1', '10.10'), row('1003', 't-2', '3.50'));
  await site.cli('push', 'transactions', 't.csv', '--on-reject', 'skip', '--skip-invalid');
  const page = await verifiedPage(site, '--ledger', site.url);
  const [first] = page.split('aria-labelledby="signing"');
  expect(first).toMatch(
    /<p>supplier ACME, local platform http:\/\/127\.0\.0\.1:\d+, run by ada, begun 2026-11-21/,
  );
  expect(first).toContain('✗ Not everything arrived: 1 of 2 records did not');
  expect(first).toContain(`The transactions compared with ${site.url}: nothing differs in 1 row`);
  expect(first).toContain('>2 steps are left to do</a >, by the person who runs the import (2).');
  expect(first).toContain('<td class="number">3.50</td>');
});

test('the sums say that they are those of valid rows, and the command that goes on keeps the rejects file', async () => {
  const site = await migration(SEED);
  const valid = [row('1001', 't-1', '10.10'), row('1003', 't-2', '1.00')];
  site.csv('t.csv', HEADER, ...valid, row('1001', 't-3', '2.50').replace('CREDIT', 'CREDITS'));
  const push = ['push', 'transactions', 't.csv', '--on-reject', 'skip', '--skip-invalid'];
  expect((await site.cli(...push, '--rejects', 'r.csv')).exitCode).toBe(6);
  expect(await verifiedPage(site)).toContain('Rows that were to be imported; sums are those of valid rows');
  const before = readFileSync(join(site.cwd, 'r.csv'));
  const { next } = (await verified(site)).found;
  expect(next).toContain(' --rejects r.csv');
  expect((await site.cli(...typed(next))).exitCode).toBe(6);
  expect(readFileSync(join(site.cwd, 'r.csv')).equals(before)).toBe(true);
});
