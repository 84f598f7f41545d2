import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { JournalsFolder } from '../../src/cli/journal/journals-folder.ts';
import { migration, type Migration } from '../support/migration.ts';
import { typed } from '../support/next-command.ts';
import { HEADER, IMPORTED, SEED } from '../support/refused-account.ts';
import { verified } from '../support/verified.ts';

const ACCOUNTS = ['1001', '1003'];

/** Rows of both accounts, and a row that is invalid. */
const ROWS = [
  ...ACCOUNTS.flatMap((account) =>
    [1, 2, 3].map((number) => `ACME,${account},${account}-${number},2026-02-0${number},CREDIT,${number}.10`),
  ),
  'ACME,1001,p-1,2026-02-05,PAYMENT,0.05',
  'ACME,1003,x-1,2026-02-30,CREDIT,1.00',
];
const VALID = ROWS.slice(0, -1);

const PUSH = ['push', 'transactions', 't.csv', '--skip-invalid', '--json'];

async function siteWith(seed: string, rows: readonly string[] = VALID): Promise<Migration> {
  const site = await migration(seed);
  site.csv('t.csv', HEADER, ...rows);
  return site;
}

/** Sends the shards of the file, each from a folder of its own: volume-1, volume-2. */
async function pushAll(site: Migration, count: number): Promise<readonly string[]> {
  const folders = Array.from({ length: count }, (_, index) => `volume-${index + 1}`);
  for (const [index, folder] of folders.entries()) await push(site, `${index + 1}/${count}`, folder);
  return folders;
}

const push = (site: Migration, part: string, folder: string, ...flags: readonly string[]) =>
  site.cli(...PUSH, '--shard', part, '--run-dir', folder, ...flags);

const inFolders = (folders: readonly string[]) => folders.flatMap((folder) => ['--run-dir', folder]);

const verify = (site: Migration, folders: readonly string[], ...flags: readonly string[]) =>
  verified(site, 'transactions', 't.csv', ...inFolders(folders), ...flags);

describe('the shards of several machines', () => {
  test('are added up, each row once, to the figures of the whole file', async () => {
    const site = await siteWith(IMPORTED, ROWS);
    const folders = await pushAll(site, 2);
    const { exitCode, found } = await verify(site, folders);
    await site.cli(...PUSH, '--run-dir', 'whole');
    const whole = (await verify(site, ['whole'])).found;
    expect(exitCode).toBe(6);
    // The whole file was sent second, so its rows were there.
    const { created, ...others } = found.rows;
    expect({ ...others, existing: created }).toEqual({ ...whole.rows, created: undefined });
    expect(found.rows).toMatchObject({ read: 8, created: 7, invalid: 1 });
    const [part, wholePart] = [found.parts[0]!, whole.parts[0]!];
    expect(new Set(part.runs.map(({ shard }) => shard))).toEqual(new Set(['1/2', '2/2']));
    for (const name of ['control_totals', 'accounts_total', 'groups'] as const)
      expect(part[name], name).toEqual(wholePart[name]);
    expect(found.answer.to_do.map(({ who }) => who)).toEqual(['supplier']);
  });

  test('are one whole, each row once, from one folder or several, with and without words or a ledger', async () => {
    const site = await siteWith(IMPORTED);
    const folders = await pushAll(site, 3);
    for (const part of ['1/2', '2/2']) await push(site, part, 'one');
    await push(site, '2/3', 'other');
    await site.cli(...PUSH, '--run-dir', 'whole');
    const file = ['transactions', 't.csv'] as const;
    for (const words of [
      [...file, ...inFolders(folders), '--ledger', site.url],
      inFolders(folders),
      ['--run-dir', 'one', '--ledger', site.url],
      [...file, ...inFolders([...folders, 'other'])],
      [...file, ...inFolders(['other', 'one', 'whole', ...folders])],
    ]) {
      const { exitCode, found } = await verified(site, ...words);
      const answer = { everything_arrived: true, records: 7, arrived: 7, to_do: [] };
      expect([exitCode, found.answer], words.join(' ')).toMatchObject([0, answer]);
    }
    expect(await verify(site, [...folders, 'empty'])).toMatchObject({
      exitCode: 8,
      stderr: expect.stringMatching(/no run is in .*empty/) as string,
    });
  });

  test('leave the rows of a folder that is not given unsent', async () => {
    const site = await siteWith(IMPORTED);
    const folders = await pushAll(site, 2);
    for (const [index, folder] of folders.entries()) {
      const { exitCode, found } = await verify(site, [folder]);
      const { created, not_sent: unsent } = found.rows;
      expect([exitCode, created + unsent, found.answer.everything_arrived]).toEqual([5, 7, false]);
      expect([3, 4]).toContain(created);
      // The shard of this folder has nothing left to send.
      expect([found.next, found.answer.to_do[0]!.what]).toEqual([
        null,
        expect.stringContaining(`the folder of the shard ${2 - index}/2 with --run-dir`),
      ]);
    }
  });

  test('end like the shard that is furthest from done, and name the next command in its folder', async () => {
    const site = await siteWith(SEED);
    const folders = await pushAll(site, 2);
    const { exitCode, found } = await verify(site, folders);
    expect([exitCode, found.answer.everything_arrived]).toEqual([6, false]);
    expect(found.next).toMatch(/ --run-dir volume-\d$/);
    await site.reseed(IMPORTED);
    expect((await site.cli(...typed(found.next))).exitCode).toBe(0);
    expect((await verify(site, folders)).exitCode).toBe(0);
  });

  test('are damaged when a row is not what was read', async () => {
    const site = await siteWith(IMPORTED);
    const folders = await pushAll(site, 2);
    const [file] = new JournalsFolder(join(site.cwd, 'volume-2')).files();
    const db = new Database(file);
    db.exec(`UPDATE record SET state = 'filtered', cause = 'shard', cause_place = ''
      WHERE seq = (SELECT min(seq) FROM record WHERE state = 'valid')`);
    db.close();
    expect(await verify(site, folders)).toMatchObject({
      exitCode: 8,
      stderr: expect.stringContaining('run_damaged') as string,
    });
  });
});
