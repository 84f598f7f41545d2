import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ENDPOINTS } from '../../src/core/contract/endpoints.ts';
import { ACCOUNT, startPlatform } from '../support/server-platform.ts';
import { beginUpload } from '../support/server-raw-http.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

test('records outlive a restart on the same database', async () => {
  const database = join(temporaryFolder(), 'serve.sqlite');
  const first = await startPlatform({ database });
  await first.post('createNotes', { ...ACCOUNT, notes: [{ body: 'kept' }] });
  await first.close();
  const second = await startPlatform({ database });
  expect(await second.ledger()).toHaveLength(1);
  const answer = await second.post('createNotes', { ...ACCOUNT, notes: [{ body: 'kept' }] });
  expect(answer.body[0].status).toBe('NOTE_ALREADY_EXISTS');
});

test('closing finishes the requests in flight and accepts no more', async () => {
  const database = join(temporaryFolder(), 'serve.sqlite');
  const platform = await startPlatform({ database });
  const headers = { authorization: `Token ${await platform.token()}`, 'content-type': 'application/json' };
  const upload = await beginUpload(platform.url, { path: ENDPOINTS.createNotes.path, headers });
  const closing = platform.close();
  const answer = await upload.finish(JSON.stringify({ ...ACCOUNT, notes: [{ body: 'under way' }] }));
  await closing;
  expect(answer.status).toBe(201);
  await expect(platform.request('GET', '/_local/health')).rejects.toThrow();
  expect(await (await startPlatform({ database })).ledger()).toHaveLength(1);
});

test('a taken port is reported, and the database is as before and free again', async () => {
  const database = join(temporaryFolder(), 'serve.sqlite');
  const { port, request } = await startPlatform({ database });
  const suppliers = async () => (await request('GET', '/_local/suppliers')).body;
  const before = await suppliers();
  const seeds = [{ suppliers: [{ code: 'OTHER', name: 'Other', status: 'Ongoing' as const }] }];
  await expect(startPlatform({ port, database, seeds })).rejects.toMatchObject({
    code: 'address_unavailable',
    facts: { host: '127.0.0.1', port },
  });
  expect(await suppliers()).toEqual(before);
  await startPlatform({ database });
});

describe('a server that other machines can reach', () => {
  const everywhere = { host: '0.0.0.0', allowNetwork: true, seeds: [] };

  test.each(['0.0.0.0', '::', '192.0.2.1', 'platform.example'])(
    'does not start on %s before somebody has allowed it',
    async (host) => {
      await expect(startPlatform({ host })).rejects.toMatchObject({
        code: 'address_unavailable',
        facts: { host },
      });
    },
  );

  test.each(['127.0.0.1', '127.0.0.2', 'localhost', '::1'])(
    'is another than one on %s, which needs no allowance',
    async (host) => {
      await expect(startPlatform({ host })).resolves.toMatchObject({ port: expect.any(Number) as number });
    },
  );

  test('does not start with the published key, and needs a key of its own', async () => {
    await expect(startPlatform(everywhere)).rejects.toMatchObject({
      code: 'address_unavailable',
      facts: { what: expect.stringContaining('0.0.0.0, and the server has no key') as unknown },
    });
    const { apiKeys } = await startPlatform({ ...everywhere, apiKey: 'own-key' });
    expect(apiKeys.map(({ key }) => key)).toEqual(['own-key']);
    expect((await startPlatform({ host: '0.0.0.0', allowNetwork: true })).apiKeys).toHaveLength(2);
  });

  test('does not serve a database with the published key, even beside a key of its own', async () => {
    const database = join(temporaryFolder(), 'serve.sqlite');
    const here = await startPlatform({ database, seeds: [] });
    expect(here.apiKeys.map(({ key }) => key)).toEqual(['local-key']);
    await here.close();
    await expect(startPlatform({ ...everywhere, database, apiKey: 'own-key' })).rejects.toMatchObject({
      code: 'address_unavailable',
    });
    await startPlatform({ database, seeds: [] });
  });
});
