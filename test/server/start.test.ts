import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ENDPOINTS } from '../../src/core/contract/endpoints.ts';
import { urlOf } from '../../src/server/listen.ts';
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

test('closing finishes the requests that are under way and takes no more', async () => {
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

test('closing twice is closing once', async () => {
  const platform = await startPlatform();
  expect(await Promise.all([platform.close(), platform.close()])).toEqual([undefined, undefined]);
  await platform.close();
});

test('a port that is taken is named, and the database is free again', async () => {
  const database = join(temporaryFolder(), 'serve.sqlite');
  const first = await startPlatform();
  await expect(startPlatform({ port: first.port, database })).rejects.toMatchObject({
    code: 'port_taken',
    facts: { host: '127.0.0.1', port: first.port },
  });
  await startPlatform({ database });
});

test('an address that is not of this machine is named', async () => {
  await expect(startPlatform({ host: '192.0.2.1' })).rejects.toMatchObject({
    code: 'address_unavailable',
    facts: { host: '192.0.2.1', reason: 'EADDRNOTAVAIL' },
  });
});

test('a time zone that does not exist is refused before anything is opened', async () => {
  const database = join(temporaryFolder(), 'missing', 'serve.sqlite');
  await expect(startPlatform({ timeZone: 'Europe/Atlantis', database })).rejects.toMatchObject({
    code: 'setting_invalid',
  });
});

test.each([
  ['127.0.0.1', 'http://127.0.0.1:4010'],
  ['localhost', 'http://localhost:4010'],
  ['::1', 'http://[::1]:4010'],
  ['0.0.0.0', 'http://127.0.0.1:4010'],
  ['::', 'http://[::1]:4010'],
])('a server that listens on %s is reached at %s', (host, url) => {
  expect(urlOf(host, 4010)).toBe(url);
});
