import { expect, expectTypeOf, onTestFinished, test } from 'vitest';
import { ENDPOINTS } from '../../src/core/contract/endpoints.ts';
import {
  startServer,
  type LocalPlatform,
  type LedgerRecord,
  type LocalPlatformOptions,
  type PlatformControls,
  type RequestRecord,
  type SeedDocument,
} from '../../src/server/public.ts';
import type { SeedFile } from '../../src/server/seed/seed-file.ts';

const ACCOUNT = { import_supplier: 'SOLAR', external_account_number: '7' };
const SEED: SeedDocument = {
  api_keys: [{ key: 'k' }],
  suppliers: [{ code: 'SOLAR', name: 'Solar', status: 'Ongoing' }],
  accounts: [{ ...ACCOUNT, state: 'imported' }],
};

async function started(options: LocalPlatformOptions = { seeds: [SEED] }): Promise<LocalPlatform> {
  const platform = await startServer(options);
  onTestFinished(() => platform.close());
  return platform;
}

/** Sends a note as a client does; the status of the answer. */
async function addNote({ url }: { url: string }, body: string, key = 'k'): Promise<number> {
  const post = async (path: string, content: object, token = '') =>
    fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Token ${token}` },
      body: JSON.stringify(content),
    });
  const query = `mutation { obtainPlatformToken(input: {APIKey: "${key}"}) { token } }`;
  const { data } = (await (await post('/v1/graphql/', { query })).json()) as {
    data: { obtainPlatformToken: { token: string } };
  };
  const notes = { ...ACCOUNT, notes: [{ body }] };
  return (await post(ENDPOINTS.createNotes.path, notes, data.obtainPlatformToken.token)).status;
}

async function bodiesIn(platform: PlatformControls) {
  const records: readonly LedgerRecord[] = await platform.ledger();
  return records.map(({ data }) => data['body']);
}

test('the type of a seed allows what a seed file may contain', () => {
  expectTypeOf<SeedFile>().toExtend<SeedDocument>();
  expectTypeOf<keyof SeedDocument>().toEqualTypeOf<keyof SeedFile>();
});

test('seed adds entries that may refer to what is there, and a reset keeps them', async () => {
  const platform = await started();
  const other = { import_supplier: 'SOLAR', external_account_number: '8' };
  await platform.seed({ accounts: [{ ...other, state: 'imported' }], api_keys: [{ key: 'second' }] });
  const sent = await platform.ledger();
  expect(sent).toEqual([]);
  expect(await addNote(platform, 'x', 'second')).toBe(201);
  await platform.reset();
  expect(await addNote(platform, 'y', 'second')).toBe(201);
  await expect(
    platform.seed({ accounts: [{ ...other, import_supplier: 'NOBODY', state: 'imported' }] }),
  ).rejects.toMatchObject({
    code: 'seed_invalid',
    message: expect.stringMatching(
      /^the seed is not valid: seed:1:1 accounts\[0\]\.import_supplier: no supplier has this code/,
    ),
  });
  const answer = await fetch(`${platform.url}/_local/seed`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '[]',
  });
  expect(answer.status).toBe(400);
});

test('reset, snapshot and restore change what is stored', async () => {
  const platform = await started();
  await addNote(platform, 'one');
  await platform.snapshot('before');
  await addNote(platform, 'two');
  await platform.restore('before');
  expect(await bodiesIn(platform)).toEqual(['one']);
  await platform.reset();
  expect(await bodiesIn(platform)).toEqual([]);
  expect(await platform.requests()).toEqual([]);
});

test('requests tells what was sent, and a fault is added and removed', async () => {
  const platform = await started();
  await platform.fault('notes before-commit status=503', 'notes accept status=502 times=1');
  expect([await addNote(platform, 'x'), await addNote(platform, 'x')]).toEqual([502, 503]);
  await platform.clearFaults();
  expect(await addNote(platform, 'x')).toBe(201);
  const notes: readonly RequestRecord[] = await platform.requests({ endpoint: 'notes' });
  expect(notes.map(({ status, records }) => [status, records])).toEqual([
    [502, null],
    [503, 1],
    [201, 1],
  ]);
});

test('the clock stands still, is set, advances, and goes on', async () => {
  const platform = await started();
  const now = async () =>
    (await (await fetch(`${platform.url}/_local/clock`)).json()) as { now: string; mode: string };
  await platform.clock.freeze();
  await platform.clock.set('2026-01-31T12:00:00Z');
  await platform.clock.advance(60);
  expect(await now()).toMatchObject({ now: expect.stringContaining('2026-01-31T12:01:00'), mode: 'frozen' });
  await platform.clock.resume();
  expect((await now()).mode).not.toBe('frozen');
});

test('a wrong call is an error with the code and the sentence of the platform', async () => {
  const platform = await started();
  await expect(platform.fault('notes 503')).rejects.toMatchObject({ code: 'seed_invalid' });
  await expect(platform.restore('none')).rejects.toMatchObject({ code: 'snapshot_not_found' });
  await expect(platform.clock.set('today')).rejects.toThrow(/now: /);
  await expect(platform.requests({ endpoint: 'note' })).rejects.toThrow(/endpoint: .*\(notes, /);
});
