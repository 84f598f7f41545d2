import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { dataimport, dataimportWith, untilStored } from '../support/built-cli.ts';
import { ledgerOf } from '../support/ledger.ts';
import { folderWith } from '../support/mapping-files.ts';
import { QUICKSTART } from '../support/quickstart.ts';
import { platformHere, wordsTypedHere } from '../support/typed-command.ts';

const ROWS = Array.from({ length: 300 }, (_, at) => `D${at},0010023417,${at}.50,2026-01-05\n`).join('');
const mapping = (condition: string): string => `version: 1
resource: transactions
source:
  tables: { bills: { file: bills.csv } }
  sql: SELECT b._row, b.* FROM bills b WHERE ${condition}
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

/** A folder with a mapping, whose temporary files are in a folder of its own. */
function world(map: string) {
  const cwd = folderWith({ 'm.yaml': map, 'bills.csv': `doc,account,gross,day\n${ROWS}`, 'tmp/.keep': '' });
  const temporary = join(cwd, 'tmp');
  const left = (): readonly string[] =>
    readdirSync(temporary).filter((name) => name.startsWith('dataimport-query-'));
  return { cwd, env: { TMPDIR: temporary, SQLITE_TMPDIR: temporary }, left };
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await pause(20);
}

test('Ctrl-C ends a query that never ends, with its process and its private file', async () => {
  const { cwd, env, left } = world(ENDLESS);
  const ended = await dataimportWith(CHECK, { cwd, env }, async (child) => {
    await until(() => left().length > 0 && existsSync(join(cwd, 'tmp', left()[0]!, 'tables')));
    child.kill('SIGINT');
  });
  expect({ exitCode: ended.exitCode, left: left() }).toEqual({ exitCode: 130, left: [] });
});

test('a kill leaves a private file, and the next command removes it', async () => {
  const { cwd, env, left } = world(ENDLESS);
  const killed = await dataimportWith(CHECK, { cwd, env }, async (child) => {
    await until(() => left().length > 0 && existsSync(join(cwd, 'tmp', left()[0]!, 'tables')));
    child.kill('SIGKILL');
  });
  expect(killed.signal).toBe('SIGKILL');
  expect(left()).toHaveLength(1);
  const next = await dataimport(['check', 'transactions', 'none.csv'], { cwd, env });
  expect(next.exitCode).not.toBe(0);
  expect(left()).toEqual([]);
});

test('a command that was killed while it read goes on, and a run that was read does not run its query again', async () => {
  const { cwd, env } = world(mapping("b.doc <> 'D0'"));
  // Slow answers, so that few rows are enough for a kill in the middle.
  const flags = ['--seed', join(QUICKSTART, 'seed.yaml'), '--latency', '10ms'];
  const { url, world: outside, stop } = await platformHere(flags, cwd);
  Object.assign(outside.env, env);
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
