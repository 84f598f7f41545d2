import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { journalsIn } from '../support/journals.ts';
import { migration, type Migration } from '../support/migration.ts';
import { typed } from '../support/next-command.ts';
import { HEADER, IMPORTED, SEED } from '../support/refused-account.ts';
import { verified } from '../support/verified.ts';

const row = (id: string, amount = '1.10', account = '1001'): string =>
  `ACME,${account},${id},2026-02-01,CREDIT,${amount}`;

const push = (site: Migration, file: string, ...flags: readonly string[]) =>
  site.cli('push', 'transactions', file, '--on-reject', 'skip', ...flags);

/** What `verify` says of the rows of files, and of the ledger where it is named. */
async function rowsIn(site: Migration, ...words: readonly string[]) {
  const { exitCode, found } = await verified(site, ...words);
  const { read, ...ends } = found.rows;
  return {
    exitCode,
    next: found.next,
    read,
    ends: Object.fromEntries(Object.entries(ends).filter(([, count]) => count > 0)),
    changed: found.parts[0]!.changed,
    differences: found.parts.flatMap(({ comparisons }) => comparisons.map((side) => side.errors_total)),
  };
}

describe('a record that two files have', () => {
  test('proves both of them, and each row of several files', async () => {
    const site = await migration(IMPORTED);
    site.csv('a.csv', HEADER, row('t-1'), row('t-2'));
    site.csv('b.csv', HEADER, row('t-2'), row('t-3'));
    site.csv('c.csv', HEADER, row('t-4'));
    for (const file of ['a.csv', 'c.csv', 'b.csv']) expect((await push(site, file)).exitCode).toBe(0);
    for (const [created, ...files] of [
      [2, 'a.csv'],
      [2, 'b.csv'],
      [3, 'a.csv', 'c.csv'],
    ] as const)
      expect(await rowsIn(site, 'transactions', ...files, '--ledger', site.url)).toMatchObject({
        exitCode: 0,
        next: null,
        ends: { created },
        differences: [0],
      });
    expect((await rowsIn(site)).ends).toEqual({ created: 2 });
  });

  test('is missing in both of them while the platform refuses it, and in the first when the other has it no more', async () => {
    const site = await migration(SEED);
    site.csv('a.csv', HEADER, row('t-1'), row('t-2', '2.20', '1003'));
    site.csv('b.csv', HEADER, row('t-2', '2.20', '1003'), row('t-3'));
    for (const file of ['a.csv', 'b.csv']) expect((await push(site, file)).exitCode).toBe(6);
    const isMissingIn = async (file: string) =>
      expect(await rowsIn(site, 'transactions', file)).toMatchObject({
        exitCode: 6,
        next: `dataimport push transactions ${file} --on-reject skip`,
        ends: { created: 1, rejected: 1 },
      });
    await isMissingIn('a.csv');
    await isMissingIn('b.csv');
    site.csv('b.csv', HEADER, row('t-3'));
    expect((await push(site, 'b.csv')).exitCode).toBe(0);
    await isMissingIn('a.csv');
  });

  test('has other values in the first file once a file of its own has brought it corrected', async () => {
    const site = await migration(SEED);
    site.csv('a.csv', HEADER, row('t-1'), row('t-2', '2.20', '1003'));
    expect((await push(site, 'a.csv')).exitCode).toBe(6);
    await site.reseed(IMPORTED);
    site.csv('corrected.csv', HEADER, row('t-2', '2.00', '1003'));
    expect((await push(site, 'corrected.csv')).exitCode).toBe(0);
    expect(await rowsIn(site, 'transactions', 'a.csv')).toMatchObject({
      exitCode: 6,
      ends: { created: 1, invalid: 1 },
      changed: 1,
    });
    // The command of the file says so, too.
    expect((await push(site, 'a.csv')).exitCode).toBe(3);
    expect(await rowsIn(site, 'transactions', 'corrected.csv')).toMatchObject({ exitCode: 0 });
  });
});

test('a file of which no journal knows a row is left to be sent beside another', async () => {
  const site = await migration(IMPORTED);
  site.csv('a.csv', HEADER, row('t-1'), row('t-2'));
  expect((await push(site, 'a.csv')).exitCode).toBe(0);
  site.csv('new.csv', HEADER, row('t-3'));
  const both = ['transactions', 'a.csv', 'new.csv', '--ledger', site.url] as const;
  const { next, ...left } = await rowsIn(site, ...both);
  expect(left).toMatchObject({ exitCode: 5, ends: { created: 2, not_sent: 1 }, differences: [0] });
  await site.cli(...typed(next));
  expect(await rowsIn(site, ...both)).toMatchObject({ exitCode: 0, ends: { created: 3 } });
});

test('a file that has arrived is pushed again beside one that was stopped', async () => {
  const site = await migration(SEED);
  site.csv('a.csv', HEADER, row('t-1'));
  site.csv('b.csv', HEADER, row('t-2', '2.20', '1003'), row('t-3', '3.30', '1003'));
  const other = ['push', 'transactions', 'b.csv', '--batch-size', '1', '-j', '1'];
  expect((await push(site, 'a.csv')).exitCode).toBe(0);
  expect((await site.cli(...other)).exitCode).toBe(4);
  const { exitCode, stdout } = await site.cli('push', 'transactions', 'a.csv');
  expect([exitCode, stdout.split('\n')[0]]).toEqual([
    0,
    expect.stringContaining('1 arrived, none of them now'),
  ]);
  await site.reseed(IMPORTED);
  expect((await site.cli(...other)).exitCode).toBe(0);
  expect(await rowsIn(site, 'transactions', 'a.csv', 'b.csv', '--ledger', site.url)).toMatchObject({
    exitCode: 0,
    ends: { created: 3 },
    differences: [0],
  });
});

test('a file that is again what it was has not changed, and the row that it had at first is named', async () => {
  const site = await migration(IMPORTED);
  for (const [exit, ...rows] of [
    [0, row('t-1'), row('t-2')],
    [0, row('t-1')],
    [3, row('t-1', '9.90')],
    [0, row('t-1')],
  ] as const) {
    site.csv('a.csv', HEADER, ...rows);
    expect((await push(site, 'a.csv')).exitCode).toBe(exit);
  }
  expect(await rowsIn(site, 'transactions', 'a.csv')).toMatchObject({ exitCode: 0, ends: { created: 1 } });
  expect((await site.cli('verify', 'transactions', 'a.csv')).stdout).toContain(
    'no row is it now: a.csv:3 then',
  );
});

const wrongDate = (text: string): string => text.replace('-02-01', '-02-31');

test.each([
  ['is left out', wrongDate(row('t-2')), 'r.csv', 0],
  ['stays invalid with another amount', wrongDate(row('t-2', '3.30')), 'r.csv', 6],
  ['stays invalid without an id', row(''), 'r.csv', 6],
  ['stays invalid when its own file had brought the record', wrongDate(row('t-2')), 'a.csv', 6],
])('an invalid row whose corrected copy has arrived from another file %s', async (_, wrong, file, exit) => {
  const site = await migration(IMPORTED);
  site.csv('r.csv', HEADER, row('t-2'));
  site.csv(file, HEADER, row('t-1'), row('t-2'));
  if (file === 'a.csv') await push(site, file);
  site.csv('a.csv', HEADER, row('t-1'), wrong);
  expect((await push(site, 'a.csv', '--skip-invalid')).exitCode).toBe(6);
  site.csv('r.csv', HEADER, row('t-2'));
  if (file === 'r.csv') await push(site, file);
  const again = await push(site, 'a.csv', '--skip-invalid', '--rejects', 'more.csv');
  expect([again.exitCode, again.stdout.includes('arrived from r.csv')]).toEqual([exit, exit === 0]);
  const [listed] = (await site.cli('runs', '--json')).json()['runs'] as { open: number }[];
  expect(listed!.open).toBe(exit === 0 ? 0 : 1);
  for (const files of file === 'r.csv' ? [['a.csv'], ['a.csv', 'r.csv']] : [['a.csv']])
    expect(await rowsIn(site, 'transactions', ...files, '--ledger', site.url)).toMatchObject({
      exitCode: exit,
      ends: { [exit === 0 ? 'filtered' : 'invalid']: 1 },
      differences: [0],
    });
});

test('files that were never sent from here may have arrived by a ledger', async () => {
  const site = await migration(IMPORTED);
  site.csv('a.csv', HEADER, row('t-1'), row('t-2', '2.20', '1003'));
  await push(site, 'a.csv', '--run-dir', 'elsewhere');
  expect(await site.cli('verify', 'transactions', 'a.csv')).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining(`no transactions were sent to ${site.url} from ${site.cwd}`) as string,
  });
  expect(await rowsIn(site, 'transactions', 'a.csv', '--ledger', site.url)).toMatchObject({
    exitCode: 0,
    next: null,
    differences: [0],
  });
});

test('a file whose line ends have changed is proven by the records that its first form has sent', async () => {
  const site = await migration(IMPORTED);
  const lines = [
    'import_supplier,external_account_number,body',
    'ACME,1001,"rang\ntwice"',
    'ACME,1003,wrote',
  ];
  for (const end of ['\n', '\r\n']) {
    writeFileSync(join(site.cwd, 'n.csv'), lines.map((line) => line.replace('\n', end) + end).join(''));
    expect((await site.cli('push', 'notes', 'n.csv')).exitCode).toBe(0);
    expect(await rowsIn(site, 'notes', 'n.csv', '--ledger', site.url)).toMatchObject({
      exitCode: 0,
      ends: { created: 2 },
      differences: [0],
    });
  }
  expect(await site.ledger()).toHaveLength(2);
});

describe('records that another number of shards has brought', () => {
  test('are proven by the chain of its journal', async () => {
    const site = await migration(IMPORTED);
    site.csv('a.csv', HEADER, row('t-1'), row('t-2', '2.20', '1003'));
    expect((await push(site, 'a.csv')).exitCode).toBe(0);
    const later = { nowMs: Date.UTC(2026, 10, 22) };
    for (const part of ['1/2', '2/2'])
      expect((await site.cliIn(later, 'push', 'transactions', 'a.csv', '--shard', part)).exitCode).toBe(0);
    const { exitCode, found } = await verified(site, 'transactions', 'a.csv');
    expect([exitCode, found.rows, found.parts[0]!.journals.length]).toMatchObject([0, { created: 2 }, 3]);
    const whole = journalsIn(site.cwd)
      .files()
      .find((file) => file.endsWith('transactions.sqlite'))!;
    const db = new Database(whole);
    db.exec(`UPDATE outcome SET outcome = 'existing' WHERE seq = 1`);
    db.close();
    expect((await verified(site, 'transactions', 'a.csv')).exitCode).toBe(8);
  });

  test('are as little proven there as in the journal that has brought them', async () => {
    const site = await migration(IMPORTED);
    const header =
      'import_supplier,external_account_number,statement_id,bill_period_from_date,bill_period_to_date';
    site.csv('s.csv', header, 'ACME,1001,s-1,2025-01-01,2025-03-31');
    await site.cli('push', 'statements', 's.csv', '--run-dir', 'elsewhere');
    const accept = ['push', 'statements', 's.csv', '--on-existing', 'accept'];
    for (const shard of [[], ['--shard', '1/2'], ['--shard', '2/2']])
      expect((await site.cli(...accept, ...shard)).exitCode).toBe(0);
    expect((await rowsIn(site, 'statements', 's.csv')).ends).toEqual({ uncompared: 1 });
  });
});
