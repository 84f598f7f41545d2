import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { MigrationReport } from '../../src/cli/report/page/migration-report.ts';
import { INSTRUCTIONS, instruction, seedWith, site, statement, STATEMENTS } from '../support/cohort-site.ts';
import type { Migration } from '../support/migration.ts';

const COHORT = `
version: 1
supplier: ACME
on_reject: skip
resources:
  statements: { files: [s.csv] }
  payment-instructions: { files: [p.csv] }
`;

const migrate = (made: Migration, ...flags: readonly string[]) =>
  made.cliIn({ maxWaits: 9, chance: 0.5 }, 'migrate', 'night.yaml', ...flags);

const linesOf = (made: Migration, folder: string, person: string): readonly string[] =>
  readFileSync(join(made.cwd, folder, `${person}.csv`), 'utf8')
    .trimEnd()
    .split('\n');

/** A night with a lost answer, a refused instruction, and then a changed statement and a row with a wrong date. */
async function night(): Promise<Migration> {
  const made = await site(seedWith('imported', 'imported'), COHORT);
  made.csv('s.csv', STATEMENTS, statement(1001, 's-1'), statement(1002, 's-2'));
  made.csv('p.csv', INSTRUCTIONS, instruction(1001, 'pi_1'), instruction(1002, 'pi_3'));
  await made.faults('statements after-commit reset nth=1');
  await migrate(made);
  await made.faults();
  return made;
}

test('rows that did not arrive are listed for the person who has to act, with account, id, amount, line and reason', async () => {
  const made = await night();
  const ended = await made.cli('report', 'night', '--rejects', 'lists');
  expect(ended.exitCode).toBe(6);
  expect(linesOf(made, 'lists', 'importer')).toEqual([
    'import_supplier,account,id,type,date,amount,file,line,outcome,code,reason',
    'ACME,1001,s-1,,2026-01-01,110,s.csv,2,verify,outcome_unproven,"is on the platform, or was refused after a lost answer; nothing proves which"',
    'ACME,1002,pi_3,CARD,,,p.csv,3,rejected,payment_instruction_not_found,the payment vendor has no such instruction (payment_instruction_not_found)',
  ]);
  expect(ended.stdout).toContain('The person who runs the import: 2 rows in lists/importer.csv');
  expect(readFileSync(join(made.cwd, 'report-night.html'), 'utf8')).toContain('lists/importer.csv');
  // It may have been handed over.
  const again = await made.cli('report', 'night', '--rejects', 'lists');
  expect(again.stderr).toContain('file_exists');
});

test('a record that is there with other content is for the operator, and an invalid row for the supplier', async () => {
  const made = await night();
  made.csv(
    's.csv',
    STATEMENTS,
    statement(1001, 's-1'),
    statement(1002, 's-2').replace(/\d+$/, '999'),
    'ACME,1002,s-3,2025-99-01,2025-03-31,5',
  );
  await migrate(made, '--skip-invalid');
  const ended = await made.cli('report', 'night', '--rejects', 'lists', '--json');
  const report = ended.json() as unknown as MigrationReport;
  expect(report.rows_by_person).toEqual([
    { who: 'importer', file: 'lists/importer.csv', rows: 2 },
    { who: 'supplier', file: 'lists/supplier.csv', rows: 1 },
    { who: 'platform', file: 'lists/operator.csv', rows: 1 },
  ]);
  expect(linesOf(made, 'lists', 'operator')[1]).toMatch(
    /^ACME,1002,s-2,,.*,999,s\.csv,3,changed,record_changed,/,
  );
  expect(linesOf(made, 'lists', 'supplier')[1]).toMatch(/,s\.csv,4,invalid,/);
  const group = report.parts[0]!.groups.find(({ code }) => code === 'record_changed');
  expect(group?.who).toBe('platform');
});
