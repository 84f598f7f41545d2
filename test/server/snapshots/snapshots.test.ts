import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import BetterSqlite from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { MIGRATIONS } from '../../../src/server/store/migrations.ts';
import { admin } from '../../support/server-admin.ts';
import {
  ACCOUNT,
  charge,
  START,
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

async function exported(platform: TestPlatform): Promise<Buffer> {
  const response = await fetch(`${platform.url}/_local/state`);
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/vnd.sqlite3']);
  return Buffer.from(await response.arrayBuffer());
}

const imported = (platform: TestPlatform, state: Uint8Array) =>
  platform.request('PUT', '/_local/state', {
    body: state,
    headers: { 'content-type': 'application/vnd.sqlite3' },
  });

/** Every row of a state, without the table that says when it was written. */
function rowsOf(state: Uint8Array): unknown {
  const database = new BetterSqlite(Buffer.from(state));
  const tables = database
    .prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'state'")
    .pluck()
    .all();
  const rows = tables.map((table) => [table, database.prepare(`SELECT * FROM ${table}`).all()]);
  database.close();
  return Object.fromEntries(rows);
}

/** The state after somebody ran SQL on it. */
function edited(state: Uint8Array, sql: string): Buffer {
  const database = new BetterSqlite(Buffer.from(state));
  database.exec(sql);
  const bytes = database.serialize();
  database.close();
  return bytes;
}

/** A database with the mark and the checksum of a state. */
function signed(database: BetterSqlite.Database): Buffer {
  const tables = database
    .prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'")
    .pluck()
    .all();
  const hash = createHash('sha256').update(JSON.stringify([START, '0.0.1']));
  for (const table of tables.filter((name) => name !== 'api_keys').toSorted())
    for (const row of database.prepare(`SELECT * FROM ${table}`).raw().all())
      hash.update(JSON.stringify([table, row]));
  database.exec('CREATE TABLE state (written_at TEXT, written_by TEXT, sha256 TEXT) STRICT');
  database.prepare('INSERT INTO state VALUES (?, ?, ?)').run(START, '0.0.1', hash.digest('hex'));
  return database.serialize();
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
    const before = await exported(platform);
    expect((await admin(platform, 'PUT snapshots/filled')).body).toMatchObject({
      name: 'filled',
      written_by: '0.0.0-test',
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
    expect(rowsOf(await exported(platform))).toEqual(rowsOf(before));
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

test('only a file is a snapshot, and an unreadable one is listed as damaged', async () => {
  const database = join(temporaryFolder(), 'serve.sqlite');
  const platform = await startPlatform({ database });
  const folder = `${database}.snapshots`;
  await admin(platform, 'PUT snapshots/good');
  mkdirSync(join(folder, 'folder.sqlite'));
  symlinkSync('nowhere', join(folder, 'dangling.sqlite'));
  // Reading this regular file fails, also for the superuser.
  const isLinux = existsSync('/proc/self/mem');
  if (isLinux) symlinkSync('/proc/self/mem', join(folder, 'damaged.sqlite'));
  const { status, body } = await admin(platform, 'GET snapshots');
  expect([status, body.snapshots.map(({ name }: { name: string }) => name)]).toEqual([
    200,
    [...(isLinux ? ['damaged'] : []), 'good'],
  ]);
  for (const name of ['folder', 'dangling']) {
    expect((await admin(platform, `POST snapshots/${name}/restore`)).body.code).toBe('snapshot_not_found');
    expect((await admin(platform, `DELETE snapshots/${name}`)).body.code).toBe('snapshot_not_found');
  }
  if (isLinux) {
    expect(body.snapshots[0]).toMatchObject({ bytes: 0, written_at: null });
    const refused = await admin(platform, 'POST snapshots/damaged/restore');
    expect([refused.status, refused.body.code]).toEqual([400, 'state_unfit']);
    expect(refused.body.detail).toContain('it cannot be read');
  }
  expect((await admin(platform, 'PUT snapshots/folder')).body.code).toBe('snapshot_not_written');
  expect(platform.unexpected).toEqual([]);
});

describe('a snapshot that is not whole, or not of this program', () => {
  /** Changes a saved snapshot on disk, then restores it. */
  async function restoredAfter(change: (state: Buffer) => Uint8Array) {
    const database = join(temporaryFolder(), 'serve.sqlite');
    const platform = await startPlatform({ database });
    await fill(platform);
    await admin(platform, 'PUT snapshots/hurt');
    const file = join(`${database}.snapshots`, 'hurt.sqlite');
    writeFileSync(file, change(readFileSync(file)));
    const before = rowsOf(await exported(platform));
    const compared = await admin(platform, 'GET snapshots/hurt/compare');
    const { status, body } = await admin(platform, 'POST snapshots/hurt/restore');
    expect(rowsOf(await exported(platform)), 'nothing changed').toEqual(before);
    const [listed] = (await admin(platform, 'GET snapshots')).body.snapshots;
    expect(platform.unexpected).toEqual([]);
    return { status, body, listed, compared };
  }

  test('is restored when nothing was changed', async () => {
    expect(await restoredAfter((state) => state)).toMatchObject({
      status: 200,
      listed: { written_at: START, written_by: '0.0.0-test' },
    });
  });

  const NO_STATE = 'it is not a state of dataimport serve';
  const DAMAGED = 'it is damaged, or its end is missing';
  const CHANGED = 'it was changed: its checksum is another';
  test.each<[string, (state: Buffer) => Uint8Array, string]>([
    ['is empty', () => new Uint8Array(), NO_STATE],
    ['is something else', () => Buffer.from('{"format":"x"}\n'.repeat(500)), NO_STATE],
    ['is a database without the mark of a state', (state) => edited(state, 'DROP TABLE state'), NO_STATE],
    ['has a mark without content', (state) => edited(state, 'DELETE FROM state'), NO_STATE],
    ['has a mark of another form', (state) => edited(state, 'ALTER TABLE state DROP COLUMN sha256'), CHANGED],
    ['lacks a table', (state) => edited(state, 'DROP TABLE record_totals'), CHANGED],
    [
      'is a database of another program',
      (state) => edited(state, 'PRAGMA application_id = 7'),
      'it is a database of another program',
    ],
    [
      'is of a newer version',
      (state) => edited(state, `PRAGMA user_version = ${MIGRATIONS.length + 1}`),
      'it was written by a newer version of this program',
    ],
    [
      'has other tables',
      (state) => edited(state, 'CREATE INDEX more ON records (data)'),
      'its tables are not',
    ],
    ['was cut in the middle', (state) => state.subarray(0, state.length / 2), DAMAGED],
    ['was cut by one character', (state) => state.subarray(0, -1), DAMAGED],
    ['has a page that cannot be read', (state) => Buffer.from(state).fill(0xff, 8_192, 12_288), DAMAGED],
    ['lacks a row', (state) => edited(state, 'DELETE FROM records WHERE seq = 3'), CHANGED],
    ['has another time', (state) => edited(state, "UPDATE state SET written_at = '2027-01-01'"), CHANGED],
    [
      'has another digit',
      (state) => {
        const other = Buffer.from(state);
        other.write('0.20', other.indexOf('0.10'));
        return other;
      },
      CHANGED,
    ],
  ])('that %s is refused with the reason, and changes nothing', async (_, change, reason) => {
    const { status, body, compared } = await restoredAfter(change);
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'state_unfit' });
    expect([200, 400], 'a comparison does not read the checksum').toContain(compared.status);
    expect(body.detail).toContain(reason);
  });
});

describe('/_local/state', () => {
  test('is imported by another server, and exported again as the same', async () => {
    const [one, two] = [await startPlatform(), await startPlatform({ seeds: [] })];
    await fill(one);
    const state = await exported(one);
    expect((await imported(two, state)).status).toBe(200);
    expect(rowsOf(await exported(two))).toEqual(rowsOf(state));
    expect(await two.ledger()).toEqual(await one.ledger());
  });

  test('contains no key', async () => {
    const state = await exported(await startPlatform());
    expect(state.includes('all-key')).toBe(false);
    expect(state.includes('acme-key')).toBe(false);
  });

  test('may be larger than other bodies', async () => {
    const [one, two] = [await startPlatform(), await startPlatform({ bodyLimitBytes: 10_000 })];
    await one.post('createNotes', { ...ACCOUNT, notes: [{ body: 'x'.repeat(1_000_000) }] });
    expect((await imported(two, await exported(one))).status).toBe(200);
    expect(await two.ledger()).toHaveLength(1);
  });

  test('of an older version of the program is brought to this one', async () => {
    const old = new BetterSqlite(':memory:');
    old.exec(MIGRATIONS[0]!);
    old.pragma('application_id = 0x44494d50');
    old.pragma('user_version = 1');
    old.exec("INSERT INTO suppliers VALUES ('OLD', 'Old Energy', 'Ongoing', NULL)");
    const platform = await startPlatform();
    expect((await imported(platform, signed(old))).status).toBe(200);
    const { suppliers } = (await admin(platform, 'GET suppliers')).body;
    expect(suppliers).toMatchObject([{ code: 'OLD', accounts: 0 }]);
  });

  test('whose rows refer to missing rows is refused, even with the right checksum', async () => {
    const platform = await startPlatform();
    const before = await exported(platform);
    const forged = new BetterSqlite(Buffer.from(before));
    forged.exec("PRAGMA foreign_keys = OFF; INSERT INTO documents VALUES ('NOBODY', 'x'); DROP TABLE state");
    expect((await imported(platform, signed(forged))).body).toEqual({
      code: 'state_unfit',
      detail: 'the state is rejected: a row of documents refers to a row that is missing',
    });
    expect(rowsOf(await exported(platform))).toEqual(rowsOf(before));
    expect(platform.unexpected).toEqual([]);
  });

  test('is written and read through a file that does not stay, not even after a crash', async () => {
    const folder = temporaryFolder();
    const left = join(folder, 'serve.sqlite.unfinished-Ab12Cd');
    const others = ['serve.sqlite.unfinished-by-hand', 'other.sqlite.unfinished-Ab12Cd'];
    for (const path of [left, ...others.map((name) => join(folder, name))]) {
      mkdirSync(path);
      writeFileSync(join(path, 'state.sqlite'), 'SQLite form');
    }
    const platform = await startPlatform({ database: join(folder, 'serve.sqlite') });
    const state = await exported(platform);
    expect((await imported(platform, state)).status).toBe(200);
    expect((await imported(platform, state.subarray(1))).status).toBe(400);
    await admin(platform, 'PUT snapshots/x');
    await admin(platform, 'POST snapshots/x/restore');
    expect(readdirSync(folder).filter((name) => name.includes('unfinished'))).toEqual(others.toSorted());
  });

  test('that the disk does not accept is refused without a path, and changes nothing', async () => {
    const folder = join(temporaryFolder(), 'gone');
    const platform = await startPlatform({ database: join(folder, 'serve.sqlite') });
    const state = await exported(platform);
    renameSync(folder, `${folder}-away`);
    const get = await platform.request('GET', '/_local/state');
    for (const { status, body, text } of [get, await imported(platform, state)]) {
      expect([status, body.code]).toEqual([500, 'state_not_written']);
      expect(text).not.toContain(folder);
    }
    renameSync(`${folder}-away`, folder);
    expect((await imported(platform, state)).status).toBe(200);
    expect(platform.unexpected).toEqual([]);
  });

  test('is a SQLite file, and nothing else is accepted', async () => {
    const platform = await startPlatform();
    expect((await exported(platform)).subarray(0, 15).toString()).toBe('SQLite format 3');
    const answer = await platform.request('PUT', '/_local/state', { body: '{}' });
    expect([answer.status, answer.body.code]).toEqual([415, 'unsupported_media_type']);
  });
});
