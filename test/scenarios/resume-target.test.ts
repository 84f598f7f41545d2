import { describe, expect, test } from 'vitest';
import { migration, type Migration } from '../support/migration.ts';
import { GOOD, HEADER, REFUSED, SEED } from '../support/refused-account.ts';

/** A run of each of two platforms in one folder, the later one to `other`. Both have a row left. */
async function twoRuns(): Promise<{ site: Migration; other: Migration }> {
  const [site, other] = [await migration(SEED), await migration(SEED)];
  site.csv('t.csv', HEADER, REFUSED, GOOD);
  const started = Date.UTC(2026, 10, 21);
  const push = ['push', 'transactions', 't.csv', '-j', '1'];
  expect((await site.cliIn({ nowMs: started }, ...push)).exitCode).toBe(4);
  const elsewhere = { DATAIMPORT_BASE_URL: other.url };
  const second = await site.cliIn({ nowMs: started + 60_000, env: elsewhere }, ...push);
  expect(second.exitCode).toBe(4);
  return { site, other };
}

describe('resume without an id', () => {
  test('continues the newest run of its own platform, although a newer run goes to another one', async () => {
    const { site, other } = await twoRuns();
    const { exitCode, stdout } = await site.cli('resume', '--on-reject', 'skip');
    expect(exitCode).toBe(6);
    expect(stdout).toContain('2 rows read: 1 created, 1 rejected');
    expect([(await site.ledger()).length, (await other.ledger()).length]).toEqual([1, 0]);
  });

  test('goes on with the newest run of the folder when no platform is set', async () => {
    const { site, other } = await twoRuns();
    const { DATAIMPORT_BASE_URL: _, ...env } = site.io().env;
    const io = { ...site.io(), env };
    const { main } = await import('../../src/cli/main.ts');
    expect(await main(['resume', '--on-reject', 'skip'], io)).toBe(6);
    expect([(await site.ledger()).length, (await other.ledger()).length]).toEqual([0, 1]);
  });

  test('refuses a platform to which no run goes, and names the run that there is', async () => {
    const { site } = await twoRuns();
    const { exitCode, stderr } = await site.cli('resume', '--base-url', 'https://third.example');
    expect(exitCode).toBe(8);
    expect(stderr).toMatch(/run_other_target[^]*next: Type `dataimport resume \S+ --base-url http:/);
  });
});
