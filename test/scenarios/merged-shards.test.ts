import { mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { migration, type Migration } from '../support/migration.ts';
import { HEADER, IMPORTED, SEED } from '../support/refused-account.ts';

const ACCOUNTS = ['1001', '1003'];

/** Rows of both accounts with amounts of several digits, a row that is invalid, and a row that is left out by its number. */
const ROWS = [
  'ACME,1001,a-0,2026-02-01,CREDIT,1.00',
  ...ACCOUNTS.flatMap((account) =>
    [1, 2, 3].map((number) => `ACME,${account},${account}-${number},2026-02-0${number},CREDIT,${number}.10`),
  ),
  'ACME,1001,p-1,2026-02-05,PAYMENT,0.05',
  'ACME,1003,x-1,2026-02-30,CREDIT,1.00',
];

const LINE = ['push', 'transactions', 't.csv', '--skip-records', '1', '--skip-invalid', '--json'];
const RUNS = join('.dataimport', 'runs');

interface Merged {
  readonly exit: { readonly code: number };
  readonly rows: Readonly<Record<string, number>>;
  readonly control_totals: readonly object[];
  readonly left_out: readonly object[];
  readonly requests: { readonly total: number };
  readonly shards: readonly {
    readonly shard: string;
    readonly run: string;
    readonly exit: { code: number };
  }[];
  readonly next: string | null;
}

async function siteWith(seed: string, rows: readonly string[] = ROWS): Promise<Migration> {
  const site = await migration(seed);
  site.csv('t.csv', HEADER, ...rows);
  return site;
}

const push = (site: Migration, part: string, ...flags: readonly string[]) =>
  site.cli(...LINE, '--shard', part, ...flags);

async function merged(site: Migration, ...paths: readonly string[]) {
  const { exitCode, json, stderr } = await site.cli('runs', 'merge', ...paths, '--json');
  return { exitCode, stderr, document: json() as unknown as Merged };
}

describe('runs merge', () => {
  test('adds the shards up to the run of the whole file', async () => {
    const site = await siteWith(IMPORTED);
    for (const part of ['1/3', '2/3', '3/3']) await push(site, part);
    const { exitCode, document } = await merged(site, RUNS);
    const whole = (await site.cli(...LINE, '--run-dir', 'whole')).json() as unknown as Merged;
    expect(exitCode).toBe(6);
    expect(document.shards.map(({ shard }) => shard)).toEqual(['1/3', '2/3', '3/3']);
    // The whole file was sent second, so its rows were there.
    const { created, ...others } = document.rows;
    expect({ ...others, existing: created }).toEqual({ ...whole.rows, created: undefined });
    expect(document.rows).toMatchObject({ read: 9, created: 7, invalid: 1, filtered: 1 });
    expect(document.control_totals).toEqual(whole.control_totals);
    expect(document.control_totals).toEqual([
      { type: 'CREDIT', currency: null, count: 6, read: '12.60', accepted: '12.60' },
      { type: 'PAYMENT', currency: null, count: 1, read: '0.05', accepted: '0.05' },
    ]);
    expect(document.left_out).toEqual(whole.left_out);
    expect(document.requests.total).toBe(whole.requests.total);
    const bad = document.shards.find(({ exit }) => exit.code === 6)!.shard;
    expect(document.next).toBe(
      `correct the invalid rows in their file, then: dataimport ${LINE.join(' ')} --shard ${bad}`,
    );
    site.csv('t.csv', HEADER, ...ROWS.slice(0, -1));
    for (const part of ['1/3', '2/3', '3/3']) expect((await push(site, part)).exitCode).toBe(0);
    // The folder has both versions of each shard.
    const after = await site.cli('runs', 'merge', RUNS);
    expect([after.exitCode, after.stdout]).toEqual([
      0,
      expect.stringContaining('8 rows read: 7 sent before, 1 left out') as string,
    ]);
    expect(after.stdout.match(/ is not counted, because /g)).toHaveLength(3);
  });

  test('takes the volumes of the processes, and run files', async () => {
    const site = await siteWith(IMPORTED);
    for (const index of [1, 2]) await push(site, `${index}/2`, '--run-dir', `volume-${index}`);
    const { document } = await merged(site, 'volume-1', 'volume-2');
    expect(document.rows).toMatchObject({ read: 9, created: 7 });
    const files = document.shards.map(({ run }, index) => join(`volume-${index + 1}`, `${run}.sqlite`));
    expect((await merged(site, ...files)).document).toEqual(document);
    const text = await site.cli('runs', 'merge', 'volume-1', 'volume-2');
    // The invalid row belongs to the first shard alone.
    expect(text.stdout.split('\n').slice(0, 4)).toEqual([
      expect.stringMatching(/^ {2}shard +run +exit +created$/),
      expect.stringMatching(/^ {2}1\/2 +\S+-1of2 +PARTIAL +\d$/),
      expect.stringMatching(/^ {2}2\/2 +\S+-2of2 +OK +\d$/),
      'transactions: 9 rows read: 7 created, 1 invalid, 1 left out',
    ]);
  });

  test('ends like the shard that is furthest from done, and names its next command', async () => {
    const site = await siteWith(SEED, ROWS.slice(0, -1));
    await push(site, '1/2', '--run-dir', 'r');
    await push(site, '2/2', '--run-dir', 'r');
    const { exitCode, document } = await merged(site, 'r');
    expect(exitCode).toBe(4);
    const stopped = document.shards.find(({ exit }) => exit.code === 4)!;
    expect(document.next).toBe(`dataimport resume ${stopped.run} --run-dir r`);
    const { read, created, rejected, unknown, not_sent } = document.rows as Record<string, number>;
    expect([read, created, rejected! + unknown! + not_sent!]).toEqual([8, 4, 3]);
    await site.reseed(IMPORTED);
    expect((await site.cli('resume', stopped.run, '--run-dir', 'r')).exitCode).toBe(0);
    expect(await merged(site, 'r')).toMatchObject({ exitCode: 0, document: { next: null } });
  });

  test.each([
    ['that stopped', [], 4],
    ['that have set refused rows aside', ['--on-reject', 'skip'], 6],
  ])('names the next commands of all shards %s', async (_, flags, exit) => {
    const many = Array.from(
      { length: 20 },
      (_, index) => `ACME,${2000 + index},m-${index},2026-02-01,CREDIT,1.00`,
    );
    const site = await siteWith(SEED, many);
    for (const part of ['3/3', '1/3', '2/3']) expect((await push(site, part, ...flags)).exitCode).toBe(exit);
    const { exitCode, document } = await merged(site, RUNS);
    expect(exitCode).toBe(exit);
    const commands = ['1/3', '2/3', '3/3'].map((part) =>
      ['dataimport', ...LINE, '--shard', part, ...flags].join(' '),
    );
    expect(document.next).toBe(commands.join('; '));
  });

  test('counts records that were refused and sent again as the last command left them', async () => {
    const site = await siteWith(SEED, ROWS.slice(0, -1));
    for (const part of ['1/2', '2/2']) await push(site, part, '--on-reject', 'skip');
    const { next, rows } = (await merged(site, RUNS)).document;
    expect(rows).toMatchObject({ read: 8, created: 4, rejected: 3 });
    await site.reseed(IMPORTED);
    expect((await site.cli(...next!.split(' ').slice(1))).exitCode).toBe(0);
    const { exitCode, document } = await merged(site, RUNS);
    expect([exitCode, document.rows]).toMatchObject([0, { read: 8, created: 7, rejected: 0 }]);
  });

  test.each<readonly [string, (site: Migration) => Promise<unknown>, string]>([
    ['nothing', async () => undefined, `no run of a shard is in ${RUNS}`],
    ['whole files', (site) => site.cli(...LINE), 'Runs without --shard need no merge'],
    ['a missing shard', (site) => push(site, '2/2'), 'shard 1 of 2 has no run'],
    [
      'shards of two numbers',
      async (site) => {
        await push(site, '1/2');
        await push(site, '2/3', '--run-dir', 'other');
        renameSync(join(site.cwd, 'other'), join(site.cwd, RUNS, 'other'));
      },
      'shard 2 of 2 has no run',
    ],
  ])('refuses %s', async (_, prepare, reason) => {
    const site = await siteWith(IMPORTED);
    await prepare(site);
    const { exitCode, stderr } = await merged(site, RUNS);
    expect([exitCode, stderr]).toEqual([8, expect.stringContaining(reason) as string]);
    expect(stderr).toContain('shards_differ');
  });

  test('refuses a shard that two folders have', async () => {
    const site = await siteWith(IMPORTED);
    for (const part of ['1/2', '2/2']) await push(site, part);
    await push(site, '2/2', '--run-dir', 'other');
    const { exitCode, stderr } = await merged(site, RUNS, 'other');
    expect([exitCode, stderr]).toEqual([8, expect.stringContaining('shard 2 of 2 has 2 runs: ') as string]);
    expect(stderr).toContain('shards_differ');
  });

  test('refuses shards that differ, and says in what', async () => {
    const site = await siteWith(IMPORTED);
    await push(site, '1/2', '--run-dir', 'one');
    const differing: readonly (readonly [string, (folder: string) => Promise<unknown>])[] = [
      ['the number of shards', (folder) => push(site, '2/3', '--run-dir', folder)],
      [
        'the mapping, the contract or an option',
        (folder) => push(site, '2/2', '--run-dir', folder, '--no-check-previously-added'),
      ],
      [
        'the mapping, the contract or an option',
        (folder) => push(site, '2/2', '--run-dir', folder, '--max-records', '5'),
      ],
      [
        'the content of the files',
        (folder) => {
          site.csv('t.csv', HEADER, ...ROWS.slice(1), ROWS[0]!);
          return push(site, '2/2', '--run-dir', folder);
        },
      ],
      [
        'the platform',
        async (folder) => {
          site.csv('t.csv', HEADER, ...ROWS);
          await site.cli('admin', 'reset');
          return push(site, '2/2', '--run-dir', folder);
        },
      ],
    ];
    for (const [index, [what, prepare]] of differing.entries()) {
      await prepare(`two-${index}`);
      const { exitCode, stderr } = await merged(site, 'one', `two-${index}`);
      expect([exitCode, stderr]).toEqual([8, expect.stringContaining(what) as string]);
      expect(stderr).toMatch(/of2 and \S+ differ in /);
    }
  });

  test('waits for no shard that is being sent, and takes none that was stopped while it read', async () => {
    const site = await siteWith(IMPORTED);
    await push(site, '1/2');
    const { run } = (await push(site, '2/2')).json() as { run: string };
    const file = join(site.cwd, RUNS, `${run}.sqlite`);
    const db = new Database(file);
    db.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
    expect((await merged(site, RUNS)).exitCode).toBe(10);
    db.exec(`UPDATE run SET state = 'staging'; COMMIT`);
    db.close();
    expect(await merged(site, RUNS)).toMatchObject({
      exitCode: 8,
      stderr: expect.stringContaining(run) as string,
    });
  });

  test('counts every row of the file exactly once', async () => {
    const site = await siteWith(IMPORTED);
    await push(site, '1/2');
    const { run } = (await push(site, '2/2')).json() as { run: string };
    const changed = async (sql: string) => {
      const db = new Database(join(site.cwd, RUNS, `${run}.sqlite`));
      db.exec(sql);
      db.close();
      const { exitCode, stderr } = await site.cli('runs', 'merge', RUNS, '--fast');
      return `${exitCode} ${stderr}`;
    };
    const valid = `(SELECT min(seq) FROM record WHERE state = 'valid')`;
    const shard = `(SELECT id FROM cause WHERE kind = 'shard')`;
    const row = await changed(
      `UPDATE record SET state = 'filtered', cause_id = ${shard} WHERE seq = ${valid}`,
    );
    expect(row).toMatch(/^11 .*totals_unequal.*row \d is in no shard/s);
    const { exitCode, stderr } = await merged(site, RUNS);
    expect([exitCode, stderr]).toEqual([
      8,
      expect.stringContaining('the rows or problems of its files') as string,
    ]);
  });

  test('names a run file that is not there', async () => {
    const site = await siteWith(IMPORTED);
    mkdirSync(join(site.cwd, 'empty'));
    const { exitCode, stderr } = await merged(site, join('empty', 'x-1of2.sqlite'));
    expect([exitCode, stderr]).toEqual([8, expect.stringContaining('run_not_found') as string]);
  });
});
