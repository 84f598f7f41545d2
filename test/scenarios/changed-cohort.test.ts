import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { belongsTo } from '../../src/cli/push/stage-job.ts';
import type { MigrationReport } from '../../src/cli/output/report/migration-report.ts';
import { note, NOTES, runsOf, seedWith, site, transaction, TRANSACTIONS } from '../support/cohort-site.ts';
import type { Migration } from '../support/migration.ts';

const MIGRATE = ['migrate', 'night.yaml'];
const RUN_DIR = '.dataimport/runs';

const reportOf = async (made: Migration): Promise<MigrationReport> =>
  (await made.cli('report', 'night', '--json')).json() as unknown as MigrationReport;

/** A note more than at the beginning. */
const changeNotes = (made: Migration): string =>
  made.csv('n2.csv', NOTES, note(1002, 'second'), note(1001, 'second'), note(1001, 'third'));

/** The command between backquotes that contains some words, as argv. */
const commandIn = (text: string, words: string): readonly string[] =>
  text
    .split('`')
    .find((part) => part.includes(words))!
    .split(' ')
    .slice(1);

describe('a cohort with another content of a file', () => {
  test('is refused once a resource is finished while another one is not, and goes on with the file restored', async () => {
    const made = await site(seedWith('imported', 'staged'));
    made.csv('n1.csv', NOTES, note(1001, 'first'));
    made.csv('n2.csv', NOTES, note(1001, 'second'));
    expect((await made.cli(...MIGRATE)).exitCode).toBe(5);
    const before = await made.ledger();
    made.csv('n2.csv', NOTES, note(1001, 'second'), note(1001, 'third'));
    made.csv('n3.csv', NOTES, note(1001, 'fourth'));
    const { exitCode, stderr } = await made.cli(...MIGRATE);
    expect(exitCode).toBe(8);
    expect(stderr).toContain('cohort_changed');
    expect(stderr).toContain(
      'the files of notes are not those that the cohort began with (n2.csv has another content, n3.csv is new)',
    );
    expect(await made.ledger()).toEqual(before);
    expect(runsOf(made)).toHaveLength(2);
    made.csv('n2.csv', NOTES, note(1001, 'second'));
    made.csv('n3.csv', NOTES);
    // An empty file is another content, too.
    expect((await made.cli(...MIGRATE)).exitCode).toBe(8);
  });

  test('is refused after the end, and the line that the message names sends the new rows alone', async () => {
    const made = await site(seedWith('imported', 'imported'));
    expect((await made.cli(...MIGRATE)).exitCode).toBe(0);
    changeNotes(made);
    const { exitCode, stderr } = await made.cli(...MIGRATE);
    expect([exitCode, stderr]).toEqual([8, expect.stringContaining('n2.csv has another content') as string]);
    expect((await reportOf(made)).answer.sentence).toBe('Everything arrived: 7 of 7 records.');
    const push = commandIn(stderr, '--only-new');
    expect((await made.cli(...push)).exitCode).toBe(0);
    expect((await made.ledger()).length).toBe(8);
    expect((await reportOf(made)).answer.sentence).toBe('Everything arrived: 8 of 8 records.');
    made.csv('n2.csv', NOTES, note(1002, 'second'), note(1001, 'second'));
    expect((await made.cli(...MIGRATE)).exitCode).toBe(0);
  });

  test('is begun anew with --new, and the report counts the newest run of each resource', async () => {
    const made = await site(seedWith('imported', 'imported'));
    await made.cli(...MIGRATE);
    changeNotes(made);
    const later = { nowMs: Date.UTC(2026, 10, 21, 0, 0, 5) };
    expect((await made.cliIn(later, 'migrate', 'night.yaml', '--new')).exitCode).toBe(0);
    const { answer, notes } = await reportOf(made);
    expect(answer.sentence).toBe('Everything arrived: 8 of 8 records.');
    expect(notes).toEqual([
      expect.stringMatching(/^The run \S+ of transactions is not counted, because the newer run \S+ has/),
      expect.stringMatching(
        /^The run \S+ of notes is not counted, because the newer run \S+ has replaced it/,
      ),
    ]);
  });
});

test('a finished cohort is not sent again without, which shows its report', async () => {
  const made = await site(seedWith('imported', 'imported'));
  await made.cli(...MIGRATE);
  const { exitCode, stderr } = await made.cli('migrate', 'night.yaml');
  expect([exitCode, stderr]).toEqual([8, expect.stringContaining('cohort_sent') as string]);
  expect(stderr).toContain('Type `dataimport migrate night.yaml`');
  expect(runsOf(made)).toHaveLength(2);
});

test('a finished cohort is not sent again by another number of shards', async () => {
  const made = await site(seedWith('imported', 'imported'));
  await made.cli(...MIGRATE);
  const { exitCode, stderr } = await made.cli(...MIGRATE, '--shard', '1/2');
  expect([exitCode, stderr]).toEqual([8, expect.stringContaining('different: --shard') as string]);
});

describe('a resource of which nothing was sent, in a cohort that has sent others', () => {
  /** Notes of an account that is imported, transactions of one that is not. */
  async function begun(checks = ''): Promise<Migration> {
    const cohort = `
version: 1
supplier: ACME
resources:
  notes: { files: [n1.csv] }
  transactions: { files: [t.csv, t2.csv] }
${checks}`;
    const made = await site(seedWith('imported', 'staged'), cohort);
    made.csv('n1.csv', NOTES, note(1001, 'first'));
    made.csv('t.csv', TRANSACTIONS, transaction(1002, 't-1'));
    made.csv('t2.csv', TRANSACTIONS, transaction(1002, 't-2'));
    expect((await made.cli(...MIGRATE)).exitCode).toBe(5);
    return made;
  }

  test('may be corrected, and its checks are run again', async () => {
    const made = await begun('checks: { ids_in_two_files: [transactions] }\n');
    made.csv('t2.csv', TRANSACTIONS, transaction(1002, 't-1'));
    await made.setState('1002', 'imported');
    const refused = await made.cli(...MIGRATE);
    expect([refused.exitCode, refused.stdout]).toEqual([
      3,
      expect.stringContaining('next: nothing more was sent: correct the files') as string,
    ]);
    expect((await made.ledger()).length).toBe(1);
    made.csv('t2.csv', TRANSACTIONS, transaction(1002, 't-3'));
    expect((await made.cli(...MIGRATE)).exitCode).toBe(0);
    expect((await made.ledger()).length).toBe(3);
  });

  test('leaves no run behind when its new rows are invalid', async () => {
    const made = await begun();
    made.csv('t2.csv', TRANSACTIONS, transaction(1002, 't-2', 'x'));
    expect((await made.cli(...MIGRATE)).exitCode).toBe(3);
    expect(runsOf(made)).toEqual([expect.stringContaining('-notes-')]);
  });
});

describe('a cohort that was refused', () => {
  test('leaves no run of an earlier resource behind', async () => {
    const made = await site(seedWith('imported', 'imported', 'imported', 'imported'));
    made.csv('n1.csv', NOTES, ...[1001, 1002, 1003, 1004].map((account) => note(account, 'first')));
    expect((await made.cli(...MIGRATE, '--shard', '1/2')).exitCode).toBe(0);
    const before = runsOf(made);
    made.csv('t.csv', TRANSACTIONS, transaction(1001, 't-1'));
    const refused = await made.cli(...MIGRATE, '--shard', '2/2');
    expect([refused.exitCode, refused.stderr]).toEqual([
      8,
      expect.stringContaining('the files of transactions are not those') as string,
    ]);
    expect(runsOf(made)).toEqual(before);
  });

  test('leaves no run behind when a file of a check cannot be read', async () => {
    const totals =
      'checks: { totals: [{ of: transactions, equal: { file: e.csv, account: Account, total: Sum } }] }\n';
    const cohort = `
version: 1
supplier: ACME
resources:
  transactions: { files: [t.csv] }
${totals}`;
    const made = await site(seedWith('imported', 'imported'), cohort);
    made.csv('e.csv', 'Account,Sum', '1001,1e3');
    expect((await made.cli(...MIGRATE)).exitCode).toBe(3);
    expect(runsOf(made)).toEqual([]);
  });
});

test('a run that died while it read its file is not counted by the report of a cohort, which says so', async () => {
  const made = await site(seedWith('imported', 'imported'));
  await made.cli(...MIGRATE);
  const [transactions, notes] = runsOf(made) as [string, string];
  const die = (run: string): void => {
    const db = new Database(join(made.cwd, RUN_DIR, `${run}.sqlite`));
    db.exec("UPDATE run SET state = 'staging'");
    db.close();
  };
  die(transactions);
  const report = await reportOf(made);
  expect(report.parts.map(({ resource }) => resource)).toEqual(['notes']);
  expect(report.notes).toEqual([expect.stringContaining(transactions) as string]);
  die(notes);
  const { exitCode, stderr } = await made.cli('report', 'night');
  expect([exitCode, stderr]).toEqual([8, expect.stringContaining('run_never_staged') as string]);
});

describe('a shard with an invalid row, while another shard has begun', () => {
  const TOTALS = 'checks: { totals: [{ of: transactions, equal: { file: e.csv, account: A, total: S }';
  const cohort = (more = ''): string => `
version: 1
supplier: ACME
resources:
  transactions: { files: [t.csv] }
${TOTALS}${more} }] }
`;
  const GOOD_ROWS = ['1001', '1002', '1003', '1004'].map((account) =>
    transaction(Number(account), `t-${account}`),
  );
  const BAD = '1002';
  const bad = belongsTo({ index: 1, count: 2 }, BAD) ? '1/2' : '2/2';
  const good = bad === '1/2' ? '2/2' : '1/2';
  const invalid = GOOD_ROWS.map((row) => (row.includes(BAD) ? row.replace('1.10', 'x') : row));

  test('is told to leave the files as they are, and each step that it is told leads on to the end', async () => {
    const made = await site(seedWith('imported', 'imported', 'imported', 'imported'), cohort());
    made.csv('e.csv', 'A,S', '1001,1.10', '1002,1.10', '1003,1.10', '1004,1.10');
    made.csv('t.csv', TRANSACTIONS, ...invalid);
    expect((await made.cli(...MIGRATE, '--shard', good)).exitCode).toBe(0);
    const line = [...MIGRATE, '--shard', bad];
    const first = await made.cli(...line);
    expect([first.exitCode, first.stdout]).toEqual([
      3,
      expect.stringContaining(
        'leave the files as they are, and type the same command with --skip-invalid',
      ) as string,
    ]);
    // A corrected file would make two cohorts of the shards.
    made.csv('t.csv', TRANSACTIONS, ...GOOD_ROWS);
    const corrected = await made.cli(...line);
    expect([corrected.exitCode, corrected.stderr]).toEqual([
      8,
      expect.stringMatching(/Put the files back as they were .* with --skip-invalid/) as string,
    ]);
    made.csv('t.csv', TRANSACTIONS, ...invalid);
    const skipping = await made.cli(...line, '--skip-invalid');
    expect([skipping.exitCode, skipping.stdout]).toEqual([
      3,
      expect.stringContaining('write `severity: warning` below the checks that fail') as string,
    ]);
    writeFileSync(join(made.cwd, 'night.yaml'), cohort(', severity: warning'));
    expect((await made.cli(...line, '--skip-invalid')).exitCode).toBe(6);
    // The corrected row is sent after the cohort.
    made.csv('t.csv', TRANSACTIONS, ...GOOD_ROWS);
    const { stderr } = await made.cli(...line);
    expect((await made.cli(...commandIn(stderr, '--only-new'))).exitCode).toBe(0);
    expect((await made.ledger()).length).toBe(4);
  });

  test('shows in a dry run what the real run shows with the same flags', async () => {
    const made = await site(seedWith('imported', 'imported', 'imported', 'imported'), cohort());
    made.csv('e.csv', 'A,S', '1001,1.10', '1002,1.10', '1003,1.10', '1004,1.10');
    made.csv('t.csv', TRANSACTIONS, ...invalid);
    for (const flags of [[], ['--skip-invalid'], ['--skip-invalid', '--shard', bad]]) {
      const dry = await made.cli('migrate', 'night.yaml', '--dry-run', ...flags);
      const real = await made.cli('migrate', 'night.yaml', ...flags);
      expect([dry.exitCode, dry.stderr], flags.join(' ')).toEqual([3, real.stderr]);
      expect(real.exitCode, flags.join(' ')).toBe(3);
    }
    expect(await made.ledger()).toEqual([]);
  });
});
