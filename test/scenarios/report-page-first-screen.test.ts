import { expect, test } from 'vitest';
import type { MigrationReport } from '../../src/cli/report/page/migration-report.ts';
import { migration } from '../support/migration.ts';
import { HEADER, SEED } from '../support/refused-account.ts';

const row = (account: string, id: string, amount: string): string =>
  `ACME,${account},${id},2026-02-01,CREDIT,${amount}`;

test('the first screen says which sum is missing, and a refused request counts each of its records', async () => {
  const site = await migration(SEED);
  site.csv(
    't.csv',
    HEADER,
    row('1001', 't-1', '10.10'),
    row('1003', 't-2', '1.00'),
    row('1003', 't-3', '2.50'),
  );
  await site.cli('push', 'transactions', 't.csv', '--on-reject', 'skip', '--skip-invalid');
  const page = (await site.cli('report', '.dataimport/runs', '--html', '-')).stdout.replaceAll(/\s+/g, ' ');
  expect(page).toContain('<td class="number">3.50 of 13.60</td>');
  expect(page).toMatch(/<p> ?supplier ACME, platform http:\/\/127\.0\.0\.1:\d+, sent from 2026-11-21/);
  expect(page).toContain(
    '<li>transactions: Valid rows were sent although others are invalid (--skip-invalid)',
  );
  const { parts } = (
    await site.cli('report', '.dataimport/runs', '--json')
  ).json() as unknown as MigrationReport;
  const [refusal] = parts[0]!.groups.filter(({ severity }) => severity === 'error');
  expect(refusal).toMatchObject({ count: 1, records: 2 });
});

test('the page lists the rows that a person has confirmed, with the name and the time', async () => {
  const site = await migration(SEED);
  await site.faults('statements after-commit reset nth=1');
  const header =
    'import_supplier,external_account_number,statement_id,bill_period_from_date,bill_period_to_date,gross_amount';
  site.csv('s.csv', header, 'ACME,1001,s-1,2025-01-01,2025-03-31,100');
  const world = { chance: 0.5, maxWaits: 1 };
  const pushed = await site.cliIn(world, 'push', 'statements', 's.csv', '--json');
  const run = String(pushed.json()['run']);
  await site.cli('runs', 'confirm', run, '--arrived', '--by', 'A. Lead');
  const report = (await site.cli('report', run, '--json')).json() as unknown as MigrationReport;
  expect(report.parts[0]!.decisions).toEqual([
    {
      at: expect.stringMatching(/^2026-11-21T/) as string,
      by: 'A. Lead',
      what: '1 row confirmed as arrived',
    },
  ]);
  expect((await site.cli('report', run, '--html', '-')).stdout).toContain('Decided by people');
});
