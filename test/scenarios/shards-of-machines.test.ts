import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { JournalsFolder } from '../../src/cli/journal/journals-folder.ts';
import type { MigrationReport } from '../../src/cli/report/page/migration-report.ts';
import { migration, type Migration } from '../support/migration.ts';
import { HEADER, IMPORTED, SEED } from '../support/refused-account.ts';

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

/** Sends the shards of the file, each from a folder of runs of its own: volume-1, volume-2. */
async function pushAll(site: Migration, count: number): Promise<readonly string[]> {
  const folders = Array.from({ length: count }, (_, index) => `volume-${index + 1}`);
  for (const [index, folder] of folders.entries()) await push(site, `${index + 1}/${count}`, folder);
  return folders;
}

const push = (site: Migration, part: string, folder: string, ...flags: readonly string[]) =>
  site.cli(...PUSH, '--shard', part, '--run-dir', folder, ...flags);

const inFolders = (folders: readonly string[]) => folders.flatMap((folder) => ['--run-dir', folder]);

const verify = (site: Migration, folders: readonly string[], ...flags: readonly string[]) =>
  site.cli('verify', 'transactions', 't.csv', ...inFolders(folders), ...flags);

async function report(site: Migration, folders: readonly string[], ...words: readonly string[]) {
  const { exitCode, json, stderr, stdout } = await site.cli(
    'report',
    ...words,
    ...inFolders(folders),
    '--json',
  );
  return { exitCode, stderr, stdout, document: json() as unknown as MigrationReport };
}

/** One after the other, because each opens the runs alone. */
async function both(site: Migration, folders: readonly string[]) {
  const compared = await verify(site, folders);
  return [compared, await report(site, folders)] as const;
}

describe('the shards of several machines', () => {
  test('are added up, each row once, to the report of the whole file', async () => {
    const site = await siteWith(IMPORTED, ROWS);
    const folders = await pushAll(site, 3);
    const { exitCode, document } = await report(site, folders);
    await site.cli(...PUSH, '--run-dir', 'whole');
    const whole = (await report(site, ['whole'])).document;
    expect(exitCode).toBe(6);
    // The whole file was sent second, so its rows were there.
    const { created, ...others } = document.rows;
    expect({ ...others, existing: created }).toEqual({ ...whole.rows, created: undefined });
    expect(document.rows).toMatchObject({ read: 8, created: 7, invalid: 1 });
    const [part] = document.parts;
    expect(part!.runs.map(({ shard }) => shard)).toEqual(['1/3', '2/3', '3/3']);
    expect(part!.control_totals).toEqual(whole.parts[0]!.control_totals);
    expect(part!.compared).toMatchObject({ differences: 0 });
  });

  test('are compared with the file as one whole, and with the ledger', async () => {
    const site = await siteWith(IMPORTED);
    const folders = await pushAll(site, 3);
    const [compared, reported] = await both(site, folders);
    expect([compared.exitCode, reported.exitCode]).toEqual([0, 0]);
    expect(reported.document.answer).toMatchObject({ everything_arrived: true, records: 7 });
    expect(await verify(site, folders, '--ledger', site.url)).toMatchObject({ exitCode: 0 });
    for (const words of [['t.csv'], folders])
      expect(await report(site, words === folders ? [] : folders, ...words)).toMatchObject({ exitCode: 0 });
  });

  test('of one folder are found without words', async () => {
    const site = await siteWith(IMPORTED);
    for (const part of ['1/2', '2/2']) await push(site, part, 'volume-1');
    expect(await report(site, ['volume-1'])).toMatchObject({
      exitCode: 0,
      document: { rows: { read: 7, created: 7 } },
    });
  });

  test('do not prove anything without one of their folders', async () => {
    const site = await siteWith(IMPORTED);
    await pushAll(site, 3);
    for (const { exitCode, stdout, stderr } of await both(site, ['volume-1', 'volume-3'])) {
      expect([exitCode, stderr]).toEqual([8, expect.stringContaining('shard 2 of 3 has no run')]);
      expect(stdout).not.toContain('verything arrived');
    }
    for (const { exitCode, stderr } of await both(site, ['volume-2']))
      expect([exitCode, stderr]).toEqual([8, expect.stringContaining('shards 1, 3 of 3 have no run')]);
  });

  test('end like the shard that is furthest from done, and name the next command in its folder', async () => {
    const site = await siteWith(SEED);
    const folders = await pushAll(site, 2);
    const [compared, reported] = await both(site, folders);
    expect([compared.exitCode, reported.exitCode]).toEqual([4, 4]);
    expect(reported.document.answer.everything_arrived).toBe(false);
    const next = /^next: dataimport (.* --run-dir volume-\d)$/m.exec(compared.stdout)![1]!;
    await site.reseed(IMPORTED);
    expect((await site.cli(...next.split(' '))).exitCode).toBe(0);
    for (const { exitCode } of await both(site, folders)) expect(exitCode).toBe(0);
  });

  test('are refused when two folders have one of them', async () => {
    const site = await siteWith(IMPORTED);
    const folders = await pushAll(site, 2);
    await push(site, '2/2', 'other');
    for (const { exitCode, stderr } of await both(site, [...folders, 'other']))
      expect([exitCode, stderr]).toEqual([8, expect.stringContaining('shard 2 of 2 has 2 runs: ')]);
    await site.cli(...PUSH, '--run-dir', 'whole');
    await site.cli(...PUSH, '--run-dir', 'again');
    for (const { exitCode, stderr } of await both(site, ['whole', 'again']))
      expect([exitCode, stderr]).toEqual([2, expect.stringContaining('are runs of the same file')]);
  });

  test('are refused when a folder has no run', async () => {
    const site = await siteWith(IMPORTED);
    const folders = await pushAll(site, 2);
    mkdirSync(join(site.cwd, 'empty'));
    for (const { exitCode, stderr } of await both(site, [...folders, 'empty']))
      expect([exitCode, stderr]).toEqual([8, expect.stringMatching(/no run is in .*empty/)]);
  });

  test('are refused when they were sent in different ways', async () => {
    const site = await siteWith(IMPORTED);
    await push(site, '1/2', 'one');
    const missing = 'shard 2 of 2 has no run with the same content, mapping, contract and options';
    const differing: readonly (readonly [string, (folder: string) => Promise<unknown>])[] = [
      ['differ in the number of shards', (folder) => push(site, '2/3', folder)],
      [missing, (folder) => push(site, '2/2', folder, '--no-check-previously-added')],
      [
        missing,
        (folder) => {
          site.csv('t.csv', HEADER, ...VALID.toReversed());
          return push(site, '2/2', folder);
        },
      ],
      [
        missing,
        async (folder) => {
          site.csv('t.csv', HEADER, ...VALID);
          await site.cli('admin', 'reset');
          return push(site, '2/2', folder);
        },
      ],
    ];
    for (const [index, [what, prepare]] of differing.entries()) {
      const folder = `two-${index}`;
      await prepare(folder);
      const { exitCode, stderr } = await report(site, [], 'one', folder);
      expect([exitCode, stderr]).toEqual([8, expect.stringContaining(what)]);
    }
  });

  test('have every row of the file exactly once', async () => {
    const site = await siteWith(IMPORTED);
    const folders = await pushAll(site, 2);
    const [file] = new JournalsFolder(join(site.cwd, 'volume-2')).files();
    const db = new Database(file);
    db.exec(`UPDATE record SET state = 'filtered', cause = 'shard', cause_place = ''
      WHERE seq = (SELECT min(seq) FROM record WHERE state = 'valid')`);
    db.close();
    expect(await report(site, folders)).toMatchObject({
      exitCode: 8,
      stderr: expect.stringContaining('run_damaged') as string,
    });
  });
});
