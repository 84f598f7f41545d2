import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import BetterSqlite from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { SCHEMA_VERSION } from '../../../src/server/store/schema.ts';
import { admin } from '../../support/server-admin.ts';
import {
  ACCOUNT,
  charge,
  startPlatform,
  statement,
  type TestPlatform,
} from '../../support/server-platform.ts';
import { TEST_SEED } from '../../support/server-seed.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** One record of each kind, one of them twice, and an account that the seed does not know. */
async function fill(platform: TestPlatform): Promise<void> {
  await platform.post('createNotes', { ...ACCOUNT, notes: [{ body: 'ü "quoted"\n\u2028' }] });
  const transactions = [charge({ amount: '0.10' })];
  await platform.post('createTransactions', { ...ACCOUNT, transactions });
  const query = '?check_previously_added=false';
  await platform.post('createTransactions', { ...ACCOUNT, transactions }, { query });
  await platform.post('createStatements', { ...ACCOUNT, statements: [statement({ gross_amount: 5324 })] });
  await admin(platform, 'PUT accounts/ACME/9001', { state: 'staged' });
  await admin(platform, 'PUT suppliers/BETA', { status: 'Complete' });
}

/** Everything that a user of the admin API sees stored. */
async function stored(platform: TestPlatform) {
  const shown = (path: string) => admin(platform, `GET ${path}`).then(({ body }) => body as unknown);
  return [
    await platform.ledger(),
    await shown('suppliers'),
    await shown('vendors'),
    await shown('accounts?totals=true'),
    await shown('ledger/totals'),
  ];
}

/** The state after somebody ran SQL on it. */
function edited(state: Uint8Array, sql: string): Buffer {
  const database = new BetterSqlite(Buffer.from(state));
  database.exec(sql);
  const bytes = database.serialize();
  database.close();
  return bytes;
}

describe.each(['in memory', 'in a file'])('snapshots of a database %s', (where) => {
  const start = (seed = TEST_SEED) =>
    startPlatform({
      seed,
      ...(where === 'in memory' ? {} : { database: join(temporaryFolder(), 'serve.sqlite') }),
    });

  test('bring everything back, and numbering goes on where it was', async () => {
    const platform = await start();
    await fill(platform);
    const before = await stored(platform);
    expect((await admin(platform, 'PUT snapshots/filled')).body).toEqual({
      name: 'filled',
      bytes: expect.any(Number) as number,
      written_at: expect.stringMatching(/^20\d\d-.*Z$/) as string,
    });
    await admin(platform, 'POST reset');
    await admin(platform, 'PUT accounts/ACME/1001', { state: 'failed' });
    await platform.post('createNotes', {
      import_supplier: 'BETA',
      external_account_number: '2001',
      notes: [{ body: 'y' }],
    });
    const answer = await admin(platform, 'POST snapshots/filled/restore');
    expect([answer.status, answer.body.counts.accounts]).toEqual([200, 10]);
    expect(await stored(platform)).toEqual(before);
    await platform.post('createNotes', { ...ACCOUNT, notes: [{ body: 'next' }] });
    expect((await platform.ledger()).map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5]);
  });

  test('bring the planned steps of an import back, at their times', async () => {
    const seed = `version: 1
api_keys: [{ key: all-key }]
suppliers: [{ code: ACME, name: Acme, status: Ongoing }]
accounts: [{ import_supplier: ACME, external_account_number: "1001", state: staged, auto_import: { after_seconds: 30 } }]
`;
    const platform = await start(seed);
    await admin(platform, 'PUT snapshots/planned');
    // A state by hand takes the plan away.
    await admin(platform, 'PUT accounts/ACME/1001', { state: 'staged' });
    await admin(platform, 'POST snapshots/planned/restore');
    const stateAfter = async (seconds: number) => {
      platform.clock.nowMs += 1_000 * seconds;
      return (await admin(platform, 'GET accounts/ACME/1001')).body.state;
    };
    expect([await stateAfter(29), await stateAfter(1)]).toEqual(['staged', 'imported']);
  });

  test('number new records behind their own, also when more records were there meanwhile', async () => {
    const platform = await start();
    const add = (body: string) => platform.post('createNotes', { ...ACCOUNT, notes: [{ body }] });
    await add('kept');
    await admin(platform, 'PUT snapshots/one');
    await add('lost');
    await add('lost, too');
    await admin(platform, 'POST snapshots/one/restore');
    await add('next');
    expect((await platform.ledger()).map(({ seq }) => seq)).toEqual([1, 2]);
  });

  test('are listed, replaced under their name, and deleted', async () => {
    const platform = await start();
    const names = async () =>
      (await admin(platform, 'GET snapshots')).body.snapshots.map(({ name }: { name: string }) => name);
    expect(await names()).toEqual([]);
    await admin(platform, 'PUT snapshots/b');
    await admin(platform, 'PUT snapshots/a');
    await fill(platform);
    await admin(platform, 'PUT snapshots/a');
    expect(await names()).toEqual(['a', 'b']);
    await admin(platform, 'POST snapshots/b/restore');
    expect(await platform.ledger()).toHaveLength(0);
    await admin(platform, 'POST snapshots/a/restore');
    expect(await platform.ledger()).toHaveLength(4);
    expect((await admin(platform, 'DELETE snapshots/a')).status).toBe(200);
    expect((await admin(platform, 'DELETE snapshots/a')).body.code).toBe('snapshot_not_found');
    expect((await admin(platform, 'POST snapshots/a/restore')).body.code).toBe('snapshot_not_found');
    expect(await names()).toEqual(['b']);
  });

  test('leave tokens, keys, clock and faults alone', async () => {
    const platform = await start();
    await admin(platform, 'PUT snapshots/empty');
    await admin(platform, 'POST clock/freeze');
    const headers = { authorization: `Token ${await platform.token('acme-key')}` };
    await admin(platform, 'POST snapshots/empty/restore');
    const path = '/v1/data-import/all-account-import-processes/ACME/';
    expect((await platform.request('GET', path, { headers })).status).toBe(200);
    expect((await platform.token('acme-key')).length).toBeGreaterThan(0);
    expect((await admin(platform, 'GET clock')).body.mode).toBe('frozen');
  });
});

test.each(['../x', '..', 'a/b', 'A', 'a.sqlite', '-a', '', ' ', 'a'.repeat(65), 'ü', 'a\\b', 'nul\0'])(
  'the name %j is not a name of a snapshot, and nothing is written for it',
  async (name) => {
    const folder = temporaryFolder();
    const platform = await startPlatform({ database: join(folder, 'db', 'serve.sqlite') });
    for (const call of ['PUT', 'DELETE', 'POST'] as const) {
      const path = `snapshots/${encodeURIComponent(name)}${call === 'POST' ? '/restore' : ''}`;
      const { status } = await admin(platform, `${call} ${path}`);
      expect([400, 404, 405]).toContain(status);
    }
    expect(readdirSync(folder)).toEqual(['db']);
    expect(existsSync(join(folder, 'db', 'serve.sqlite.snapshots'))).toBe(false);
    expect(platform.unexpected).toEqual([]);
  },
);

test('snapshots survive a restart, for their owner only, and no half-written file stays', async () => {
  const database = join(temporaryFolder(), 'serve.sqlite');
  const first = await startPlatform({ database });
  await fill(first);
  await admin(first, 'PUT snapshots/kept');
  await first.close();
  const folder = `${database}.snapshots`;
  expect(readdirSync(folder)).toEqual(['kept.sqlite']);
  expect([statSync(folder).mode & 0o777, statSync(join(folder, 'kept.sqlite')).mode & 0o777]).toEqual([
    0o700, 0o600,
  ]);
  const second = await startPlatform({ database });
  await admin(second, 'POST reset');
  await admin(second, 'POST snapshots/kept/restore');
  expect(await second.ledger()).toHaveLength(4);
});

test('a snapshot that the disk does not accept is refused without a path, and the rest of a crash is no snapshot', async () => {
  const folder = temporaryFolder();
  const database = join(folder, 'serve.sqlite');
  const platform = await startPlatform({ database });
  writeFileSync(`${database}.snapshots`, 'a file where the folder should be');
  const refused = await admin(platform, 'PUT snapshots/x');
  expect([refused.status, refused.body.code]).toEqual([500, 'snapshot_not_written']);
  expect(refused.text).not.toContain(folder);

  rmSync(`${database}.snapshots`);
  await admin(platform, 'PUT snapshots/x');
  writeFileSync(join(`${database}.snapshots`, 'x.sqlite.unfinished'), 'SQLite form');
  const names = async () =>
    (await admin(platform, 'GET snapshots')).body.snapshots.map(({ name }: { name: string }) => name);
  expect(await names()).toEqual(['x']);
  expect((await admin(platform, 'POST snapshots/x/restore')).status).toBe(200);
  await admin(platform, 'PUT snapshots/x');
  expect(readdirSync(`${database}.snapshots`), 'the next one replaces it').toEqual(['x.sqlite']);
});

test('only a file is a snapshot', async () => {
  const database = join(temporaryFolder(), 'serve.sqlite');
  const platform = await startPlatform({ database });
  const folder = `${database}.snapshots`;
  await admin(platform, 'PUT snapshots/good');
  mkdirSync(join(folder, 'folder.sqlite'));
  symlinkSync('good.sqlite', join(folder, 'link.sqlite'));
  const { snapshots } = (await admin(platform, 'GET snapshots')).body;
  expect(snapshots.map(({ name }: { name: string }) => name)).toEqual(['good']);
  for (const name of ['folder', 'link']) {
    expect((await admin(platform, `POST snapshots/${name}/restore`)).body.code).toBe('snapshot_not_found');
    expect((await admin(platform, `DELETE snapshots/${name}`)).body.code).toBe('snapshot_not_found');
  }
  expect((await admin(platform, 'PUT snapshots/folder')).body.code).toBe('snapshot_not_written');
  expect(platform.unexpected).toEqual([]);
});

test('a snapshot contains no key and no identity of a database', async () => {
  const database = join(temporaryFolder(), 'serve.sqlite');
  await admin(await startPlatform({ database }), 'PUT snapshots/x');
  const state = readFileSync(`${database}.snapshots/x.sqlite`);
  expect([state.includes('all-key'), state.includes('acme-key')]).toEqual([false, false]);
  const opened = new BetterSqlite(state);
  expect(opened.prepare('SELECT * FROM database_identity').all()).toEqual([]);
  opened.close();
});

/** Changes a saved snapshot on disk, then restores it. */
async function restoredAfter(change: (state: Buffer) => Uint8Array) {
  const database = join(temporaryFolder(), 'serve.sqlite');
  const platform = await startPlatform({ database });
  await fill(platform);
  await admin(platform, 'PUT snapshots/hurt');
  const file = join(`${database}.snapshots`, 'hurt.sqlite');
  writeFileSync(file, change(readFileSync(file)));
  const before = await stored(platform);
  const { status, body } = await admin(platform, 'POST snapshots/hurt/restore');
  expect(platform.unexpected).toEqual([]);
  return { platform, status, body, before };
}

describe('a snapshot that is damaged, or not of this program', () => {
  test.each<[string, (state: Buffer) => Uint8Array, string]>([
    ['is empty', () => new Uint8Array(), 'it is empty'],
    ['is something else', () => Buffer.from('{"format":"x"}\n'.repeat(500)), 'file is not a database'],
    ['lacks a table', (state) => edited(state, 'DROP TABLE record_totals'), 'its tables are not those'],
    [
      'is a database of another program',
      (state) => edited(state, 'PRAGMA application_id = 7'),
      'it is a database of another program',
    ],
    [
      'is of another version',
      (state) => edited(state, `PRAGMA user_version = ${SCHEMA_VERSION - 1}`),
      'it was written by another version of this program',
    ],
    [
      'has other tables',
      (state) => edited(state, 'CREATE INDEX more ON records (data)'),
      'its tables are not those',
    ],
    ['was cut in the middle', (state) => state.subarray(0, state.length / 2), 'malformed'],
    ['was cut by one character', (state) => state.subarray(0, -1), 'damaged'],
    ['has a page that cannot be read', (state) => Buffer.from(state).fill(0xff, 8_192, 12_288), 'damaged'],
    [
      'has rows that refer to missing rows',
      (state) => edited(state, "PRAGMA foreign_keys = OFF; INSERT INTO documents VALUES ('NOBODY', 'x')"),
      'FOREIGN KEY',
    ],
  ])('that %s is refused with the reason, and changes nothing', async (_, change, reason) => {
    const { platform, status, body, before } = await restoredAfter(change);
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'snapshot_unfit' });
    expect(body.detail).toContain(reason);
    expect(await stored(platform), 'nothing changed').toEqual(before);
  });
});
