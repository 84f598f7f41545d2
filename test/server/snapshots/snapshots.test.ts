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
import { describe, expect, test } from 'vitest';
import { stateText } from '../../../src/server/snapshots/state-text.ts';
import { admin, linesOf } from '../../support/server-admin.ts';
import {
  ACCOUNT,
  charge,
  START,
  startPlatform,
  statement,
  type TestPlatform,
} from '../../support/server-platform.ts';
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

const exported = async (platform: TestPlatform) => (await admin(platform, 'GET state')).text;

const imported = (platform: TestPlatform, text: string) =>
  platform.request('PUT', '/_local/state', {
    body: text,
    headers: { 'content-type': 'application/x-ndjson' },
  });

/** A state without what every export has of its own: its first line and its checksum. */
const rowsOf = (state: string) => state.split('\n').slice(1, -2);

describe.each(['in memory', 'in a file'])('snapshots of a database %s', (where) => {
  const start = () =>
    startPlatform(where === 'in memory' ? {} : { database: join(temporaryFolder(), 'serve.sqlite') });

  test('bring everything back as it was, and numbering goes on where it was', async () => {
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

test.each(['../x', '..', 'a/b', 'A', 'a.ndjson', '-a', '', ' ', 'a'.repeat(65), 'ü', 'a\\b', 'nul\0'])(
  'the name %j is no name of a snapshot, and nothing is written for it',
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
  expect(readdirSync(folder)).toEqual(['kept.ndjson']);
  expect([statSync(folder).mode & 0o777, statSync(join(folder, 'kept.ndjson')).mode & 0o777]).toEqual([
    0o700, 0o600,
  ]);
  const second = await startPlatform({ database });
  await admin(second, 'POST reset');
  await admin(second, 'POST snapshots/kept/restore');
  expect(await second.ledger()).toHaveLength(4);
});

test('a snapshot that the disk does not take is refused without a path, and what a crash left is no snapshot', async () => {
  const folder = temporaryFolder();
  const database = join(folder, 'serve.sqlite');
  const platform = await startPlatform({ database });
  writeFileSync(`${database}.snapshots`, 'a file where the folder should be');
  const refused = await admin(platform, 'PUT snapshots/x');
  expect([refused.status, refused.body.code]).toEqual([500, 'snapshot_not_written']);
  expect(refused.text).not.toContain(folder);

  rmSync(`${database}.snapshots`);
  await admin(platform, 'PUT snapshots/x');
  writeFileSync(join(`${database}.snapshots`, 'x.ndjson.unfinished'), '{"form');
  const names = async () =>
    (await admin(platform, 'GET snapshots')).body.snapshots.map(({ name }: { name: string }) => name);
  expect(await names()).toEqual(['x']);
  expect((await admin(platform, 'POST snapshots/x/restore')).status).toBe(200);
  await admin(platform, 'PUT snapshots/x');
  expect(readdirSync(`${database}.snapshots`), 'the next one takes its place').toEqual(['x.ndjson']);
});

test('what is no file is no snapshot, and one that cannot be read is listed as damaged', async () => {
  const database = join(temporaryFolder(), 'serve.sqlite');
  const platform = await startPlatform({ database });
  const folder = `${database}.snapshots`;
  await admin(platform, 'PUT snapshots/good');
  mkdirSync(join(folder, 'folder.ndjson'));
  symlinkSync('nowhere', join(folder, 'dangling.ndjson'));
  // A regular file that gives an error when it is read, also to the superuser.
  const isLinux = existsSync('/proc/self/mem');
  if (isLinux) symlinkSync('/proc/self/mem', join(folder, 'damaged.ndjson'));
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

describe('a snapshot that is not whole or not ours', () => {
  /** Changes a saved snapshot on disk, then restores it. */
  async function restoredAfter(change: (text: string) => string) {
    const database = join(temporaryFolder(), 'serve.sqlite');
    const platform = await startPlatform({ database });
    await fill(platform);
    await admin(platform, 'PUT snapshots/hurt');
    const file = join(`${database}.snapshots`, 'hurt.ndjson');
    writeFileSync(file, change(readFileSync(file, 'utf8')));
    const before = rowsOf(await exported(platform));
    const { status, body } = await admin(platform, 'POST snapshots/hurt/restore');
    return { status, body, untouched: String(rowsOf(await exported(platform))) === String(before) };
  }

  test('is restored when nothing was changed', async () => {
    expect(await restoredAfter((text) => text)).toMatchObject({ status: 200, untouched: true });
  });

  test.each<[string, (text: string) => string, string]>([
    ['is empty', () => '', 'it is not a state of dataimport serve'],
    ['is something else', () => '{"format":"x"}\n', 'it is not a state of dataimport serve'],
    [
      'has another format',
      (text) => text.replace('"version":1', '"version":2'),
      'its format has version 2, this program reads version 1',
    ],
    [
      'is of older tables',
      (text) => text.replace(/"tables":\d+/, '"tables":1'),
      'its tables have version 1 (written by 0.0.0-test), those of this program ',
    ],
    ['was cut in the middle', (text) => text.slice(0, text.length / 2), 'its end is missing'],
    ['was cut by one character', (text) => text.slice(0, -1), 'its end is missing'],
    ['lacks a row', (text) => text.split('\n').toSpliced(3, 1).join('\n'), 'rows and says'],
    ['has another digit', (text) => text.replace('0.10', '0.20'), 'it was changed: its checksum is another'],
  ])('that %s is refused with what differs, and changes nothing', async (_, change, reason) => {
    const { status, body, untouched } = await restoredAfter(change);
    expect({ status, code: body.code, untouched }).toEqual({
      status: 400,
      code: 'state_unfit',
      untouched: true,
    });
    expect(body.detail).toContain(reason);
  });
});

describe('/_local/state', () => {
  test('takes on another server what it gave on one, and is the same again', async () => {
    const [one, two] = [await startPlatform(), await startPlatform({ seeds: [] })];
    await fill(one);
    const text = await exported(one);
    expect((await imported(two, text)).status).toBe(200);
    expect(rowsOf(await exported(two))).toEqual(rowsOf(text));
    expect(await two.ledger()).toEqual(await one.ledger());
  });

  test('holds no key', async () => {
    const text = await exported(await startPlatform());
    expect(text).not.toContain('all-key');
    expect(text).not.toContain('acme-key');
  });

  test('that is larger than other bodies may be is taken', async () => {
    const [one, two] = [await startPlatform(), await startPlatform({ bodyLimitBytes: 10_000 })];
    await one.post('createNotes', { ...ACCOUNT, notes: [{ body: 'x'.repeat(1_000_000) }] });
    expect((await imported(two, await exported(one))).status).toBe(200);
    expect(await two.ledger()).toHaveLength(1);
  });

  test('whose rows do not fit the tables or each other is refused in the words of a seed, whoever wrote it', async () => {
    const { createHash } = await import('node:crypto');
    const platform = await startPlatform();
    const before = await exported(platform);
    const [head] = before.split('\n');
    const signed = (...rows: unknown[]) => {
      const body = `${[head, ...rows.map((row) => (typeof row === 'string' ? row : JSON.stringify(row)))].join('\n')}\n`;
      return `${body}${JSON.stringify({ rows: rows.length, sha256: createHash('sha256').update(body).digest('hex') })}\n`;
    };
    const vendor = { table: 'vendors', row: { code: 'V' } };
    const columns = 'this row has other columns than a table of this program (line 2)';
    const value = 'a value of this row is none that its column takes (line 2)';
    const bad = [
      [signed({ table: 'sqlite_schema', row: {} }), columns],
      [signed({ table: 'api_keys', row: { key: 'k', suppliers: null } }), columns],
      [signed({ table: 'vendors', row: { code: 'V', more: 1 } }), columns],
      [signed(vendor, vendor), 'this vendor stands already on a line before it (line 3)'],
      [signed({ table: 'vendors', row: { code: null } }), value],
      [signed({ table: 'vendors', row: { code: {} } }), value],
      [
        signed({
          table: 'import_steps',
          row: { account_id: 'x', due_at: '2026-01-01T00:00:00Z', state: 'imported' },
        }),
        value,
      ],
      [
        signed({ table: 'documents', row: { import_supplier: 'NOBODY', path: 'x' } }),
        'of a row of documents, no supplier has this code',
      ],
      [
        signed({
          table: 'vendor_instructions',
          row: { vendor: 'V', reference: 'r', type: 'CARD', fails: null, times: 0 },
        }),
        'of a row of vendor_instructions, what it refers to is not there',
      ],
      [signed('no row'), 'it has a line that is no row'],
    ] as const;
    for (const [state, reason] of bad) {
      expect((await imported(platform, state)).body).toEqual({
        code: 'state_unfit',
        detail: `the state is not taken: ${reason}`,
      });
    }
    expect(rowsOf(await exported(platform))).toEqual(rowsOf(before));
    expect(platform.unexpected).toEqual([]);
    expect((await imported(platform, signed(vendor))).status).toBe(200);
  });

  test('that would be too large is refused, and not cut', async () => {
    const contents = {
      version: 1,
      replace: () => {},
      *rows() {
        for (;;) yield { table: 't', row: { x: 'ü' } };
      },
    };
    expect(() => stateText(contents, { at: START, by: 'test' }, 10_000)).toThrow('larger than 10000 bytes');
  });

  test('is one document a line', async () => {
    const platform = await startPlatform();
    const answer = await admin(platform, 'GET state');
    expect(answer.headers.get('content-type')).toBe('application/x-ndjson');
    expect(linesOf(answer)[0]).toMatchObject({ format: 'dataimport serve state', version: 1 });
  });
});
