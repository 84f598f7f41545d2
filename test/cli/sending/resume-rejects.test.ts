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
    expect(stdout).toContain('dataimport check transactions r.csv\n');
    expect(read(site, 'r.csv')).toBe(`${HEADER}\n${REFUSED}\n`);
    expect(parse(read(site, 'r.csv.reasons.csv'), { columns: true })).toMatchObject([
      { rejects_line: '2', file: 't.csv', line: '3', code: 'account_not_found' },
    ]);
  });

  test('copies the rejected rows of a finished run, and sends nothing', async () => {
    const { site, run } = await stoppedRun();
    await site.cli('resume', '--on-reject', 'skip');
    const nowhere = { env: { DATAIMPORT_BASE_URL: 'http://127.0.0.1:1' } };
    const { exitCode } = await site.cliIn(nowhere, 'resume', run, '--rejects', 'r.csv');
    expect(exitCode).toBe(6);
    expect(read(site, 'r.csv')).toBe(`${HEADER}\n${REFUSED}\n`);
  });

  test('writes the header of a retried run, whose rows begin in the middle of the file', async () => {
    const { site, run } = await stoppedRun();
    expect((await site.cli('retry', run, '--only', 'rejected')).exitCode).toBe(4);
    const { exitCode } = await site.cli('resume', '--on-reject', 'skip', '--rejects', 'r.csv');
    expect(exitCode).toBe(6);
    expect(read(site, 'r.csv')).toBe(`${HEADER}\n${REFUSED}\n`);
  });

  test('names the mapping of the push in the command for the corrected rows', async () => {
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
    expect((await site.cli('push', 'transactions', 't.csv', '--map', 'm.yaml')).exitCode).toBe(4);
    const { stdout } = await site.cli('resume', '--on-reject', 'skip', '--rejects', 'r.csv');
    expect(stdout).toContain('dataimport check transactions r.csv --map m.yaml\n');
    expect(read(site, 'r.csv')).toBe('Konto,Nr\n1003,t-9\n');
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
