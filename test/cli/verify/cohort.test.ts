import { rmSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import {
  cohortVerificationDocument,
  verificationDocument,
} from '../../../src/cli/verify/verification-schema.ts';
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
import { copied, keptSite, ledgerFlags, writeLines } from '../../support/kept-site.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

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

describe('verify of a cohort', () => {
  test('compares every resource with its run and with the ledger', async () => {
    const made = await arrived();
    const equal = await made.cli('verify', 'night.yaml', ...ledgerFlags(made), '--json');
    expect(equal.exitCode).toBe(0);
    const { cohort, resources } = cohortVerificationDocument.parse(equal.json());
    expect([cohort, resources.map(({ comparisons }) => comparisons.length)]).toEqual(['night', [2, 2]]);
    const { stdout } = await made.cli('verify', 'night.yaml');
    expect(stdout.endsWith('\ncohort night: nothing differs\n')).toBe(true);
  });

  test('says what differs in a resource', async () => {
    const made = copied(await arrived());
    const rows = [transaction(1001, 't-1', '9.99'), transaction(1002, 't-2'), transaction(1001, 't-3')];
    writeLines(made.cwd, 't.csv', [TRANSACTIONS, ...rows]);
    const line = ['verify', 'night.yaml', ...ledgerFlags(made)];
    const document = (await made.cli(...line, '--json')).json();
    expect(cohortVerificationDocument.parse(document).resources[1]!.comparisons[0]!.errors_total).toBe(1);
    const schema = (await made.cli('schema', 'verify')).json();
    expect(new Ajv2020({ strict: false }).validate(schema, document)).toBe(true);
    const differs = await made.cli(...line);
    expect(differs.exitCode).toBe(11);
    expect(differs.stdout).toContain(
      'cohort night: something differs\nnext: dataimport explain record_differs\n',
    );
  });

  test('compares all shards of a resource as one whole, and fails while one of them is not finished', async () => {
    const made = await site(seedWith('imported', 'imported', 'imported', 'imported'));
    made.csv('n1.csv', NOTES, ...[1001, 1002, 1003, 1004].map((account) => note(account, 'first')));
    const verify = () => made.cli('verify', 'night.yaml', '--ledger', made.url, '--json');
    for (const shard of ['1/2', '2/2']) {
      if (shard === '2/2') expect((await verify()).stderr).toContain('shard 2 of 2 has no run');
      expect((await made.cli('migrate', 'night.yaml', '--shard', shard)).exitCode).toBe(0);
    }
    const whole = await verify();
    expect(whole.exitCode).toBe(0);
    const [notes] = cohortVerificationDocument.parse(whole.json()).resources;
    expect([notes!.rows.valid, notes!.comparisons[0]!.names.length]).toEqual([6, 2]);
    const line = ['verify', 'notes', 'n1.csv', 'n2.csv', '--supplier', 'ACME', '--json'];
    const runDir = ['--run-dir', '.dataimport/journal'];
    const one = verificationDocument.parse((await made.cli(...line, ...runDir, '--shard', '2/2')).json());
    expect(one.comparisons[0]).toMatchObject({ equal: true, names: [expect.stringContaining('2of2')] });
  });

  test('proves nothing without the journal of a shard, or without the rows that only this shard sent', async () => {
    const made = await site(seedWith('imported', 'imported', 'imported', 'imported'));
    made.csv('n1.csv', NOTES, ...[1001, 1002, 1003, 1004].map((account) => note(account, 'first')));
    for (const shard of ['1/2', '2/2']) await made.cli('migrate', 'night.yaml', '--shard', shard);
    const folder = join(made.cwd, '.dataimport', 'journal');
    const shards = runsOf(made).filter((id) => id.includes('notes'));
    const runs = shards.flatMap((id) => ['--run', id]);
    const line = ['verify', 'notes', 'n1.csv', 'n2.csv', '--supplier', 'ACME', '--run-dir', folder, '--json'];
    const merged = verificationDocument.parse((await made.cli(...line, ...runs)).json());
    expect([merged.exit.code, merged.comparisons[0]!.chains.length]).toEqual([0, 2]);
    const part = verificationDocument.parse((await made.cli(...line, '--run', shards[0]!)).json());
    expect([part.exit.code, Object.keys(part.comparisons[0]!.by_code)]).toEqual([11, ['record_missing']]);
    const file = journalOf(made.cwd, shards[1]!);
    for (const [removed, reason] of [
      [file, /run_removed/],
      [`${file}.head`, /shards_differ .*: shard [12] of 2 has no run/],
    ] as const) {
      rmSync(removed);
      const { exitCode, stderr } = await made.cli('verify', 'night.yaml');
      expect([exitCode, stderr]).toEqual([8, expect.stringMatching(reason)]);
    }
  });

  test('compares what was sent while accounts are not imported, says what is left, and names the line that goes on', async () => {
    const made = await site(seedWith('imported', 'staged'));
    await made.cli('migrate', 'night.yaml');
    const sent = await made.cli('verify', 'night.yaml', '--ledger', made.url, '--json');
    const { exit, resources, next } = cohortVerificationDocument.parse(sent.json());
    expect([exit.code, next]).toEqual([5, 'dataimport migrate night.yaml']);
    expect(resources.map(({ exit: { code }, comparisons }) => [code, comparisons])).toMatchObject([
      [
        5,
        Array(2).fill({
          equal: true,
          proves: null,
          rows_apart: { left: 2 },
          errors_total: 0,
          warnings_total: 0,
        }),
      ],
      [
        5,
        Array(2).fill({
          equal: true,
          proves: null,
          rows_apart: { left: 1 },
          errors_total: 0,
          warnings_total: 0,
        }),
      ],
    ]);
    const { stdout } = await made.cli('verify', 'night.yaml');
    expect(stdout).toContain('nothing differs in the rows that were compared, 2 rows were not sent yet\n');
    expect(stdout).toContain(
      'cohort night: nothing differs, 3 rows were not sent yet\nnext: dataimport migrate night.yaml\n',
    );
    await made.reseed(seedWith('imported', 'imported'));
    expect((await made.cli(...next!.split(' ').slice(1))).exitCode).toBe(0);
    expect((await made.cli('verify', 'night.yaml', '--ledger', made.url)).exitCode).toBe(0);
  });

  test('ends with 8 when the journal of a resource was changed, also while rows are left', async () => {
    const made = copied(await staged());
    const notes = runsOf(made).find((id) => id.includes('-notes-'))!;
    const db = new Database(journalOf(made.cwd, notes));
    db.exec("UPDATE outcome SET outcome = 'verify' WHERE seq = 1");
    db.close();
    const { exitCode, stdout } = await made.cli('verify', 'night.yaml');
    expect(exitCode).toBe(8);
    expect(stdout).toContain('cohort night: something differs, 3 rows were not sent yet, 1 row has to be');
    expect(stdout).toContain('\nnext: dataimport explain chain_broken\n');
  });

  test('compares nothing when files of a resource cannot be read', async () => {
    const made = copied(await arrived());
    writeLines(made.cwd, 't.csv', [TRANSACTIONS.replace(',amount', ''), 'ACME,1001,t-1,2026-02-01,CREDIT']);
    // With a ledger no run has to have read the same bytes.
    const { exitCode, stdout } = await made.cli('verify', 'night.yaml', ...ledgerFlags(made));
    expect([exitCode, stdout]).toEqual([
      3,
      expect.stringContaining('\nnext: correct the problems, then type the same command again\n') as string,
    ]);
  });

  test('waits for a cohort that another process sends', async () => {
    const made = await staged();
    const held = Journal.open(journalOf(made.cwd, runsOf(made)[0]!));
    const { exitCode, stderr } = await made.cli('verify', 'night.yaml');
    held.close();
    expect([exitCode, stderr]).toEqual([10, expect.stringContaining('run_locked') as string]);
  });

  test('names the command that goes on for a run that is not finished', async () => {
    const made = await staged();
    const run = runsOf(made).find((id) => id.includes('-notes-'))!;
    const files = ['n1.csv', 'n2.csv', 'n3.csv'];
    const line = ['verify', 'notes', ...files, '--supplier', 'ACME', '--run', run];
    const { exitCode, stdout } = await made.cli(...line);
    expect([exitCode, stdout]).toEqual([
      5,
      expect.stringContaining(`\nnext: dataimport migrate night.yaml\n`),
    ]);
  });
});

const ALLOWED =
  'Allowed choices are notes, transactions, statements, payment-instructions, or the name of a .yaml file';

test.each([
  [['notes'], 'usage no file of notes is given'],
  [['night.yaml', 'n1.csv'], 'usage a file belongs to one resource, and night.yaml is a cohort'],
  [['NIGHT.YML', '--run', 'x'], 'usage --run belongs to one resource, and NIGHT.YML is a cohort'],
  [['night.yaml', '--ask-again'], 'usage --ask-again belongs to one resource, and night.yaml is a cohort'],
  [['night.yaml', '--map', 'x'], 'usage --map belongs to one resource, and night.yaml is a cohort'],
  [['other', 'x'], `${ALLOWED}.`],
  [['note', 'x'], `${ALLOWED}; did you mean notes?`],
  [
    ['statements', 'x', '--ask-again'],
    '--ask-again: the platform cannot say that statements are already there',
  ],
  [['notes', '-', '--ask-again'], '--ask-again reads files twice, so it needs files, not -'],
])('verify %j is refused: %s', async (words, reason) => {
  const { exitCode, stderr, stdout } = await runCli(['verify', ...words], fakeIo({ cwd: temporaryFolder() }));
  expect([exitCode, stdout]).toEqual([2, '']);
  expect(stderr).toContain(reason);
});

test('a cohort is compared when every resource of it has a run, and none is taken for another', async () => {
  const made = await site(seedWith('imported', 'imported'));
  await made.cli('push', 'notes', 'n1.csv', 'n2.csv', '--supplier', 'ACME');
  const folder = join(made.cwd, '.dataimport', 'journal');
  const said = async (): Promise<readonly unknown[]> => {
    const { exitCode, stderr } = await made.cli('verify', 'night.yaml');
    return [exitCode, stderr.split('\n').filter((line) => line !== '')];
  };
  const missing = (what: string): readonly unknown[] => [
    2,
    [
      `dataimport: error run_to_verify_missing no run of the ${what} of night.yaml, as their files are now, is in ${folder}`,
      'next: Type `dataimport migrate night.yaml` with its flags again: it sends only what is new in the files. `dataimport runs` lists the runs.',
    ],
  ];
  expect(await said()).toEqual(missing('transactions'));
  made.csv('n1.csv', NOTES, note(1001, 'another'));
  expect(await said()).toEqual(missing('notes and transactions'));
  // The step that is named leads on.
  expect((await made.cli('migrate', 'night.yaml')).exitCode).toBe(0);
  expect((await made.cli('verify', 'night.yaml')).exitCode).toBe(0);
});
