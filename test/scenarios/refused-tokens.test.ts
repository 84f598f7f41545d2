import { describe, expect, test } from 'vitest';
import { runDocument } from '../support/json-documents.ts';
import { documentOf, seedWith, site as cohortSite } from '../support/cohort-site.ts';
import { runCli, type FakeIoOptions } from '../support/cli-io.ts';
import { migration, type Migration } from '../support/migration.ts';
import { nextOf, typed } from '../support/next-command.ts';
import { GOOD, HEADER, IMPORTED, REFUSED } from '../support/refused-account.ts';

/** Only waits let time pass. Random waits take half of their span. */
const PATIENT: FakeIoOptions = { chance: 0.5, maxWaits: 20 };

const PUSH = ['push', 'transactions', 't.csv', '-j', '1'];

async function platform(): Promise<Migration> {
  const site = await migration(IMPORTED);
  // The account 1001 is sent first.
  site.csv('t.csv', HEADER, GOOD, REFUSED);
  return site;
}

/** How many tokens the platform has issued. */
async function tokensOf({ url }: Migration): Promise<number> {
  const log = await (await fetch(`${url}/_local/requests?path=/v1/graphql/`)).text();
  return log.trim().split('\n').length;
}

describe('a platform that refuses every token that it issues', () => {
  test('ends the run with 7 after three tokens that follow an accepted one, says what it waits for, and the run continues', async () => {
    const site = await platform();
    await site.faults('transactions accept status=401 account=1003');
    const ended = await site.cliIn(PATIENT, ...PUSH);
    expect(ended.exitCode).toBe(7);
    expect(await tokensOf(site)).toBe(4);
    const lines = ended.stderr.split('\n').filter((line) => line.startsWith('sending: '));
    expect(lines.map((line) => line.replace(/^sending: /g, ''))).toEqual(
      [
        ['', 1, 1],
        ['1 tried again, ', 2, 9],
      ].map(
        ([before, tokens, seconds]) =>
          `1 of 2 (50 %), 1 arrived, ${before}the platform keeps failing (status 401 for a new token, ${tokens} of 3 in a row): one request at a time, next try in ${seconds} s`,
      ),
    );
    expect(ended.stderr).toContain('credentials_refused');
    expect(ended.stdout).toContain('2 rows read: 1 arrived, 1 waiting');
    expect(nextOf(ended.stdout)).toBe(`dataimport ${PUSH.join(' ')}`);
    await site.faults();
    const next = await site.cli(...typed(nextOf(ended.stdout)));
    expect(next.stdout).toContain('2 rows read: 2 arrived');
  });

  test('ends a run that has sent nothing with 7 after three tokens, however many requests are in flight', async () => {
    const site = await migration(seedWith(...Array.from({ length: 40 }, () => 'imported')));
    const rows = Array.from({ length: 40 }, (_, row) => `ACME,${1001 + row},t-${row},2026-02-01,CREDIT,1.00`);
    site.csv('t.csv', HEADER, ...rows);
    await site.faults('transactions accept status=401');
    const io = site.io({ ...PATIENT, maxWaits: 200 });
    const ended = await runCli(['push', 'transactions', 't.csv', '--json'], io);
    expect([ended.exitCode, await tokensOf(site)]).toEqual([7, 3]);
    expect(runDocument.parse(ended.json())).toMatchObject({
      exit: { name: 'AUTH', resumable: true },
      rows: { read: 40, not_sent: 40 },
      problems: [{ code: 'credentials_refused' }],
    });
  });

  test('for a moment costs ten seconds', async () => {
    const site = await platform();
    // The token of 1001 and two new ones.
    await site.faults('transactions accept status=401 account=1003 times=3');
    const io = site.io(PATIENT);
    const ended = await runCli(PUSH, io);
    expect(ended.exitCode).toBe(0);
    expect(await tokensOf(site)).toBe(4);
    expect(io.waits.reduce((sum, waitMs) => sum + waitMs, 0)).toBe(10_000);
  });

  test('ends a cohort with 7 and its summary when it refuses the questions about accounts', async () => {
    const site = await cohortSite(seedWith('imported', 'imported'));
    await site.faults('lists accept status=401');
    const ended = await site.cliIn(PATIENT, 'migrate', 'night.yaml', '--json');
    expect([ended.exitCode, await tokensOf(site)]).toEqual([7, 3]);
    expect(documentOf(ended)).toMatchObject({
      exit: { name: 'AUTH', resumable: true },
      rows: { created: 0 },
      next: 'dataimport migrate night.yaml --json',
    });
    await site.faults();
    expect((await site.cli('migrate', 'night.yaml')).exitCode).toBe(0);
  });
});

describe('other troubles with tokens end as they did', () => {
  test('tokens that are not issued any more for a while are waited for, and end with 5', async () => {
    const site = await platform();
    await site.faults('transactions accept expire-tokens account=1003', 'token accept status=503');
    const ended = await site.cliIn({ ...PATIENT, maxWaits: 200 }, ...PUSH);
    expect(ended.exitCode).toBe(5);
  });
});
