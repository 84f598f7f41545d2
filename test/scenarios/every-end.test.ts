import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Journal } from '../../src/cli/journal/journal.ts';
import { onlyJournalOf } from '../support/journals.ts';
import { migration, type Migration } from '../support/migration.ts';
import { nextOf, typed } from '../support/next-command.ts';
import { GOOD, HEADER, IMPORTED, REFUSED, SEED } from '../support/refused-account.ts';

const STATEMENTS =
  'import_supplier,external_account_number,statement_id,bill_period_from_date,bill_period_to_date,gross_amount';
const STATEMENT = 'ACME,1001,s-1,2025-01-01,2025-03-31,100';
const NOTE = 'ACME,1001,Called,2026-01-01T00:00:00Z';
const COHORT = `
version: 1
supplier: ACME
resources:
  transactions: { files: [t.csv] }
  notes: { files: [n.csv] }
`;
const TRANSACTIONS = ['push', 'transactions', 't.csv', '-j', '1'];
const SENT = ['push', 'statements', 's.csv', '-j', '1'];

/** Commands until everything has to have arrived. */
const MOST_COMMANDS = 5;

type Ended = Awaited<ReturnType<Migration['cli']>>;

/** A command that does not end well, and what a person does about the cause before the printed step is typed. */
interface BadEnd {
  readonly exit: number;
  readonly seed: string;
  readonly begin: (site: Migration) => Promise<Ended>;
  readonly repair?: (site: Migration) => unknown;
}

/** Waits are simulated. */
const WAITING = { chance: 0.99, maxWaits: 20 };

const pushed = (site: Migration, rows: readonly string[], ...flags: readonly string[]): Promise<Ended> => {
  site.csv('t.csv', HEADER, ...rows);
  return site.cli(...TRANSACTIONS, ...flags);
};

const sent = (site: Migration, ...rows: readonly string[]): Promise<Ended> => {
  site.csv('s.csv', STATEMENTS, ...rows);
  return site.cliIn(WAITING, ...SENT);
};

/** A row of each of two resources, for an account that is imported and one that the test is about. */
const cohort = (site: Migration, row: string, ...flags: readonly string[]): Promise<Ended> => {
  site.csv('t.csv', HEADER, GOOD, row);
  site.csv(
    'n.csv',
    'import_supplier,external_account_number,body,created_at',
    NOTE,
    NOTE.replace('1001,Called', '1003,Asked'),
  );
  writeFileSync(join(site.cwd, 'night.yaml'), COHORT);
  return site.cliIn({ chance: 0.99, maxWaits: 200 }, 'migrate', 'night.yaml', ...flags);
};

const faulty = async (site: Migration, fault: string, ...flags: readonly string[]): Promise<Ended> => {
  await site.faults(fault);
  site.csv('t.csv', HEADER, GOOD, GOOD.replace('t-1', 't-2'));
  return site.cliIn(WAITING, ...TRANSACTIONS, '--retry-for', '1ms', ...flags);
};

const noFaults = (site: Migration): Promise<void> => site.faults();

const ENDS: Readonly<Record<string, BadEnd>> = {
  'an invalid row': {
    exit: 3,
    seed: IMPORTED,
    begin: (site) => pushed(site, [GOOD, `${REFUSED}x`]),
    repair: (site) => site.csv('t.csv', HEADER, GOOD, REFUSED),
  },
  'an invalid row beside rows that were sent': {
    exit: 6,
    seed: IMPORTED,
    begin: (site) => pushed(site, [GOOD, `${REFUSED}x`], '--skip-invalid'),
    repair: (site) => site.csv('t.csv', HEADER, GOOD, REFUSED),
  },
  'a changed record': {
    exit: 3,
    seed: IMPORTED,
    async begin(site) {
      await sent(site, STATEMENT);
      return sent(site, STATEMENT.replace('100', '150'));
    },
  },
  'a refused row': {
    exit: 4,
    seed: SEED,
    begin: (site) => pushed(site, [GOOD, REFUSED]),
    repair: (site) => site.reseed(IMPORTED),
  },
  'a refused row that was set aside': {
    exit: 6,
    seed: SEED,
    begin: (site) => pushed(site, [REFUSED, GOOD], '--on-reject', 'skip'),
    repair: (site) => site.reseed(IMPORTED),
  },
  'a statement that another tool has sent': {
    exit: 4,
    seed: IMPORTED,
    async begin(site) {
      await sent(site, STATEMENT);
      rmSync(join(site.cwd, '.dataimport', 'journal'), { recursive: true });
      return sent(site, STATEMENT);
    },
  },
  'a statement whose answer was lost': {
    exit: 6,
    seed: IMPORTED,
    async begin(site) {
      await site.faults('statements after-commit reset nth=1');
      return sent(site, STATEMENT);
    },
  },
  'a platform that keeps failing': {
    exit: 5,
    seed: IMPORTED,
    begin: (site) => faulty(site, 'transactions accept status=503'),
    repair: noFaults,
  },
  'a platform that asks for a long wait': {
    exit: 5,
    seed: IMPORTED,
    begin: (site) => faulty(site, 'transactions accept status=429 retry-after=7200'),
    repair: noFaults,
  },
  'a token that is refused': {
    exit: 7,
    seed: IMPORTED,
    begin: (site) => faulty(site, 'transactions accept status=401'),
    repair: noFaults,
  },
  'a cohort whose account is not imported yet': {
    exit: 5,
    seed: SEED,
    begin: (site) => cohort(site, REFUSED),
    repair: (site) => site.setState('1003', 'imported'),
  },
  'a cohort whose account is imported too late': {
    exit: 6,
    seed: SEED,
    begin: (site) => cohort(site, REFUSED, '--wait-for-accounts', '1m'),
    repair: (site) => site.setState('1003', 'imported'),
  },
  'a cohort with an account whose import failed': {
    exit: 5,
    seed: SEED.replace('state: staged', 'state: failed'),
    begin: (site) => cohort(site, REFUSED),
    repair: (site) => site.setState('1003', 'imported'),
  },
  'a cohort that an invalid row stops': {
    exit: 3,
    seed: IMPORTED,
    begin: (site) => cohort(site, `${REFUSED}x`),
    repair: (site) => site.csv('t.csv', HEADER, GOOD, REFUSED),
  },
};

/** Types the printed step: the command, or the list of the rows that a person settles, and then the word of the person. */
async function followed(site: Migration, { stdout }: Ended): Promise<Ended> {
  const ended = await site.cliIn(WAITING, ...typed(nextOf(stdout)));
  const [, confirm] = /^ {2}(dataimport .*) --arrived --by ada$/m.exec(ended.stdout) ?? [];
  if (confirm === undefined) return ended;
  const confirmed = await site.cli(...typed(confirm), '--arrived', '--by', 'A. Lead');
  expect(confirmed.exitCode).toBe(0);
  return site.cli(...typed(nextOf(confirmed.stdout)));
}

test.each(Object.entries(ENDS))('%s: the printed steps lead to the end', async (_, bad) => {
  const site = await migration(bad.seed);
  let ended = await bad.begin(site);
  expect([ended.exitCode, nextOf(ended.stdout)]).toEqual([bad.exit, expect.any(String) as string]);
  // The printed step may be typed before the cause is gone, too: it is never an error of usage.
  if (bad.repair) expect((await site.cliIn(WAITING, ...typed(nextOf(ended.stdout)))).exitCode).not.toBe(2);
  await bad.repair?.(site);
  for (let commands = 0; commands < MOST_COMMANDS && ended.exitCode !== 0; commands++)
    ended = await followed(site, ended);
  expect([ended.exitCode, nextOf(ended.stdout)]).toEqual([0, null]);
  const records = (await site.ledger()).map(({ data }) => JSON.stringify(data));
  expect(new Set(records).size).toBe(records.length);
});

test('says to a person what to do while another process holds the run, and the same command goes on afterwards', async () => {
  const site = await migration(IMPORTED);
  await pushed(site, [GOOD, `${REFUSED}x`], '--skip-invalid');
  const held = Journal.open(onlyJournalOf(site.cwd));
  const busy = await site.cli(...TRANSACTIONS);
  held.close();
  expect(busy.exitCode).toBe(10);
  expect(nextOf(busy.stderr)).toBe(
    'Wait until it is free, then run the same command again. Another command or a backup may read it.',
  );
  expect((await pushed(site, [GOOD, REFUSED])).exitCode).toBe(0);
  expect(await site.ledger()).toHaveLength(2);
});
