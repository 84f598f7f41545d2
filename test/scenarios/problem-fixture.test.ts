import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { migration, type Migration } from '../support/migration.ts';
import { HEADER, SEED } from '../support/refused-account.ts';
import { projectRoot } from '../support/source-tree.ts';

const ROWS = [
  'ACME,1001,inv-778123,2026-02-01,CREDIT,10.10',
  'ACME,1001,inv-778124,2026-02-02,PAYMENT,1520.20',
  'ACME,1001,inv-778125,2026-02-03,CREDIT,30.30',
];

/** The fixture of the first problem of a push that did not go well. */
async function fixtureOf(site: Migration, resource: string, file: string, ...flags: readonly string[]) {
  const pushed = await site.cli('push', resource, file, '--skip-invalid', '--on-reject', 'skip', '--json');
  const run = String(pushed.json()['run']);
  const made = await site.cli('runs', 'fixture', run, '--problem', '1', '--out', 'shown', ...flags);
  const folder = join(site.cwd, 'shown');
  const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
  return { made, folder, read, run, problem: (pushed.json()['problems'] as [{ code: string }])[0].code };
}

async function replayed(site: Migration) {
  return site.cli('replay', 'shown');
}

describe('runs fixture', () => {
  test('makes one row of an invalid row, with other values, and replay accepts it', async () => {
    const site = await migration(SEED);
    site.csv('t.csv', HEADER, ...ROWS, 'ACME,1001,inv-778126,2026-02-30,CREDIT,3.00');
    const { made, folder, read } = await fixtureOf(site, 'transactions', 't.csv');
    expect(made.stderr).toBe('');
    expect(made.exitCode).toBe(0);
    expect(made.stdout).toContain('1 row that shows');
    expect(readdirSync(folder).toSorted()).toEqual(['expected.yaml', 'rows.csv', 'seed.yaml']);
    const [header, row, ...others] = read('rows.csv').trimEnd().split('\n');
    expect(header).toBe(HEADER);
    expect(others).toEqual([]);
    expect(row).toMatch(/^[A-Z]{4},[1-9]00[1-9],[a-z]{3}-[1-9]{6},2022-02-30,CREDIT,[1-9]\.00$/);
    for (const file of readdirSync(folder)) expect(read(file)).not.toMatch(/ACME|1001|inv-7|7781|78126/);
    expect(read('expected.yaml')).toContain('line: 2');
    expect((await replayed(site)).stdout).toContain('1 folder: 1 same');
  });

  test('keeps both rows of a problem between two rows, and no other', async () => {
    const site = await migration(SEED);
    const twice = ROWS[2]!.replace('30.30', '31.30');
    site.csv('t.csv', HEADER, ...ROWS, twice);
    const { made, read, problem } = await fixtureOf(site, 'transactions', 't.csv');
    expect(made.exitCode, made.stderr).toBe(0);
    expect(problem).toBe('duplicate_transaction_ids');
    const rows = read('rows.csv').trimEnd().split('\n').slice(1);
    expect(rows).toHaveLength(2);
    expect(new Set(rows.map((row) => row.split(',')[2])).size).toBe(1);
    expect((await replayed(site)).exitCode).toBe(0);
  });

  test('makes a seed in which the platform does not know the account', async () => {
    const site = await migration(SEED);
    site.csv('t.csv', HEADER, ...ROWS, 'ACME,777123,inv-9,2026-02-04,CREDIT,3.00');
    const { made, read, problem } = await fixtureOf(site, 'transactions', 't.csv');
    expect(made.exitCode, made.stderr).toBe(0);
    expect(problem).toBe('account_not_found');
    expect(read('seed.yaml')).toContain('accounts: []');
    expect(read('expected.yaml')).toContain('account_not_found');
    expect((await replayed(site)).exitCode).toBe(0);
  });

  test('takes the mapping with it, and keeps its words', async () => {
    const site = await migration(SEED);
    const mapping = [
      'version: 1',
      'resource: transactions',
      'source: { delimiter: ";", decimal_mark: ",", thousands_mark: "." }',
      'fields:',
      '  import_supplier: { constant: ACME }',
      '  external_account_number: Konto',
      '  transaction_id: Beleg',
      '  transaction_date: { column: Tag, format: dd.MM.yyyy }',
      '  type: { column: Art, lookup: { Gutschrift: CREDIT, Zahlung: PAYMENT } }',
      '  amount: Betrag',
      '  reason: { constant: IMPORTED_CREDIT }',
    ];
    writeFileSync(join(site.cwd, 't.csv.map.yaml'), mapping.join('\n'));
    site.csv(
      't.csv',
      'Konto;Beleg;Tag;Art;Betrag',
      '1001;RG-4711001;01.02.2026;Gutschrift;1.210,10',
      '1001;RG-4711002;01.02.2026;Storno;7,10',
    );
    const { made, read } = await fixtureOf(site, 'transactions', 't.csv');
    expect(made.exitCode, made.stderr).toBe(0);
    expect(read('rows.csv.map.yaml')).toBe(mapping.join('\n'));
    expect(read('rows.csv')).toMatch(
      /\n[1-9]00[1-9];RG-[1-9]{2}[0-9]+;01\.02\.2022;(?!Storno)[A-Z][a-z]{5};/,
    );
    expect(read('rows.csv')).not.toMatch(/4711|Storno/);
    expect((await replayed(site)).exitCode).toBe(0);
  });

  test('takes the contract with it, and is not made without it', async () => {
    const site = await migration(SEED);
    const contract = join(projectRoot, 'fixtures/contracts/halmere/contract.json');
    site.csv('t.csv', HEADER, ...ROWS, 'ACME,1001,inv-778126,2026-02-30,CREDIT,3.00');
    const pushed = await site.cli(
      'push',
      'transactions',
      't.csv',
      '--skip-invalid',
      '--contract',
      contract,
      '--json',
    );
    const run = String(pushed.json()['run']);
    const line = ['runs', 'fixture', run, '--problem', '1', '--out', 'shown'];
    expect((await site.cli(...line)).stderr).toContain('give it with --contract');
    const made = await site.cli(...line, '--contract', contract);
    expect(made.exitCode, made.stderr).toBe(0);
    expect(readFileSync(join(site.cwd, 'shown', 'contract.json'))).toEqual(readFileSync(contract));
    expect((await replayed(site)).stdout).toContain('1 folder: 1 same');
  });

  test('is not made of a file that has changed, of an unknown problem, or over a folder', async () => {
    const site = await migration(SEED);
    site.csv('t.csv', HEADER, 'ACME,1001,inv-778126,2026-02-30,CREDIT,3.00', ...ROWS);
    const { run } = await fixtureOf(site, 'transactions', 't.csv');
    const again = await site.cli('runs', 'fixture', run, '--problem', '1', '--out', 'shown');
    expect([again.exitCode, again.stderr]).toEqual([2, expect.stringContaining('file_exists')]);
    const unknown = await site.cli('runs', 'fixture', run, '--problem', '9');
    expect(unknown.stderr).toContain('it has 1 problems');
    site.csv('t.csv', HEADER, ...ROWS);
    const changed = await site.cli('runs', 'fixture', run, '--problem', '1');
    expect(changed.stderr).toContain('source_changed');
    expect(existsSync(join(site.cwd, `fixture-${run}-1`))).toBe(false);
  });
});
