import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
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
import { verified } from '../support/verified.ts';

const COHORT = `
version: 1
supplier: ACME
on_reject: skip
resources:
  statements: { files: [s.csv] }
  payment-instructions: { files: [p.csv] }
`;
const SEED = seedWith('imported', 'imported');

const migrated = async (made: Migration, ...flags: readonly string[]) => {
  const ended = await made.cliIn({ maxWaits: 9, chance: 0.5 }, 'migrate', 'night.yaml', '--json', ...flags);
  return { exit: ended.exitCode, document: documentOf(ended) };
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

/** The platform knows the instrument that was refused. */
const repair = (made: Migration): Promise<void> =>
  made.reseed(SEED.replace('pi_2, type: CARD}', 'pi_2, type: CARD}, {reference: pi_3, type: CARD}'));

test('a cohort leaves a refused instruction as it is until a person says that the cause is gone', async () => {
  const made = await finished();
  await repair(made);
  const before = await migrated(made);
  expect([before.exit, before.document.rows]).toMatchObject([6, { created: 2, verify: 1, rejected: 1 }]);
  // 1001 has a statement to verify, which sending again does not judge, and the instruction of 1002 was refused.
  expect(before.document.accounts).toEqual({ total: 2, done: 0 });
  const { exit, document } = await migrated(made, '--again');
  expect([exit, document.rows]).toMatchObject([
    6,
    { read: 4, created: 1, uncompared: 2, verify: 1, rejected: 0 },
  ]);
  expect(document.problems.map(({ code }) => code)).toEqual(['outcome_unproven']);
  const { exitCode, found } = await verified(made);
  expect([exitCode, found.rows]).toEqual([6, document.rows]);
  expect((await made.cli('runs', 'show', runOf(made, 'statements'))).exitCode).toBe(6);
});

test('a cohort ends with 0 once a person has compared the rows to verify, and so do verify and its runs', async () => {
  const made = await finished();
  made.csv('p.csv', INSTRUCTIONS, instruction(1001, 'pi_1'), instruction(1002, 'pi_2'));
  const { document } = await migrated(made);
  const next = document.next!;
  const statements = runOf(made, 'statements');
  expect(next).toBe('dataimport verify night.yaml');
  const reported = await made.cli(...next.split(' ').slice(1));
  const show = `runs show ${statements} --unresolved --csv unresolved-${statements}.csv`;
  expect(reported.stdout).toContain(`  dataimport ${show}\n`);
  const listed = await made.cli(...show.split(' '));
  const confirm = /dataimport (runs confirm \S+ --rows \S+) /.exec(listed.stdout)![1]!;
  expect(readFileSync(join(made.cwd, `unresolved-${statements}.csv`), 'utf8')).toContain(',1001,');
  const confirmed = await made.cli(...confirm.split(' '), '--arrived', '--by', 'Ada');
  expect([confirmed.exitCode, confirmed.stderr]).toEqual([0, '']);
  const ended = await migrated(made);
  expect([ended.exit, ended.document.rows]).toMatchObject([
    0,
    { read: 4, created: 3, confirmed: 1, verify: 0 },
  ]);
  const { exitCode, found } = await verified(made);
  expect([exitCode, found.answer]).toMatchObject([
    0,
    {
      everything_arrived: true,
      sentence: expect.stringContaining('Everything arrived: ') as string,
      to_do: [],
    },
  ]);
  expect((await made.cli('runs', 'show', statements)).exitCode).toBe(0);
  expect(await made.ledger()).toHaveLength(4);
});

test('a row that a person calls missing is sent again, and the platform says what it has', async () => {
  const made = await finished();
  const statements = runOf(made, 'statements');
  expect((await made.cli('runs', 'confirm', statements, '--missing', '--by', 'Ada')).exitCode).toBe(0);
  const before = (await made.ledger()).length;
  const { exit, document } = await migrated(made);
  // By the word of the person, the statement that the platform has is not ours.
  expect([exit, document.rows]).toMatchObject([6, { created: 2, verify: 0, rejected: 2 }]);
  expect(await made.ledger()).toHaveLength(before);
});

test('verify counts the row that became invalid after the last command sent something', async () => {
  const made = await site(seedWith('imported', 'staged'), COHORT);
  made.csv('s.csv', STATEMENTS, statement(1001, 's-1'));
  made.csv('p.csv', INSTRUCTIONS, instruction(1001, 'pi_1'), instruction(1002, 'pi_2'));
  expect((await migrated(made)).exit).toBe(5);
  made.csv('s.csv', STATEMENTS, statement(1001, 's-1', 'much'));
  expect((await migrated(made)).exit).toBe(3);
  const { exitCode, found } = await verified(made);
  expect([exitCode, found.rows]).toMatchObject([5, { read: 3, created: 1, invalid: 1, not_sent: 1 }]);
});
