import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import { expect, test } from 'vitest';
import { RESOURCES } from '../../src/core/contract/resources.ts';
import { migration } from '../support/migration.ts';
import { GOOD, HEADER, IMPORTED, REFUSED, SEED } from '../support/refused-account.ts';
import { projectRoot } from '../support/source-tree.ts';
import { writesOutsideTransactions } from '../support/transaction-guard.ts';

// A write outside a transaction commits by itself. SQLite may then report a returned row although the commit has failed, so
// that a full disk is noticed later, as something else.

const QUICKSTART = join(projectRoot, 'fixtures', 'quickstart');
/** The first rows of a file of the quickstart. */
const rowsOf = (resource: string): string =>
  stringify(parse(readFileSync(join(QUICKSTART, `${resource}.csv`)), { bom: true, to: 20 })).trimEnd();

test('every write of a journal is in a transaction', async () => {
  const found = writesOutsideTransactions();
  const site = await migration(SEED);
  const cli = async (exitCode: number, ...argv: readonly string[]) => {
    const ended = await site.cli(...argv);
    expect(ended.exitCode, ended.stderr).toBe(exitCode);
    return ended;
  };
  const file = site.csv('t.csv', HEADER, GOOD, REFUSED, 'ACME,1001,t-2,2026-02-01,CREDIT,x');
  await cli(4, 'push', 'transactions', file, '--skip-invalid', '-j', '1');
  const push = ['push', 'transactions', file, '--skip-invalid', '--on-reject', 'skip'];
  await cli(6, ...push, '--rejects', 'rejects.csv');
  const listed = await cli(0, 'runs', '--json');
  const [pushed] = listed.json()['runs'] as readonly { readonly run: string }[];
  await site.reseed(IMPORTED);
  await cli(6, 'resume');
  const corrected = site.csv('t.csv', HEADER, GOOD, REFUSED, 'ACME,1001,t-2,2026-02-01,CREDIT,1.00');
  await cli(0, 'push', 'transactions', corrected);
  await cli(0, 'push', 'transactions', corrected, '--again');
  const note = 'ACME,1001,moved in';
  const notes = site.csv('n.csv', 'import_supplier,external_account_number,body', note, note);
  await cli(0, 'push', 'notes', notes);
  await cli(0, 'runs', 'forget', pushed!.run);
  expect(found).toEqual([]);
});

test('every write of the local platform is in a transaction', async () => {
  const found = writesOutsideTransactions();
  const site = await migration(readFileSync(join(QUICKSTART, 'seed.yaml'), 'utf8'));
  const cli = async (...argv: readonly string[]) => {
    const { exitCode, stderr } = await site.cliIn({ chance: 0, maxWaits: 10 }, ...argv);
    expect([exitCode, argv, stderr]).toEqual([0, argv, expect.anything()]);
  };
  for (const resource of RESOURCES)
    await cli('push', resource, site.csv(`${resource}.csv`, rowsOf(resource)));
  await cli('push', 'transactions', 'transactions.csv');
  await cli('admin', 'account', 'stage', '7777', '--supplier', 'ACME');
  await cli('admin', 'account', 'import', '7777', '--supplier', 'ACME');
  await cli('admin', 'supplier', 'ACME', '--status', 'Paused');
  await cli('admin', 'snapshot', 'save', 'before');
  await cli('admin', 'snapshot', 'restore', 'before');
  await cli('admin', 'reset');
  expect(found).toEqual([]);
});
