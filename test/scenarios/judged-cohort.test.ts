import { expect, test } from 'vitest';
import type { MigrationReport } from '../../src/cli/output/report/migration-report.ts';
import {
  documentOf,
  INSTRUCTIONS,
  instruction,
  runsOf,
  seedWith,
  site,
  statement,
  STATEMENTS,
} from '../support/cohort-site.ts';
import type { Migration } from '../support/migration.ts';

const COHORT = `
version: 1
supplier: ACME
on_reject: skip
resources:
  statements: { files: [s.csv] }
  payment-instructions: { files: [p.csv] }
`;
const RUN_DIR = ['--run-dir', '.dataimport/runs'];
const SEED = seedWith('imported', 'imported');

const migrated = async (made: Migration) => {
  const ended = await made.cliIn(
    { maxWaits: 9, chance: 0.5 },
    'migrate',
    'night.yaml',
    '--json',
  );
  return { exit: ended.exitCode, document: documentOf(ended) };
};

const reportOf = async (made: Migration) => {
  const ended = await made.cli('report', 'night', '--json');
  return { exit: ended.exitCode, report: ended.json() as unknown as MigrationReport };
};

/** A cohort with one refused instruction, and one statement whose answer was lost. */
async function finished(): Promise<Migration> {
  const made = await site(SEED, COHORT);
  made.csv('s.csv', STATEMENTS, statement(1001, 's-1'), statement(1002, 's-2'));
  made.csv('p.csv', INSTRUCTIONS, instruction(1001, 'pi_1'), instruction(1002, 'pi_3'));
  await made.faults('statements after-commit reset nth=1');
  const { exit, document } = await migrated(made);
  expect([exit, document.rows]).toMatchObject([6, { created: 2, verify: 1, rejected: 1 }]);
  return made;
}

const runOf = (made: Migration, resource: string): string =>
  runsOf(made).findLast((id) => id.includes(resource))!;

test('a cohort counts a refused record as its retry left it, as the report does', async () => {
  const made = await finished();
  const run = runOf(made, 'payment-instructions');
  await made.reseed(SEED.replace('pi_2, type: CARD}', 'pi_2, type: CARD}, {reference: pi_3, type: CARD}'));
  expect((await made.cli('retry', run, '--new', ...RUN_DIR)).exitCode).toBe(0);
  const { exit, document } = await migrated(made);
  expect([exit, document.rows]).toMatchObject([6, { read: 4, created: 3, verify: 1, rejected: 0 }]);
  expect(document.problems.map(({ code }) => code)).toEqual(['outcome_unproven']);
  const { exit: reported, report } = await reportOf(made);
  expect([reported, report.rows]).toEqual([6, document.rows]);
});

test('a cohort counts a refused record as refused while its retry was refused, too, and names that retry', async () => {
  const made = await finished();
  expect(
    (await made.cli('retry', runOf(made, 'payment-instructions'), '--new', ...RUN_DIR)).exitCode,
  ).not.toBe(0);
  const { exit, document } = await migrated(made);
  expect([exit, document.rows]).toMatchObject([6, { read: 4, created: 2, verify: 1, rejected: 1 }]);
});

test('a cohort ends with 0 once a person has compared the rows to verify and forgotten them, and so do its report and its runs', async () => {
  const made = await finished();
  const statements = runOf(made, 'statements');
  await made.reseed(SEED.replace('pi_2, type: CARD}', 'pi_2, type: CARD}, {reference: pi_3, type: CARD}'));
  await made.cli('retry', runOf(made, 'payment-instructions'), '--new', ...RUN_DIR);
  const forgotten = await made.cli('runs', 'forget', statements, ...RUN_DIR);
  expect(forgotten.stdout).toContain('1 row to verify count as compared by you');
  const ended = await made.cli('migrate', 'night.yaml');
  expect([ended.exitCode, ended.stdout]).toEqual([
    0,
    expect.stringContaining('to verify: a person has compared 1 row') as string,
  ]);
  const { exit, report } = await reportOf(made);
  expect([exit, report.answer]).toMatchObject([
    0,
    {
      everything_arrived: true,
      sentence: 'Everything arrived: 3 of 4 records, and 1 that a person has compared with the platform.',
      to_do: [],
    },
  ]);
  expect((await made.cli('runs', 'show', statements, ...RUN_DIR)).exitCode).toBe(0);
});

test('rows to verify that a retry has taken over are not judged by that', async () => {
  const made = await finished();
  const statements = runOf(made, 'statements');
  // The platform has the statement, so the retry ends with a row to verify, too.
  expect((await made.cli('retry', statements, ...RUN_DIR)).exitCode).toBe(6);
  expect((await migrated(made)).exit).toBe(6);
  expect((await made.cli('runs', 'show', statements, ...RUN_DIR)).exitCode).toBe(6);
});
