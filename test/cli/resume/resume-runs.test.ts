import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { migration, type Migration } from '../../support/migration.ts';
import { SEED } from '../../support/refused-account.ts';

const MAPPING = `version: 1
resource: transactions
fields:
  import_supplier: { constant: ACME }
  external_account_number: Konto
  transaction_id: Nr
  transaction_date: { constant: '2026-02-01' }
  type: { constant: CREDIT }
  amount: { constant: '1.00' }
`;
const PUSH = ['push', 'transactions', 't.csv', '--map', 'm.yaml'] as const;
const COMMAND = '`dataimport push transactions t.csv --map m.yaml` sends the present version\n';

/** A run that stopped at its first row. */
async function stopped(): Promise<Migration> {
  const site = await migration(SEED);
  site.csv('t.csv', 'Konto,Nr', '1003,t-1', '1001,t-2');
  writeFileSync(join(site.cwd, 'm.yaml'), MAPPING);
  expect((await site.cli(...PUSH, '-j', '1')).exitCode).toBe(4);
  return site;
}

test.each<readonly [string, (site: Migration) => unknown, string]>([
  [
    'a file is another one',
    ({ csv }) => csv('t.csv', 'Konto,Nr', '1001,t-2'),
    't.csv is not what this run has read',
  ],
  ['a file is gone', ({ cwd }) => rmSync(join(cwd, 't.csv')), 't.csv is not there any more'],
  [
    'the mapping is another one',
    ({ cwd }) => writeFileSync(join(cwd, 'm.yaml'), MAPPING.replace('1.00', '2.00')),
    'm.yaml is not what this run has read',
  ],
])('says which command sends the present version when %s, and goes on', async (_, change, says) => {
  const site = await stopped();
  change(site);
  const { stderr, stdout } = await site.cli('resume', '--on-reject', 'skip');
  expect(stderr).toContain(`${says}; ${COMMAND.replace('m.yaml`', 'm.yaml -j 1`')}`);
  expect(stdout).toContain('2 rows read: 1 created, 1 rejected\n');
});

test('says nothing when the files are what it has read', async () => {
  const site = await stopped();
  expect((await site.cli('resume', '--on-reject', 'skip')).stderr).not.toContain('present version');
});
