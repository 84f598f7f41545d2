import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { dataimportWith, untilStored } from '../support/built-cli.ts';
import { ledgerOf } from '../support/ledger.ts';
import { folderWith } from '../support/mapping-files.ts';
import { QUICKSTART } from '../support/quickstart.ts';
import { platformHere, wordsTypedHere } from '../support/typed-command.ts';

const ROWS = Array.from({ length: 300 }, (_, at) => `D${at},0010023417,${at}.50,2026-01-05\n`).join('');
const mapping = (condition: string): string => `version: 1
resource: transactions
source:
  tables: { bills: bills.csv }
  sql: SELECT b.* FROM bills b WHERE ${condition}
fields:
  external_account_number: account
  transaction_id: doc
  transaction_date: day
  type: { constant: CHARGE }
  amount: gross
`;
const ENDLESS = mapping(
  "0 < (SELECT count(*) FROM bills a, bills c, bills d, bills e WHERE a.doc || c.doc || d.doc || e.doc || b.doc = 'x')",
);
const CHECK = ['check', 'transactions', '--map', 'm.yaml', '--supplier', 'ACME'];

function world(map: string): string {
  return folderWith({ 'm.yaml': map, 'bills.csv': `doc,account,gross,day\n${ROWS}` });
}

/** Whether a process has loaded the database of queries. */
const hasDatabase = (pid: number): boolean => readFileSync(`/proc/${pid}/maps`, 'utf8').includes('duckdb');

test.runIf(process.platform === 'linux')('Ctrl-C ends a query that never ends', async () => {
  const { exitCode } = await dataimportWith(CHECK, { cwd: world(ENDLESS) }, async (child) => {
    while (!hasDatabase(child.pid)) await pause(20);
    child.kill('SIGINT');
  });
  expect(exitCode).toBe(130);
});

test('a command that was killed while it read goes on, and a run that was read does not run its query again', async () => {
  const cwd = world(mapping("b.doc <> 'D0'"));
  // Slow answers, so that few rows are enough for a kill in the middle.
  const flags = ['--seed', join(QUICKSTART, 'seed.yaml'), '--fault', 'any after-commit delay=10'];
  const { url, world: outside, stop } = await platformHere(flags, cwd);
  try {
    const push = ['push', 'transactions', '--map', 'm.yaml', '--supplier', 'ACME', '--batch-size', '10'];
    const killed = await dataimportWith(push, outside, async (child) => {
      await untilStored(url, 50);
      child.kill('SIGKILL');
    });
    expect(killed.signal).toBe('SIGKILL');
    const again = await wordsTypedHere(push, outside);
    expect(again.exitCode, again.printed).toBe(0);
    expect(await ledgerOf(url)).toHaveLength(299);
    const third = await wordsTypedHere(push, outside);
    expect(third.exitCode, third.printed).toBe(0);
    expect(third.printed).toContain('1 left out');
  } finally {
    await stop();
  }
});
