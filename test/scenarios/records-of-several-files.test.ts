import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import type { MigrationReport } from '../../src/cli/report/page/migration-report.ts';
import { verificationDocument } from '../../src/cli/verify/verification-schema.ts';
import { journalsIn } from '../support/journals.ts';
import { migration, type Migration } from '../support/migration.ts';
import { HEADER, IMPORTED, SEED } from '../support/refused-account.ts';

const row = (id: string, amount = '1.10', account = '1001'): string =>
  `ACME,${account},${id},2026-02-01,CREDIT,${amount}`;

const push = (site: Migration, file: string, ...flags: readonly string[]) =>
  site.cli('push', 'transactions', file, '--on-reject', 'skip', ...flags);

async function verified(site: Migration, resource: string, file: string, ...flags: readonly string[]) {
  const { json, exitCode } = await site.cli('verify', resource, file, ...flags, '--json');
  const { comparisons, next } = verificationDocument.parse(json());
  const sides = comparisons.map(({ equal, rows_apart: apart, accounts }) => [
    equal,
    Object.entries(apart).filter(([, count]) => count > 0),
    accounts.equal,
  ]);
  return { exitCode, sides, next };
}

async function reported(site: Migration, ...words: readonly string[]) {
  const { json, exitCode, stderr } = await site.cli('report', ...words, '--json');
  expect(stderr).toBe('');
  const { answer, rows, notes, parts } = json() as unknown as MigrationReport;
  const files = parts.map((part) => [part.runs[0]!.sources[0]!.name, part.rows.read]);
  return { exitCode, sentence: answer.sentence, rows, notes, files };
}

describe('a record that two files have', () => {
  test('proves both of them, and a report counts it once', async () => {
    const site = await migration(IMPORTED);
    site.csv('a.csv', HEADER, row('t-1'), row('t-2'));
    site.csv('b.csv', HEADER, row('t-2'), row('t-3'));
    for (const file of ['a.csv', 'b.csv']) expect((await push(site, file)).exitCode).toBe(0);
    for (const file of ['a.csv', 'b.csv'])
      expect(await verified(site, 'transactions', file, '--ledger', site.url)).toEqual({
        exitCode: 0,
        next: null,
        sides: Array(2).fill([true, [], 1]),
      });
    for (const words of [['a.csv'], ['.dataimport/journal']])
      expect(await reported(site, ...words)).toMatchObject({
        exitCode: 0,
        sentence: 'Everything arrived: 3 of 3 records.',
        files: expect.arrayContaining([
          ['a.csv', 1],
          ['b.csv', 2],
        ]) as unknown,
        notes: [
          expect.stringMatching(/^The rows of the run \S+ that later files have, too, are counted with/),
        ],
      });
    expect((await reported(site, 'b.csv')).files).toEqual([['b.csv', 2]]);
    const { exitCode, notes } = await reported(site, '.dataimport/journal', '--run-dir', 'elsewhere');
    expect([exitCode, notes]).toEqual([
      0,
      [expect.stringMatching(/counted with these: \S+-transactions-\S+\.$/)],
    ]);
  });

  test('is missing in both of them while the platform refuses it', async () => {
    const site = await migration(SEED);
    site.csv('a.csv', HEADER, row('t-1'), row('t-2', '2.20', '1003'));
    site.csv('b.csv', HEADER, row('t-2', '2.20', '1003'), row('t-3'));
    for (const file of ['a.csv', 'b.csv']) expect((await push(site, file)).exitCode).toBe(6);
    // The rows of the first file stand in the second one, until the command of the first one is typed again.
    for (const [file, exitCode] of [
      ['a.csv', 5],
      ['b.csv', 6],
    ] as const)
      expect(await verified(site, 'transactions', file)).toEqual({
        exitCode,
        next: `dataimport push transactions ${file} --on-reject skip`,
        sides: [[true, [['refused', 1]], 1]],
      });
    expect(await reported(site, 'a.csv')).toMatchObject({ exitCode: 6, rows: { created: 2, rejected: 1 } });
  });

  test('is conflicting in the first file once a file of its own has brought it corrected', async () => {
    const site = await migration(SEED);
    site.csv('a.csv', HEADER, row('t-1'), row('t-2', '2.20', '1003'));
    expect((await push(site, 'a.csv')).exitCode).toBe(6);
    await site.reseed(IMPORTED);
    site.csv('corrected.csv', HEADER, row('t-2', '2.00', '1003'));
    expect((await push(site, 'corrected.csv')).exitCode).toBe(0);
    expect(await verified(site, 'transactions', 'a.csv', '--ledger', site.url)).toMatchObject({
      exitCode: 5,
      sides: [
        [true, [['conflicting', 1]], 1],
        [true, [['conflicting', 1]], 1],
      ],
    });
    expect(await reported(site, 'a.csv')).toMatchObject({ rows: { created: 2 } });
    expect(await verified(site, 'transactions', 'corrected.csv')).toMatchObject({ exitCode: 0 });
  });

  test('is left in the first file when the newest version of the other has it no more', async () => {
    const site = await migration(SEED);
    site.csv('a.csv', HEADER, row('t-1'), row('t-2', '2.20', '1003'));
    site.csv('b.csv', HEADER, row('t-2', '2.20', '1003'), row('t-3'));
    for (const file of ['a.csv', 'b.csv']) expect((await push(site, file)).exitCode).toBe(6);
    site.csv('b.csv', HEADER, row('t-3'));
    expect((await push(site, 'b.csv')).exitCode).toBe(0);
    expect((await verified(site, 'transactions', 'a.csv')).exitCode).toBe(5);
    expect((await reported(site, 'a.csv')).exitCode).toBe(5);
  });
});

test('a file that writes the same values otherwise is proven by the records that its first form has sent', async () => {
  const site = await migration(IMPORTED);
  for (const amount of ['1.10', '1.1']) {
    site.csv('t.csv', HEADER, row('t-1', amount), row('t-2', '2.20', '1003'));
    expect((await push(site, 't.csv')).exitCode).toBe(0);
    expect(await verified(site, 'transactions', 't.csv', '--ledger', site.url)).toMatchObject({
      exitCode: 0,
      sides: Array(2).fill([true, [], 2]),
    });
  }
  expect(await site.ledger()).toHaveLength(2);
  site.csv('t.csv', HEADER, row('t-1'), row('t-2', '2.20', '1003'));
  expect((await site.cli('verify', 'transactions', 't.csv')).stderr).toContain('run_to_verify_missing');
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
    expect(await verified(site, 'notes', 'n.csv', '--ledger', site.url)).toMatchObject({
      exitCode: 0,
      sides: Array(2).fill([true, [], 2]),
    });
  }
  expect(await site.ledger()).toHaveLength(2);
});

test('a trial of the first rows leaves the rest of the file to its first reading', async () => {
  const site = await migration(IMPORTED);
  site.csv('a.csv', HEADER, row('t-1'), row('t-2'), row('t-3'));
  expect((await push(site, 'a.csv', '--max-records', '1')).exitCode).toBe(0);
  expect((await push(site, 'a.csv')).exitCode).toBe(0);
  expect((await push(site, 'a.csv', '--max-records', '2')).exitCode).toBe(0);
  expect(await verified(site, 'transactions', 'a.csv')).toMatchObject({
    exitCode: 0,
    sides: [[true, [], 1]],
  });
  expect((await reported(site, '.dataimport/journal')).rows).toMatchObject({ created: 3, filtered: 1 });
});

describe('records that another number of shards has brought', () => {
  test('are proven by the chain of its journal', async () => {
    const site = await migration(IMPORTED);
    site.csv('a.csv', HEADER, row('t-1'), row('t-2', '2.20', '1003'));
    expect((await push(site, 'a.csv')).exitCode).toBe(0);
    const later = { nowMs: Date.UTC(2026, 10, 22) };
    for (const part of ['1/2', '2/2'])
      expect((await site.cliIn(later, 'push', 'transactions', 'a.csv', '--shard', part)).exitCode).toBe(0);
    const words = ['verify', 'transactions', 'a.csv', '--json'];
    const { exit, comparisons } = verificationDocument.parse((await site.cli(...words)).json());
    expect([exit.code, comparisons[0]!.names.length, comparisons[0]!.chains]).toMatchObject([
      0,
      3,
      [{ broken: null }, { broken: null }, { broken: null }],
    ]);
    const whole = journalsIn(site.cwd)
      .files()
      .find((file) => file.endsWith('transactions.sqlite'))!;
    const db = new Database(whole);
    db.exec(`UPDATE outcome SET outcome = 'existing' WHERE seq = 1`);
    db.close();
    expect((await site.cli(...words)).exitCode).toBe(8);
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
    expect((await verified(site, 'statements', 's.csv')).sides).toEqual([[true, [['uncompared', 1]], 0]]);
  });
});
