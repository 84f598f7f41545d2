import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { belongsTo } from '../../src/cli/push/stage-job.ts';
import { runDocument } from '../support/json-documents.ts';
import { migration, type Migration } from '../support/migration.ts';
import { projectRoot } from '../support/source-tree.ts';
import { GOOD, HEADER, IMPORTED, REFUSED, SEED } from '../support/refused-account.ts';

const CHANGED = 'ACME,1001,t-1,2026-02-01,CREDIT,10.11';

const cohortFile = (site: Migration): string => join(site.cwd, '.dataimport', 'runs', 'cohort.json');

/** Sends one shard of t.csv with the line of a scheduler. */
const shard = (site: Migration, part: string, ...flags: readonly string[]) =>
  site.cli('push', 'transactions', 't.csv', '--shard', part, '--json', ...flags);

async function siteWith(seed: string, ...rows: readonly string[]): Promise<Migration> {
  const site = await migration(seed);
  site.csv('t.csv', HEADER, ...rows);
  return site;
}

/** Sends shards one after the other, which all have to end well. */
async function sent(site: Migration, ...parts: readonly string[]): Promise<void> {
  for (const part of parts) expect((await shard(site, part)).exitCode, part).toBe(0);
}

describe('the shards of a file', () => {
  test('are of one number, also while the missing ones were never begun', async () => {
    const site = await siteWith(IMPORTED, REFUSED, GOOD);
    await sent(site, '1/3');
    for (const part of ['1/2', '3/4']) {
      const { exitCode, json, stderr } = await shard(site, part);
      expect(exitCode).toBe(8);
      expect(json()).toMatchObject({ problems: [{ code: 'cohort_differs' }] });
      expect(stderr).toContain('2 of the 3 shards of transactions in ');
      expect(stderr).toContain(`different: the number of shards (${part.slice(2)}, not 3)`);
      expect(stderr).toContain('--run-dir');
    }
    // The refused shards have changed nothing.
    await sent(site, '2/3', '3/3');
    expect((await site.ledger()).length).toBe(2);
  });

  test('may be of another number when each has finished', async () => {
    const site = await siteWith(IMPORTED, REFUSED, GOOD);
    await sent(site, '1/2', '2/2');
    const third = await shard(site, '1/3', '--new').then(({ exitCode }) => exitCode);
    // --new and exclude each other.
    expect(third).toBe(2);
    const { exitCode, stderr } = await site.cli('push', 'transactions', 't.csv', '--shard', '1/3');
    expect([exitCode, stderr]).toEqual([0, expect.any(String)]);
    expect(JSON.parse(readFileSync(cohortFile(site), 'utf8'))).toMatchObject({
      version: 1,
      cohorts: { transactions: { shards: 3, target: site.url, contract: null } },
    });
  });

  test('show the report of a finished one also when another number of shards has begun since', async () => {
    const site = await siteWith(IMPORTED, REFUSED, GOOD);
    await sent(site, '1/2', '2/2', '1/3');
    const before = await site.ledger();
    const { exitCode, json } = await shard(site, '1/2');
    expect([exitCode, runDocument.parse(json()).run]).toEqual([0, expect.stringMatching(/-1of2$/)]);
    expect(await site.ledger()).toEqual(before);
    expect((await shard(site, '1/4')).exitCode).toBe(8);
  });

  test('stay together while one of them is unfinished', async () => {
    const site = await siteWith(SEED, REFUSED, GOOD);
    const index = belongsTo({ index: 1, count: 2 }, '1003') ? 1 : 2;
    await sent(site, `${3 - index}/2`);
    expect((await shard(site, `${index}/2`)).exitCode).toBe(4);
    const { exitCode, stderr } = await shard(site, '1/3');
    expect([exitCode, stderr]).toEqual([8, expect.stringContaining('1 of the 2 shards') as string]);
    await site.reseed(IMPORTED);
    await sent(site, `${index}/2`);
    expect((await site.cli('push', 'transactions', 't.csv', '--shard', '1/3')).exitCode).toBe(0);
  });

  test('have the same content and go to the same platform', async () => {
    const site = await siteWith(IMPORTED, REFUSED, GOOD);
    await sent(site, '1/2');
    site.csv('t.csv', HEADER, REFUSED, CHANGED);
    const other = await shard(site, '2/2');
    expect([other.exitCode, other.stderr]).toEqual([
      8,
      expect.stringContaining('different: the content of the file\n') as string,
    ]);
    site.csv('t.csv', HEADER, REFUSED, GOOD);
    const elsewhere = await shard(site, '2/2', '--base-url', site.url.replace('127.0.0.1', 'localhost'));
    expect([elsewhere.exitCode, elsewhere.stderr]).toEqual([
      8,
      expect.stringContaining('different: the platform\n') as string,
    ]);
    await sent(site, '2/2');
  });

  test('are given up with --new', async () => {
    const site = await siteWith(IMPORTED, REFUSED, GOOD);
    await sent(site, '1/2');
    site.csv('t.csv', HEADER, REFUSED, CHANGED.replace('t-1', 't-2'));
    const begun = ['push', 'transactions', 't.csv', '--new', '--json', '--shard'];
    const first = await site.cli(...begun, '1/3');
    expect([first.exitCode, first.stderr]).toEqual([0, expect.any(String)]);
    expect((await shard(site, '2/2')).exitCode).toBe(8);
    await sent(site, '1/3', '2/3', '3/3');
  });

  test('may come again corrected when none of them has a run', async () => {
    const site = await siteWith(IMPORTED, REFUSED, `${GOOD}x`);
    const index = belongsTo({ index: 1, count: 2 }, '1001') ? 1 : 2;
    expect((await shard(site, `${index}/2`)).exitCode).toBe(3);
    site.csv('t.csv', HEADER, REFUSED, GOOD);
    await sent(site, '1/3', '2/3', '3/3');
  });

  test('stay together also when all shards were sent under another contract before', async () => {
    const site = await migration(IMPORTED);
    site.csv('n.csv', 'import_supplier,external_account_number,body', 'ACME,1001,Hello', 'ACME,1003,Hello');
    const push = (part: string, ...flags: readonly string[]) =>
      site.cli('push', 'notes', 'n.csv', '--shard', part, '--json', ...flags);
    for (const part of ['1/2', '2/2']) expect((await push(part)).exitCode, part).toBe(0);
    const contract = join(projectRoot, 'fixtures/contracts/halmere/contract.json');
    const first = await push('1/2', '--contract', contract);
    expect([first.exitCode, first.stderr]).toEqual([0, expect.any(String)]);
    const { exitCode, stderr } = await push('1/3', '--contract', contract);
    expect([exitCode, stderr]).toEqual([8, expect.stringContaining('1 of the 2 shards of notes') as string]);
  });

  test('of another resource are a cohort of their own', async () => {
    const site = await siteWith(IMPORTED, REFUSED, GOOD);
    await sent(site, '1/2');
    site.csv('n.csv', 'import_supplier,external_account_number,body', 'ACME,1001,Hello');
    const notes = await site.cli('push', 'notes', 'n.csv', '--shard', '1/3', '--json');
    expect([notes.exitCode, notes.stderr]).toEqual([0, expect.any(String)]);
    await sent(site, '2/2');
  });

  test('are not begun beside a file that cannot be understood', async () => {
    const site = await siteWith(IMPORTED, REFUSED, GOOD);
    await sent(site, '1/2');
    writeFileSync(cohortFile(site), '{');
    const { exitCode, json } = await shard(site, '2/2');
    expect([exitCode, json()]).toMatchObject([8, { problems: [{ code: 'cohort_unreadable' }] }]);
  });
});

describe('--rate-limit-total', () => {
  /** The waits of a push of two requests of one account. */
  async function waitsWith(...flags: readonly string[]): Promise<readonly number[]> {
    const site = await siteWith(IMPORTED, GOOD, GOOD.replace('t-1', 't-2'));
    const io = site.io({ maxWaits: 5 });
    const { main } = await import('../../src/cli/main.ts');
    const line = ['push', 'transactions', 't.csv', '--batch-size', '1', '--json'];
    expect(await main([...line, ...flags], io)).toBe(0);
    expect(runDocument.parse(JSON.parse(io.printed.stdout)).rows.created).toBe(2);
    return io.waits;
  }
  const own = `${belongsTo({ index: 1, count: 2 }, '1001') ? 1 : 2}/2`;

  test.each([
    ['is the rate of a run that has every account', ['--rate-limit-total', '2/s'], [500]],
    ['is divided by the number of shards', ['--rate-limit-total', '2/s', '--shard', own], [1_000]],
    [
      'gives way to a lower --rate-limit',
      ['--rate-limit-total', '4/s', '--rate-limit', '1/s', '--shard', own],
      [1_000],
    ],
    [
      'counts beside a higher --rate-limit',
      ['--rate-limit-total', '2/s', '--rate-limit', '9/s', '--shard', own],
      [1_000],
    ],
  ])('%s', async (_, flags, waits) => {
    expect(await waitsWith(...flags)).toEqual(waits);
  });
});
