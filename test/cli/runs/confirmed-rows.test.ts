import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { migration, type Migration } from '../../support/migration.ts';
import { IMPORTED } from '../../support/refused-account.ts';

const HEADER =
  'import_supplier,external_account_number,statement_id,bill_period_from_date,bill_period_to_date,issued_date,gross_amount';
const ROWS = [
  'ACME,1001,=1+1,2026-01-01,2026-01-31,2026-02-01,1010',
  'ACME,1003,s-2,2026-01-01,2026-01-31,2026-02-01,2020',
  'ACME,1003,s-3,2026-02-01,2026-02-28,2026-03-01,3030',
  'ACME,1003,s-4,2026-03-01,2026-03-31,2026-04-01,4040',
];
const PUSH = ['push', 'statements', 's.csv', '-j', '1', '--batch-size', '2'] as const;
const COLUMNS = 'import_supplier,account,id,type,date,amount,file,line,outcome';
const FIRST = "ACME,1001,'=1+1,,2026-01-01,1010,s.csv,2,verify";
const SECOND = 'ACME,1003,s-2,,2026-01-01,2020,s.csv,3,verify';
const THIRD = 'ACME,1003,s-3,,2026-02-01,3030,s.csv,4,verify';

/** A run with three statements whose answers were lost, and one that was created. */
async function inDoubt() {
  const site = await migration(IMPORTED);
  site.csv('s.csv', HEADER, ...ROWS);
  await site.faults('statements after-commit reset nth=1', 'statements after-commit reset nth=1');
  const { exitCode, stdout } = await site.cliIn({ chance: 0.5, maxWaits: 9 }, ...PUSH);
  expect([exitCode, stdout]).toEqual([6, expect.stringContaining('4 rows read: 1 arrived, 3 unproven\n')]);
  const [run] = /(?<=runs show )\S+/.exec(stdout)!;
  return { site, run };
}

const read = (site: Migration, name: string): string => readFileSync(join(site.cwd, name), 'utf8');
const list = (site: Migration, run: string, file = 'u.csv') =>
  site.cli('runs', 'show', run, '--unresolved', '--csv', file);
const confirm = (site: Migration, run: string, ...flags: readonly string[]) =>
  site.cli('runs', 'confirm', run, '--by', 'A. Lead', ...flags);

describe('the list of rows that only a person can settle', () => {
  test('has the rows without their dates once the texts are erased', async () => {
    const { site, run } = await inDoubt();
    const { exitCode, stderr } = await site.cli('runs', 'forget', run);
    expect([exitCode, stderr]).toEqual([
      2,
      expect.stringContaining(`dataimport runs show ${run} --unresolved`),
    ]);
    expect((await site.cli('runs', 'forget', run, '--force')).exitCode).toBe(0);
    await list(site, run);
    expect(read(site, 'u.csv')).toContain(`\n${SECOND.replace('2026-01-01', '')}\n`);
  });

  test('keeps the texts of its rows from being forgotten, also when a later version of the file has them no more', async () => {
    const { site, run } = await inDoubt();
    site.csv('s.csv', HEADER, ROWS[3]!);
    expect((await site.cli(...PUSH)).exitCode).toBe(0);
    const { exitCode, stderr } = await site.cli('runs', 'forget', run);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('rows are unproven')]);
    expect((await site.cli('runs', 'forget')).exitCode).toBe(0);
    await confirm(site, run, '--arrived');
    expect((await site.cli('runs', 'forget', run)).exitCode).toBe(0);
  });

  test('is not written without such a row', async () => {
    const { site, run } = await inDoubt();
    await confirm(site, run, '--arrived');
    expect((await list(site, run)).stdout).toContain('unresolved: no row, so u.csv was not written\n');
    expect(existsSync(join(site.cwd, 'u.csv'))).toBe(false);
  });
});

describe('the word of a person', () => {
  test('without a list is an error when no row is to verify', async () => {
    const { site, run } = await inDoubt();
    await confirm(site, run, '--arrived');
    const { exitCode, stderr } = await confirm(site, run, '--missing');
    expect(exitCode).toBe(2);
    expect(stderr).toContain('the run has no unproven row; `--rows FILE` settles other rows');
    // A changed row is settled only by its name.
    writeFileSync(join(site.cwd, 's.csv'), `${[HEADER, ...ROWS].join('\n').replace('4040', '4041')}\n`);
    const changed = /(?<=runs show )\S+/.exec((await site.cli(...PUSH)).stdout)![0];
    expect((await confirm(site, changed, '--arrived')).exitCode).toBe(2);
    await list(site, changed);
    expect((await confirm(site, changed, '--rows', 'u.csv', '--arrived')).exitCode).toBe(0);
  });

  test.each([
    ['another file', FIRST.replace('s.csv', 't.csv'), 2, 'no such row has to be settled'],
    ['a row that has arrived', FIRST.replace('s.csv,2', 's.csv,5'), 2, 'no such row has to be settled'],
    ['a cut row', 'ACME,1001', 2, 'the row has fewer cells (2) than the header (9)'],
  ])('settles nothing when the list names %s', async (_, row, line, reason) => {
    const { site, run } = await inDoubt();
    writeFileSync(join(site.cwd, 'u.csv'), `${[COLUMNS, row, THIRD].join('\n')}\n`);
    const { exitCode, stderr } = await confirm(site, run, '--rows', 'u.csv', '--arrived');
    expect(exitCode).toBe(2);
    expect(stderr).toContain(
      `error usage u.csv:${line} is not a row of the run ${run} that can be confirmed: ${reason}\n`,
    );
    expect((await site.cli('runs', 'show', run)).stdout).toContain('1 arrived, 3 unproven\n');
  });

  test('needs a list with its columns', async () => {
    const { site, run } = await inDoubt();
    writeFileSync(join(site.cwd, 'u.csv'), `${COLUMNS.replaceAll(',', ';')}\n`);
    const { exitCode, stderr } = await confirm(site, run, '--rows', 'u.csv', '--missing');
    expect(exitCode).toBe(2);
    expect(stderr).toContain('usage u.csv:1 ');
    expect(stderr).toContain('while the cells of this file are separated by commas');
  });
});

describe('the name of the person', () => {
  test('in the printed command is a word that is refused where nobody knows the name', async () => {
    const { site, run } = await inDoubt();
    const unknown = await site.cliIn(
      { userName: undefined },
      'runs',
      'show',
      run,
      '--unresolved',
      '--csv',
      'u.csv',
    );
    const [, printed] = /^ {2}dataimport (.* --by NAME)$/m.exec(unknown.stdout)!;
    const { exitCode, stderr } = await site.cli(...printed!.split(' '));
    expect([exitCode, stderr]).toEqual([
      2,
      expect.stringContaining('--by needs a name: who has compared the rows'),
    ]);
  });
});
