import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { migration, type Migration } from '../support/migration.ts';
import { GOOD, HEADER, REFUSED, SEED } from '../support/refused-account.ts';

const INVALID = 'ACME,1001,t-2,2026-02-30,CREDIT,3.00';

/** A site that has sent one row, and was refused one; a third one is invalid. */
async function partialSite(): Promise<Migration> {
  const site = await migration(SEED);
  site.csv('t.csv', HEADER, GOOD, REFUSED, INVALID);
  await site.cli('push', 'transactions', 't.csv', '--skip-invalid', '--on-reject', 'skip');
  return site;
}

/** The names and failures of the cases of a JUnit file. */
const casesOf = (text: string): readonly (readonly [string, string | null])[] =>
  [...text.matchAll(/<testcase [^>]*name="([^"]*)"[^>]*(?:\/>|>\s*(?:<failure message="([^"]*)")?)/g)].map(
    ([, name, failure]) => [name!, failure ?? null],
  );

describe('verify --junit', () => {
  test('has a failing case for each cause, and counts the accounts that did not finish', async () => {
    const site = await partialSite();
    const { exitCode } = await site.cli('verify', '--junit', 'r.xml');
    expect(exitCode).toBe(6);
    const text = readFileSync(join(site.cwd, 'r.xml'), 'utf8');
    expect(casesOf(text)).toEqual([
      ['every record arrived', '2 records of 3 did not arrive'],
      ['control totals are equal', 'the accepted sum of a type is not the sum that was read'],
      [
        'no account_not_found in external_account_number (t.csv)',
        expect.stringContaining('1 problem at t.csv:3'),
      ],
      ['no invalid in transaction_date (t.csv)', expect.stringContaining('1 problem at t.csv:4')],
    ]);
    expect(text).toContain('<testsuites name="dataimport" tests="4" failures="4" ');
    for (const name of ['rejected', 'accounts_that_did_not_finish'])
      expect(text).toContain(`<property name="${name}" value="1"/>`);
  });
});

describe('check --junit', () => {
  test('has each cause as a failing test, and replaces its earlier file alone', async () => {
    const site = await partialSite();
    site.csv('t.csv', HEADER, GOOD, INVALID, INVALID.replace('t-2', 't-3'));
    const check = (file: string) => site.cli('check', 'transactions', './t.csv', '--junit', file);
    expect((await check('j.xml')).exitCode).toBe(3);
    const text = readFileSync(join(site.cwd, 'j.xml'), 'utf8');
    expect(casesOf(text)).toEqual([
      ['every row is valid', '2 errors'],
      ['no invalid in transaction_date (./t.csv)', expect.stringContaining('2 errors at ./t.csv:3, 4: ')],
    ]);
    expect(text).not.toContain('2026-02-30');
    expect((await check('j.xml')).exitCode).toBe(3);
    const source = readFileSync(join(site.cwd, 't.csv'), 'utf8');
    expect((await check('t.csv')).exitCode).toBe(2);
    expect(readFileSync(join(site.cwd, 't.csv'), 'utf8')).toBe(source);
    expect((await check('-')).stderr).toContain('- means standard output, and this takes a file');
  });

  test('has the problems of a mapping that cannot be used', async () => {
    const site = await partialSite();
    site.csv('t.csv.map.yaml', 'version: 1', 'resource: transactions', 'fields: { amount: Nothing }');
    const { exitCode } = await site.cli('check', 'transactions', 't.csv', '--junit', 'j.xml');
    expect(exitCode).toBe(2);
    const text = readFileSync(join(site.cwd, 'j.xml'), 'utf8');
    expect(casesOf(text).filter(([, failure]) => failure !== null)).not.toEqual([]);
    expect(text).toContain('t.csv.map.yaml');
  });

  test('is refused with values of cells', async () => {
    const site = await partialSite();
    const { exitCode, stderr } = await site.cli(
      'check',
      'transactions',
      't.csv',
      '--junit',
      'j',
      '--show-values',
    );
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('--junit and --show-values')]);
  });
});
