import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { belongsTo } from '../../src/cli/push/stage-job.ts';
import { lockResource } from '../../src/cli/journal/database/resource-lock.ts';
import { journalsIn, readingsOf } from '../support/journals.ts';
import { runDocument } from '../support/json-documents.ts';
import type { LedgerLine } from '../support/ledger.ts';
import { migration, type Migration } from '../support/migration.ts';
import { projectRoot } from '../support/source-tree.ts';
import { GOOD, HEADER, IMPORTED, REFUSED, SEED } from '../support/refused-account.ts';

const CHANGED = 'ACME,1001,t-1,2026-02-01,CREDIT,10.11';

const PUSH = ['push', 'transactions', 't.csv'];

/** The shard of two with the accepted row, and the one with the row that is refused while its account is staged. */
const good = belongsTo({ index: 1, count: 2 }, '1001') ? '1/2' : '2/2';
const bad = good === '1/2' ? '2/2' : '1/2';

/** The ids of records, sorted. */
const ids = (ledger: readonly LedgerLine[]): readonly string[] =>
  ledger.map(({ data }) => String(data['transaction_id'])).toSorted();

/** Sends one shard of t.csv. */
const shard = (site: Migration, part: string, ...flags: readonly string[]) =>
  site.cli(...PUSH, '--shard', part, '--json', ...flags);

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
  test('may be of another number, also while others of the first number were never begun', async () => {
    const site = await siteWith(IMPORTED, REFUSED, GOOD);
    await sent(site, '1/3');
    await sent(site, '1/2', '2/2');
    expect(ids(await site.ledger())).toEqual(['t-1', 't-9']);
    await sent(site, '1/3', '2/3', '3/3');
    const whole = await site.cli(...PUSH, '--json');
    expect([whole.exitCode, runDocument.parse(whole.json()).rows]).toMatchObject([0, { sent_before: 2 }]);
    expect(ids(await site.ledger())).toEqual(['t-1', 't-9']);
  });

  test('wait until nothing of another number is open, and then send what that has not brought', async () => {
    const site = await siteWith(SEED, REFUSED, GOOD);
    await sent(site, good);
    expect((await shard(site, bad)).exitCode).toBe(4);
    await site.reseed(IMPORTED);
    const other = await shard(site, '1/3');
    expect([other.exitCode, other.stderr]).toEqual([
      8,
      expect.stringContaining('has records that have not arrived') as string,
    ]);
    await sent(site, bad);
    await sent(site, '1/3', '2/3', '3/3');
    const before = await site.ledger();
    for (const part of [good, bad]) {
      const { exitCode, json } = await shard(site, part);
      const { run, rows } = runDocument.parse(json());
      expect([exitCode, run]).toEqual([0, expect.stringMatching(`-${part.replace('/', 'of')}$`)]);
      expect(rows.created + rows.sent_before, part).toBe(1);
    }
    expect(await site.ledger()).toEqual(before);
  });

  test('of another content are another version, and rows that another shard has changed are errors there', async () => {
    const site = await siteWith(IMPORTED, REFUSED, GOOD);
    await sent(site, good);
    site.csv('t.csv', HEADER, REFUSED, CHANGED);
    await sent(site, bad);
    const changed = await shard(site, good);
    expect([changed.exitCode, changed.stderr]).toEqual([
      3,
      expect.stringContaining('record_changed') as string,
    ]);
    site.csv('t.csv', HEADER, REFUSED, GOOD);
    await sent(site, '1/2', '2/2');
    expect(ids(await site.ledger())).toEqual(['t-1', 't-9']);
  });

  test('find a record whose account was corrected to one of another shard', async () => {
    const site = await siteWith(IMPORTED, REFUSED, GOOD);
    await sent(site, '1/2', '2/2');
    site.csv('t.csv', HEADER, REFUSED, GOOD.replace('1001', '1003'));
    const moved = await shard(site, bad);
    expect([moved.exitCode, moved.stderr]).toEqual([3, expect.stringContaining('record_moved') as string]);
    // The shard of the old account does not say that the record vanished: a row of another shard is it.
    const old = await shard(site, good);
    expect([old.exitCode, old.stderr]).toEqual([0, expect.not.stringContaining('record_vanished') as string]);
    expect(ids(await site.ledger())).toEqual(['t-1', 't-9']);
  });

  test('may come again corrected when none of them has a run', async () => {
    const site = await siteWith(IMPORTED, REFUSED, `${GOOD}x`);
    expect((await shard(site, good)).exitCode).toBe(3);
    site.csv('t.csv', HEADER, REFUSED, GOOD);
    await sent(site, '1/3', '2/3', '3/3');
  });

  test('under another contract are another version, of which nothing is sent twice', async () => {
    const site = await migration(IMPORTED);
    site.csv('n.csv', 'import_supplier,external_account_number,body', 'ACME,1001,Hello', 'ACME,1003,Hello');
    const push = (part: string, ...flags: readonly string[]) =>
      site.cli('push', 'notes', 'n.csv', '--shard', part, '--json', ...flags);
    for (const part of ['1/2', '2/2']) expect((await push(part)).exitCode, part).toBe(0);
    const contract = join(projectRoot, 'fixtures/contracts/halmere/contract.json');
    for (const part of ['1/3', '2/3', '3/3'])
      expect((await push(part, '--contract', contract)).exitCode, part).toBe(0);
    expect(await site.ledger()).toHaveLength(2);
  });

  test('go on beside each other, and no process with another number does', async () => {
    const site = await siteWith(IMPORTED, REFUSED, GOOD);
    await sent(site, good);
    const folder = journalsIn(site.cwd);
    const { target, database } = readingsOf(folder)[0]!.header;
    const scope = { resource: 'transactions', target, database, supplier: 'ACME' } as const;
    const unlock = lockResource(folder.path, scope, { index: Number(good[0]), count: 2 });
    const before = await site.ledger();
    for (const flags of [['--shard', good], ['--shard', '1/3'], []]) {
      const { exitCode, stderr } = await site.cli(...PUSH, ...flags);
      expect([exitCode, stderr], flags.join(' ')).toEqual([
        10,
        expect.stringContaining('run_locked') as string,
      ]);
    }
    expect(await site.ledger()).toEqual(before);
    await sent(site, bad);
    unlock();
    await sent(site, '1/3', '2/3', '3/3');
    expect(ids(await site.ledger())).toEqual(['t-1', 't-9']);
  });
});

describe('--rate-limit', () => {
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
  /** The shard of so many that has the account. */
  function own(count: number): string {
    const indexes = Array.from({ length: count }, (_, at) => at + 1);
    return `${indexes.find((index) => belongsTo({ index, count }, '1001'))}/${count}`;
  }

  test('is the rate of a run that has every account', async () => {
    expect(await waitsWith('--rate-limit', '2/s')).toEqual([500]);
  });

  test.each([2, 5, 7])('is divided by the number of shards: %i', async (count) => {
    expect(await waitsWith('--rate-limit', '2/s', '--shard', own(count))).toEqual([500 * count]);
  });
});
