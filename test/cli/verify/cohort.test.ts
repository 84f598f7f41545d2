import { rmSync } from 'node:fs';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { Journal } from '../../../src/cli/journal/journal.ts';
import { fakeIo, runCli } from '../../support/cli-io.ts';
import {
  note,
  NOTES,
  runsOf,
  seedWith,
  site,
  transaction,
  TRANSACTIONS,
  writeCohort,
} from '../../support/cohort-site.ts';
import { journalOf } from '../../support/journals.ts';
import { copied, keptSite, ledgerFlags, writeLines, type KeptSite } from '../../support/kept-site.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { verified } from '../../support/verified.ts';

/** A cohort that has arrived, and one of which an account was not imported yet. */
const arrived = keptSite(seedWith('imported', 'imported'), async ({ cli, csv }) => {
  writeCohort(csv);
  await cli('migrate', 'night.yaml');
});
const staged = keptSite(seedWith('imported', 'staged'), async ({ cli, csv }) => {
  writeCohort(csv);
  csv('n3.csv', NOTES, note(1001, 'third'));
  await cli('migrate', 'night.yaml');
});

/** What is found of a cohort, in short: of each resource its rows, without those that are none. */
async function found(made: Pick<KeptSite, 'cli'>, ...words: readonly string[]) {
  const { exitCode, found: document } = await verified(made, ...words);
  const { cohort, answer, next, parts } = document;
  const ends = parts.map(({ resource, rows, comparisons }) => {
    const some = Object.entries(rows).filter(([, count]) => count > 0);
    const errors = comparisons.map(({ errors_total }) => errors_total);
    return [resource, Object.fromEntries(some), ...errors] as const;
  });
  return { exit: exitCode, cohort, sentence: answer.sentence, next, ends, parts };
}

describe('verify of a cohort', () => {
  test('says what differs in a resource', async () => {
    const made = copied(await arrived());
    const rows = [transaction(1001, 't-1', '9.99'), transaction(1002, 't-2'), transaction(1001, 't-3')];
    writeLines(made.cwd, 't.csv', [TRANSACTIONS, ...rows]);
    const { exit, ends, parts } = await found(made, 'night.yaml', ...ledgerFlags(made));
    expect([exit, ends[1]]).toEqual([6, ['transactions', { read: 3, created: 2, invalid: 1 }, 0]]);
    expect(parts.map(({ changed, groups }) => [changed, groups.map(({ code }) => code)])).toEqual([
      [0, []],
      [1, ['record_changed']],
    ]);
    const other = ledgerFlags(made, (lines) => lines.map((line) => line.replace('"first"', '"fist"')));
    expect((await found(made, 'night.yaml', ...other)).exit).toBe(11);
  });

  test('takes all shards of a resource as one whole, and misses the rows of a journal that is gone', async () => {
    const made = await site(seedWith('imported', 'imported', 'imported', 'imported'));
    made.csv('n1.csv', NOTES, ...[1001, 1002, 1003, 1004].map((account) => note(account, 'first')));
    const shards: Record<string, number>[] = [];
    for (const shard of ['1/2', '2/2']) {
      await made.cli('migrate', 'night.yaml', '--shard', shard);
      const { exit, ends } = await found(made, 'night.yaml', '--ledger', made.url);
      shards.push({ exit, ...(ends[0]![1] as object) });
    }
    const [{ created, not_sent: left }] = shards as [Record<string, number>];
    expect(shards[0]).toMatchObject({ exit: 5, read: 6 });
    expect([created! + left!, created! > 0, left! > 0]).toEqual([6, true, true]);
    expect(shards[1]).toEqual({ exit: 0, read: 6, created: 6 });
    const notes = ['notes', 'n1.csv', 'n2.csv', '--supplier', 'ACME', '--run-dir', '.dataimport/journal'];
    expect((await found(made, ...notes, '--shard', '2/2')).ends).toEqual([
      ['notes', { read: 6, created: left, filtered: created }],
    ]);
    const second = runsOf(made).find((id) => id.includes('notes') && id.includes('2of2'))!;
    const file = journalOf(made.cwd, second);
    rmSync(file);
    const removed = await made.cli('verify', 'night.yaml');
    expect([removed.exitCode, removed.stderr]).toEqual([8, expect.stringContaining('run_removed')]);
    rmSync(`${file}.head`);
    expect(await found(made, 'night.yaml')).toMatchObject({
      exit: 5,
      ends: [['notes', { created, not_sent: left }], {}],
    });
  });

  test.each<readonly [string, (made: KeptSite) => { close(): unknown }, number, string]>([
    [
      'was changed, also while rows are left',
      ({ cwd }) => {
        const db = new Database(
          journalOf(
            cwd,
            runsOf({ cwd }).find((id) => id.includes('-notes-'))!,
          ),
        );
        db.exec("UPDATE outcome SET outcome = 'verify' WHERE seq = 1");
        return db;
      },
      8,
      'run_damaged',
    ],
    ['is in use', ({ cwd }) => Journal.open(journalOf(cwd, runsOf({ cwd })[0]!)), 10, 'run_locked'],
  ])('shows no figures when the journal of a resource %s', async (_, happens, exit, code) => {
    const made = copied(await staged());
    const held = happens(made);
    if (code === 'run_damaged') held.close();
    const { exitCode, stdout, stderr } = await made.cli('verify', 'night.yaml');
    held.close();
    expect([exitCode, stdout, stderr]).toEqual([exit, '', expect.stringContaining(code)]);
  });

  test('shows no figures when files of a resource cannot be read', async () => {
    const made = copied(await arrived());
    writeLines(made.cwd, 't.csv', [TRANSACTIONS.replace(',amount', ''), 'ACME,1001,t-1,2026-02-01,CREDIT']);
    const { exitCode, stdout } = await made.cli('verify', 'night.yaml', ...ledgerFlags(made));
    expect([exitCode, stdout]).toEqual([
      3,
      expect.stringContaining('\nnext: correct the problems, then type the same command again\n') as string,
    ]);
  });
});

const ALLOWED =
  'Allowed choices are notes, transactions, statements, payment-instructions, or the name of a .yaml file';

test.each([
  [['notes'], 'usage'],
  [[], 'run_none'],
  [['--map', 'x'], 'usage --map belongs to one resource, and type `dataimport verify RESOURCE FILE`'],
  [['night.yaml', 'n1.csv'], 'usage a file belongs to one resource, and night.yaml is a cohort'],
  [['NIGHT.YML', '--map', 'x'], 'usage --map belongs to one resource, and NIGHT.YML is a cohort'],
  [['other', 'x'], `${ALLOWED}.`],
  [['note', 'x'], `${ALLOWED}; did you mean notes?`],
])('verify %j is refused: %s', async (words, reason) => {
  const { exitCode, stderr, stdout } = await runCli(['verify', ...words], fakeIo({ cwd: temporaryFolder() }));
  expect([exitCode, stdout]).toEqual([reason === 'run_none' ? 9 : 2, '']);
  expect(stderr).toContain(reason);
});
