import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { MigrationReport } from '../../src/cli/report/page/migration-report.ts';
import { fakeIo, runCli } from '../support/cli-io.ts';
import { migration } from '../support/migration.ts';
import { reportPageOf } from '../support/report-page.ts';
import { HEADER, SEED } from '../support/refused-account.ts';

const row = (account: string, id: string, amount: string): string =>
  `ACME,${account},${id},2026-02-01,CREDIT,${amount}`;

test('the first screen says which sum is missing', async () => {
  const site = await migration(SEED);
  site.csv(
    't.csv',
    HEADER,
    row('1001', 't-1', '10.10'),
    row('1003', 't-2', '1.00'),
    row('1003', 't-3', '2.50'),
  );
  await site.cli('push', 'transactions', 't.csv', '--on-reject', 'skip', '--skip-invalid');
  const page = (await reportPageOf(site, '.dataimport/journal')).replaceAll(/\s+/g, ' ');
  expect(page).toContain('<td class="number">3.50 of 13.60</td>');
  expect(page).toMatch(
    /<p> ?supplier ACME, platform http:\/\/127\.0\.0\.1:\d+, run by ada, sent from 2026-11-21/,
  );
  expect(page).toContain('<a href="#steps">');
  expect(page).toContain('<p class="next">The files were not compared with what arrived.</p>');
  expect(page).toContain('<a href="#decisions">1 decision of people</a> is behind these figures.');
  expect(page).toContain(
    '<li>transactions: Valid rows were sent although others are invalid (--skip-invalid)',
  );
});

test('the missing sum says that invalid rows are missing, too, and the page names the rejects file', async () => {
  const site = await migration(SEED);
  const valid = [row('1001', 't-1', '10.10'), row('1003', 't-2', '1.00')];
  site.csv('t.csv', HEADER, ...valid, row('1001', 't-3', '2.50').replace('CREDIT', 'CREDITS'));
  const push = ['push', 'transactions', 't.csv', '--on-reject', 'skip', '--skip-invalid'];
  const flags = ['--rejects', 'r.csv', '--profile', 'live'];
  writeFileSync(join(site.cwd, 'dataimport.config.yaml'), `profiles: { live: { baseUrl: '${site.url}' } }\n`);
  // Without the variable for the address, so that the profile names the platform.
  const world = { cwd: site.cwd, env: { DATAIMPORT_API_KEY: 'local-key' }, nowMs: Date.UTC(2026, 10, 21) };
  const typed = (...words: readonly string[]) => runCli(words, fakeIo(world));
  expect((await typed(...push, ...flags)).exitCode).toBe(6);
  const page = (await reportPageOf(site, '.dataimport/journal')).replaceAll(/\s+/g, ' ');
  expect(page).toContain('<td class="number">1.00 of 11.10 and more</td>');
  expect(page).toContain(`platform live (${site.url}), run by ada`);
  expect(page).toContain('r.csv has them, beside 1 refused row that the supplier may not have to correct.');
  const report = (
    await site.cli('report', '.dataimport/journal', '--json')
  ).json() as unknown as MigrationReport;
  // The command that the report names works beside the file, and keeps it.
  const before = readFileSync(join(site.cwd, 'r.csv'));
  const { command } = report.answer.to_do.find((step) => step.command !== null)!;
  expect((await typed(...command!.split(' ').slice(1))).exitCode).toBe(6);
  expect(readFileSync(join(site.cwd, 'r.csv')).equals(before)).toBe(true);
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
  expect(await reportPageOf(site, run)).toContain('Decided by people');
});

test('the first screen says what the files were compared with, and who has to act', async () => {
  const site = await migration(SEED);
  site.csv('t.csv', HEADER, row('1001', 't-1', '10.10'), row('1003', 't-2', '1.00'));
  await site.cli('push', 'transactions', 't.csv', '--on-reject', 'skip');
  const page = (await reportPageOf(site, 't.csv')).replaceAll(/\s+/g, ' ');
  expect(page).toContain(
    '<p class="next">The files were compared with what their runs recorded: 0 differences.</p>',
  );
  expect(page).toContain(
    '<a href="#steps">2 steps are left to do</a>, by the person who runs the import (2).',
  );
  expect(page).not.toContain('of people</a>');
});
