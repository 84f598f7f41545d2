import { describe, expect, test } from 'vitest';
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
const MIGRATE = ['migrate', 'night.yaml', '--json'];

/** A command that was printed, as argv. */
const typed = (command: string): readonly string[] => command.split(' ').slice(1);

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
    made.csv('t.csv', TRANSACTIONS, transaction(1001, 't-1001'), ...FIXED, transaction(1004, 't-1004'));
    const second = await made.cli(...MIGRATE);
    expect([second.exitCode, documentOf(second).rows]).toMatchObject([5, { created: 4, not_sent: 4 }]);
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
