import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { belongsTo } from '../../src/cli/push/stage-job.ts';
import type { MigrationReport } from '../../src/cli/report/page/migration-report.ts';
import {
  documentOf,
  note,
  NOTES,
  seedWith,
  site,
  transaction,
  TRANSACTIONS,
} from '../support/cohort-site.ts';
import type { Migration } from '../support/migration.ts';

const ACCOUNTS = [1001, 1002, 1003, 1004] as const;
const IMPORTED = seedWith('imported', 'imported', 'imported', 'imported');

const NIGHT = `
version: 1
supplier: ACME
resources:
  notes: { files: [n.csv] }
  transactions: { files: [t.csv] }
`;
const CORRECTED = NIGHT.replace('[t.csv] }', '[t.csv], corrections: [c.csv] }');
const MIGRATE = ['migrate', 'night.yaml', '--json'];

/** A command that was printed, as argv. */
const typed = (command: string): readonly string[] => command.split(' ').slice(1);

const writeCohort = (made: Migration, cohort: string): void =>
  writeFileSync(join(made.cwd, 'night.yaml'), cohort);

/** A note and a transaction of each account. Those of 1002 and 1003 have an invalid amount. */
async function invalidSite(seed = IMPORTED): Promise<Migration> {
  const made = await site(seed, NIGHT);
  made.csv('n.csv', NOTES, ...ACCOUNTS.map((account) => note(account, 'first')));
  made.csv(
    't.csv',
    TRANSACTIONS,
    ...ACCOUNTS.map((account, index) =>
      transaction(account, `t-${account}`, index === 1 || index === 2 ? 'x' : '1.10'),
    ),
  );
  return made;
}

/** What the platform has of transactions, as `account id amount`. */
async function transactionsOf(made: Migration): Promise<readonly string[]> {
  const ledger = await made.ledger();
  return ledger
    .filter(({ kind }) => kind === 'transaction')
    .map(({ external_account_number: account, data }) =>
      [account, data['transaction_id'], data['amount']].join(' '),
    )
    .toSorted();
}

const ALL = ['1001 t-1001 1.10', '1002 t-1002 2.20', '1003 t-1003 3.30', '1004 t-1004 1.10'];
const FIXED = [transaction(1002, 't-1002', '2.20'), transaction(1003, 't-1003', '3.30')];

async function everythingArrived(made: Migration): Promise<void> {
  const { exitCode, json } = await made.cli('report', 'night', '--json');
  const { answer } = json() as unknown as MigrationReport;
  expect([exitCode, answer.everything_arrived, answer.to_do]).toEqual([0, true, []]);
}

describe('corrections of a cohort', () => {
  test('may be a pattern that matches no file yet, take the place of the invalid rows, and are verified with the files', async () => {
    const made = await invalidSite();
    writeCohort(made, CORRECTED.replace('[c.csv]', '["c*.csv"]'));
    const first = await made.cli(...MIGRATE, '--skip-invalid');
    expect([first.exitCode, documentOf(first).rows]).toMatchObject([6, { created: 6, invalid: 2 }]);
    made.csv('c1.csv', TRANSACTIONS, ...FIXED);
    const second = await made.cli(...MIGRATE, '--skip-invalid');
    const { rows, resources } = documentOf(second);
    expect([second.exitCode, rows]).toMatchObject([
      0,
      { created: 6, sent_before: 2, invalid: 0, filtered: 2 },
    ]);
    expect(resources[1]!.left_out).toEqual([{ reason: 'corrected', place: 'c1.csv', count: 2 }]);
    expect(await transactionsOf(made)).toEqual(ALL);
    await everythingArrived(made);
    const verified = await made.cli('verify', 'night.yaml', '--ledger', made.url);
    expect([verified.exitCode, verified.stderr]).toEqual([0, '']);
    // And once more: nothing is read or sent.
    expect(await made.cli('migrate', 'night.yaml', '--skip-invalid')).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/^Nothing was left to do/) as string,
    });
    // A name is that of a file.
    writeCohort(made, CORRECTED);
    const { exitCode, stderr } = await made.cli(...MIGRATE);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('corrections.0: no file matches')]);
  });

  test('of rejects go round: copied, corrected, named, sent', async () => {
    const made = await invalidSite();
    const first = await made.cli(...MIGRATE, '--skip-invalid');
    const run = documentOf(first).resources[1]!.run!;
    const copied = await made.cli('resume', run, '--rejects', 'c.csv');
    expect([copied.exitCode, copied.stdout]).toEqual([
      6,
      expect.stringContaining('name it under `corrections` of transactions in night.yaml\n') as string,
    ]);
    expect(existsSync(join(made.cwd, 'c.csv.reasons.csv'))).toBe(true);
    const text = readFileSync(join(made.cwd, 'c.csv'), 'utf8');
    // The account of the second row was wrong, too: its reasons tie it to its row.
    writeFileSync(
      join(made.cwd, 'c.csv'),
      text.replace(',x', ',2.20').replace('1003,t-1003', '1004,t-1003').replace(',x', ',3.30'),
    );
    writeCohort(made, CORRECTED);
    expect((await made.cli(...MIGRATE)).exitCode).toBe(0);
    expect(await transactionsOf(made)).toEqual(
      ALL.map((line) => line.replace('1003 t-1003', '1004 t-1003')).toSorted(),
    );
    await everythingArrived(made);
  });

  test('are sent by the shard of their account, also of a row whose account was wrong, and are no errors of the others', async () => {
    const made = await invalidSite();
    const own = (account: number): string =>
      belongsTo({ index: 1, count: 2 }, String(account)) ? '1/2' : '2/2';
    const other = ACCOUNTS.find((account) => own(account) !== own(1002))!;
    const exits: number[] = [];
    for (const shard of ['1/2', '2/2'])
      exits.push((await made.cli(...MIGRATE, '--skip-invalid', '--shard', shard)).exitCode);
    expect(exits).toContain(6);
    const whole = await made.cli(
      'check',
      'transactions',
      't.csv',
      '--supplier',
      'ACME',
      '--rejects',
      'c.csv',
    );
    expect(whole.exitCode).toBe(3);
    const text = readFileSync(join(made.cwd, 'c.csv'), 'utf8');
    writeFileSync(
      join(made.cwd, 'c.csv'),
      text.replace('1002,t-1002', `${other},t-1002`).replace(',x', ',2.20').replace(',x', ',3.30'),
    );
    writeCohort(made, CORRECTED);
    for (const shard of ['1/2', '2/2']) {
      const { exitCode, stderr } = await made.cli(...MIGRATE, '--shard', shard);
      expect([exitCode, stderr], shard).toEqual([0, '']);
    }
    expect(await transactionsOf(made)).toEqual(
      ALL.map((line) => line.replace('1002 t-1002', `${other} t-1002`)).toSorted(),
    );
    expect(await made.ledger()).toHaveLength(8);
    await everythingArrived(made);
  });

  test('that replace nothing are errors at their line, in the whole and in exactly one shard', async () => {
    const made = await invalidSite();
    writeCohort(made, CORRECTED);
    made.csv('c.csv', TRANSACTIONS, ...FIXED, transaction(1004, 't-9', '1.00'));
    const whole = await made.cli(...MIGRATE);
    expect([whole.exitCode, documentOf(whole).problems]).toMatchObject([
      3,
      [{ code: 'correction_replaces_nothing', file: 'c.csv', line: 4 }],
    ]);
    const exits: number[] = [];
    for (const shard of ['1/2', '2/2']) exits.push((await made.cli(...MIGRATE, '--shard', shard)).exitCode);
    expect(exits.toSorted((a, b) => a - b)).toEqual([0, 3]);
    made.csv('c.csv', TRANSACTIONS, ...FIXED);
    // Without a reasons file the shards find the rows by their ids.
    for (const shard of ['1/2', '2/2']) {
      const { exitCode, stderr } = await made.cli(...MIGRATE, '--shard', shard);
      expect([exitCode, stderr], shard).toEqual([0, '']);
    }
    expect(await transactionsOf(made)).toEqual(ALL);
    const { next } = documentOf(whole);
    const again = /then: (.*)$/.exec(next!)![1]!;
    expect((await made.cli(...typed(again))).exitCode).toBe(0);
    expect(await transactionsOf(made)).toEqual(ALL);
  });

  test('of a record that arrived before are refused like any change of it', async () => {
    const made = await invalidSite();
    await made.cli(...MIGRATE, '--skip-invalid');
    writeCohort(made, CORRECTED);
    made.csv('c.csv', TRANSACTIONS, ...FIXED, transaction(1001, 't-1001', '9.99'));
    const { exitCode, json } = await made.cli(...MIGRATE);
    expect([exitCode, documentOf({ json }).problems]).toMatchObject([
      3,
      [{ code: 'record_changed', file: 'c.csv', line: 4 }],
    ]);
    expect(await transactionsOf(made)).toEqual([ALL[0], ALL[3]]);
  });
});

describe('an account that is imported late', () => {
  const LATE = seedWith('imported', 'staged', 'imported', 'staged');

  test('gets its records in their order, from files that were corrected meanwhile', async () => {
    const made = await invalidSite(LATE);
    const first = await made.cli(...MIGRATE, '--skip-invalid');
    expect([first.exitCode, documentOf(first).not_sent]).toMatchObject([
      5,
      [
        { resource: 'notes', reason: 'account_not_imported', rows: 2 },
        { resource: 'transactions', reason: 'account_not_imported', rows: 1 },
      ],
    ]);
    writeCohort(made, CORRECTED);
    made.csv('c.csv', TRANSACTIONS, ...FIXED);
    const second = await made.cli(...MIGRATE);
    expect([second.exitCode, documentOf(second).rows]).toMatchObject([
      5,
      { created: 3, sent_before: 1, not_sent: 4 },
    ]);
    await made.setState('1002', 'imported');
    await made.setState('1004', 'imported');
    expect((await made.cli(...typed(documentOf(second).next!))).exitCode).toBe(0);
    expect(await transactionsOf(made)).toEqual(ALL);
    for (const account of ACCOUNTS) {
      const own = (await made.ledger()).filter((line) => line.external_account_number === `${account}`);
      expect(
        own.map(({ kind }) => kind),
        `${account}`,
      ).toEqual(['note', 'transaction']);
    }
    await everythingArrived(made);
  });

  test('is sent by its shard alone, by the command that its report names', async () => {
    const made = await invalidSite(LATE);
    made.csv('t.csv', TRANSACTIONS, ...ACCOUNTS.map((account) => transaction(account, `t-${account}`)));
    const exits: number[] = [];
    for (const shard of ['1/2', '2/2']) exits.push((await made.cli(...MIGRATE, '--shard', shard)).exitCode);
    expect(exits).toContain(5);
    await made.setState('1002', 'imported');
    await made.setState('1004', 'imported');
    const { json } = await made.cli('report', 'night', '--json');
    const { answer } = json() as unknown as MigrationReport;
    for (const { command } of answer.to_do)
      if (command !== null) expect((await made.cli(...typed(command))).exitCode, command).toBe(0);
    expect(await made.ledger()).toHaveLength(8);
    await everythingArrived(made);
  });
});
