import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fakeIo, runCli } from '../../support/cli-io.ts';
import { migration } from '../../support/migration.ts';
import { IMPORTED, SEED } from '../../support/refused-account.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const HEADER = 'import_supplier,external_account_number,transaction_id,transaction_date,type,amount';
const ROWS = ['ACME,1001,t-1,2026-02-01,CREDIT,10.10', 'ACME,1003,t-2,2026-02-02,PAYMENT,20.20'] as const;

test('files without a run are named with the platform, where one is set', async () => {
  const site = await migration(IMPORTED);
  const file = site.csv('t.csv', HEADER, ...ROWS);
  const { json } = await site.cli('verify', 'transactions', file, '--json');
  const folder = join(site.cwd, '.dataimport', 'journal');
  expect(json()).toMatchObject({
    problems: [{ detail: `no run of these files to ${site.url} is in ${folder}` }],
    next: 'Name the runs with --run, or a ledger with --ledger. `dataimport runs` lists the runs.',
  });
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 't.csv'), `${HEADER}\n${ROWS[0]}\n`);
  const alone = await runCli(['verify', 'transactions', 't.csv', '--json'], fakeIo({ cwd }));
  expect(alone.json()).toMatchObject({
    problems: [{ detail: `no run of these files is in ${join(cwd, '.dataimport', 'journal')}` }],
  });
});

test('files that cannot be read are compared with nothing', async () => {
  const site = await migration(IMPORTED);
  const file = site.csv('t.csv', HEADER.replace(',amount', ''), ROWS[0].replace(',10.10', ''));
  const { exitCode, json } = await site.cli('verify', 'transactions', file, '--ledger', site.url, '--json');
  expect([exitCode, json()['comparisons']]).toEqual([3, undefined]);
  expect(json()).toMatchObject({ next: 'correct the problems, then type the same command again' });
});

test('an invalid row that no run knows ends a comparison with a ledger, and is explained', async () => {
  const site = await migration(IMPORTED);
  const file = site.csv('t.csv', HEADER, ROWS[0].replace('10.10', 'x'));
  const { exitCode, json } = await site.cli('verify', 'transactions', file, '--ledger', site.url, '--json');
  expect(exitCode).toBe(6);
  expect(json()).toMatchObject({
    exit: { code: 6 },
    rows: { read: 1, valid: 0, invalid: 1, filtered: 0 },
    comparisons: [{ with: 'ledger', equal: true, differences: [] }],
    next: 'dataimport explain row_not_valid',
  });
});

test('what was not asked again is said in a sentence', async () => {
  const site = await migration(IMPORTED);
  const file = site.csv('t.csv', HEADER, ...ROWS);
  await site.faults('transactions accept status=503 account=1003');
  const push = ['push', 'transactions', file, '-j', '1', '--retry-for', '1ms'];
  await site.cliIn({ chance: 0.99, maxWaits: 3 }, ...push);
  const { stdout, exitCode } = await site.cli('verify', 'transactions', file, '--ask-again');
  expect(exitCode).toBe(5);
  expect(stdout).toContain(
    '\nthe platform was not asked again, because asking would send the rows that have not arrived; run the command of the files again first\n',
  );
});

test('asking again names rows that the platform refuses now, and ends as a push does when it cannot ask', async () => {
  const site = await migration(IMPORTED);
  const file = site.csv('t.csv', HEADER, ...ROWS, ROWS[0].replace('10.10', 'x'));
  await site.cli('push', 'transactions', file, '--skip-invalid');
  await site.reseed(SEED);
  const verify = ['verify', 'transactions', file, '--ask-again', '--retry-for', '1ms', '--json'];
  const asked = await site.cli(...verify);
  const refused = {
    code: 'record_not_arrived',
    detail: 'the platform did not say that it has the record when it was asked again: rejected',
    file,
    line: 3,
    batch: 2,
    http_status: 404,
  };
  expect([asked.exitCode, asked.json()]).toMatchObject([
    11,
    {
      comparisons: [
        { with: 'run', equal: true },
        {
          with: 'asking',
          names: ['check'],
          equal: false,
          chains: [{ run: 'check', links: 2, broken: null }],
          rows_apart: { left: 0, refused: 0, conflicting: 0, unproven: 0, uncompared: 0, confirmed: 0 },
          confirmed_by: [],
          rows_proven: 0,
          differences: [refused],
        },
      ],
      next: 'dataimport explain record_not_arrived',
    },
  ]);
  await site.faults('transactions accept status=503 account=1003');
  const stopped = await site.cliIn({ chance: 0.99, maxWaits: 3 }, ...verify);
  expect([stopped.exitCode, stopped.json()]).toMatchObject([
    5,
    {
      run: null,
      exit: { code: 5, resumable: true },
      rows: { read: 3, existing: 1, unknown: 1, invalid: 1 },
      problems: [
        { code: 'request_fails_alone', file },
        { code: 'invalid', line: 4 },
      ],
      next: ['dataimport', ...verify].join(' '),
    },
  ]);
});
