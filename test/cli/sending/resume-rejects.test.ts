import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { runDocument } from '../../support/json-documents.ts';
import { migration, type Migration } from '../../support/migration.ts';
import { GOOD, HEADER, REFUSED, SEED } from '../../support/refused-account.ts';

const LAST = 'ACME,1001,t-3,2026-02-03,CREDIT,3.00';

/** A run that stopped at its second row. */
async function stoppedRun(...flags: readonly string[]) {
  const site = await migration(SEED);
  site.csv('t.csv', HEADER, GOOD, REFUSED, LAST);
  const argv = ['push', 'transactions', 't.csv', '-j', '1', '--batch-size', '1', '--json', ...flags];
  const { exitCode, json } = await site.cli(...argv);
  expect(exitCode).toBe(4);
  return { site, run: runDocument.parse(json()).run! };
}

const read = (site: Migration, name: string): string => readFileSync(join(site.cwd, name), 'utf8');

describe('resume --rejects', () => {
  test('copies the rows that are rejected in the end, unchanged, with the reasons', async () => {
    const { site } = await stoppedRun();
    const { exitCode, stdout } = await site.cli('resume', '--on-reject', 'skip', '--rejects', 'r.csv');
    expect(exitCode).toBe(6);
    expect(stdout).toContain('rejects: 1 row in r.csv, the reasons in r.csv.reasons.csv\n');
    expect(stdout).toContain(
      'rejects: once its rows are corrected, add --corrections r.csv to the command, and another name for --rejects\n',
    );
    expect(read(site, 'r.csv')).toBe(`${HEADER}\n${REFUSED}\n`);
    expect(parse(read(site, 'r.csv.reasons.csv'), { columns: true })).toMatchObject([
      { rejects_line: '2', file: 't.csv', line: '3', code: 'account_not_found' },
    ]);
  });

  test('copies the rows that are refused again', async () => {
    const { site, run } = await stoppedRun();
    await site.cli('resume', '--on-reject', 'skip');
    const { exitCode, stdout } = await site.cli('resume', run, '--on-reject', 'skip', '--rejects', 'r.csv');
    expect(exitCode).toBe(6);
    expect(stdout).toContain('(1 by this command, ');
    expect(read(site, 'r.csv')).toBe(`${HEADER}\n${REFUSED}\n`);
  });

  test('copies the invalid rows of a run of which everything else has arrived, and sends nothing', async () => {
    const site = await migration(SEED);
    const invalid = LAST.replace('3.00', 'three');
    site.csv('t.csv', HEADER, GOOD, invalid);
    await site.cli('push', 'transactions', 't.csv', '--skip-invalid');
    const before = await site.ledger();
    const { exitCode, stdout } = await site.cli('resume', '--rejects', 'r.csv');
    expect(exitCode).toBe(6);
    expect(stdout).toContain('2 rows read: 1 created, 1 invalid\n');
    expect(read(site, 'r.csv')).toBe(`${HEADER}\n${invalid}\n`);
    expect(await site.ledger()).toEqual(before);
  });

  test('copies rows that the same command with --corrections reads with its mapping', async () => {
    const site = await migration(SEED);
    site.csv('t.csv', 'Konto,Nr', '1003,t-9');
    writeFileSync(
      join(site.cwd, 'm.yaml'),
      [
        'version: 1',
        'resource: transactions',
        'fields:',
        '  import_supplier: { constant: ACME }',
        '  external_account_number: Konto',
        '  transaction_id: Nr',
        "  transaction_date: { constant: '2026-02-01' }",
        '  type: { constant: CREDIT }',
        "  amount: { constant: '1.00' }",
        '',
      ].join('\n'),
    );
    const push = ['push', 'transactions', 't.csv', '--map', 'm.yaml'];
    expect((await site.cli(...push)).exitCode).toBe(4);
    await site.cli('resume', '--on-reject', 'skip', '--rejects', 'r.csv');
    expect(read(site, 'r.csv')).toBe('Konto,Nr\n1003,t-9\n');
    site.csv('r.csv', 'Konto,Nr', '1001,t-9');
    const { exitCode, stdout } = await site.cli(...push, '--corrections', 'r.csv');
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining('corrected: 1 row by r.csv\n')]);
  });
});

describe('resume --rejects sends nothing when', () => {
  test.each([
    [
      'the file is not what it was',
      (site: Migration) => appendFileSync(join(site.cwd, 't.csv'), `${LAST}\n`),
      8,
      'source_changed',
    ],
    ['the file is gone', (site: Migration) => rmSync(join(site.cwd, 't.csv')), 2, 'file_not_readable'],
    [
      'there is such a file already',
      (site: Migration) => writeFileSync(join(site.cwd, 'r.csv'), 'repaired'),
      2,
      'file_exists',
    ],
  ])('%s', async (_, spoil, code, problem) => {
    const { site } = await stoppedRun();
    spoil(site);
    const before = await site.ledger();
    const { exitCode, stderr } = await site.cli('resume', '--on-reject', 'skip', '--rejects', 'r.csv');
    expect(exitCode).toBe(code);
    expect(stderr).toContain(problem);
    expect(await site.ledger()).toEqual(before);
  });

  test('and resume works without the flag, whatever happened to the file', async () => {
    const { site } = await stoppedRun();
    rmSync(join(site.cwd, 't.csv'));
    expect((await site.cli('resume', '--on-reject', 'skip')).exitCode).toBe(6);
    expect(await site.ledger()).toHaveLength(2);
    expect(existsSync(join(site.cwd, 'r.csv'))).toBe(false);
  });
});
