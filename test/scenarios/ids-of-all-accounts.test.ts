import { expect, test } from 'vitest';
import { runDocument } from '../support/json-documents.ts';
import { migration, type Migration } from '../support/migration.ts';
import { HEADER, IMPORTED } from '../support/refused-account.ts';

/** One id and one content for the rows of several accounts, because a platform that has the id shows what it stored. */
const rowsOf = (accounts: readonly string[]): readonly string[] =>
  accounts.map((account) => `ACME,${account},t-1,2026-02-01,CREDIT,100.00`);

const push = async (site: Migration, accounts: readonly string[], ...flags: readonly string[]) => {
  const file = site.csv('t.csv', HEADER, ...rowsOf(accounts));
  const { json } = await site.cliIn(
    { chance: 0.5, maxWaits: 2 },
    'push',
    'transactions',
    file,
    '--json',
    ...flags,
  );
  return { file, ...runDocument.parse(json()) };
};

const OTHER = ['outcome_unproven', 3, /created it on another account \(\S*t\.csv:2\)$/] as const;

test('a row whose id was created on another account is unproven, and stays so', async () => {
  const site = await migration(IMPORTED, ['transaction-ids=platform']);
  const { file, ...first } = await push(site, ['1001', '1003']);
  const again = await push(site, ['1001', '1003'], '--again');
  for (const { exit, problems, control_totals: totals } of [first, again]) {
    const [problem] = problems.filter(({ severity }) => severity === 'error');
    expect([exit.code, problem!.code, problem!.line]).toEqual([6, OTHER[0], OTHER[1]]);
    expect(problem!.detail).toMatch(OTHER[2]);
    expect(totals).toMatchObject([{ read: '200.00', accepted: '100.00' }]);
  }
  const shown = await site.cli('runs', 'show', again.run!);
  expect(shown.stderr).toMatch(/t\.csv:3\S* error outcome_unproven .* \(\S*t\.csv:2\)/);
  const verified = await site.cli('verify', 'transactions', file);
  expect([verified.exitCode, verified.stdout]).toEqual([6, expect.stringMatching(/t\.csv:2\)/)]);
});

test('a platform that has created the id on two accounts is believed about a third', async () => {
  const third = IMPORTED.split('\n')
    .find((line) => line.includes('1003'))!
    .replace('1003', '1004');
  const site = await migration(`${IMPORTED}${third}\n`);
  await site.faults('transactions after-commit reset nth=3');
  const { exit, rows } = await push(site, ['1001', '1003', '1004'], '--concurrency', '1');
  expect([exit.code, rows]).toMatchObject([0, { created: 2, existing: 1 }]);
});

test('check says how much money such a platform would leave out', async () => {
  const site = await migration(IMPORTED);
  const { stdout, stderr } = await site.cli(
    'check',
    'transactions',
    site.csv('t.csv', HEADER, ...rowsOf(['1001', '1003'])),
  );
  expect(stdout + stderr).toContain('stores the first of each alone: amounts of 100.00 of 200.00');
});
