import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ENDPOINTS, pathOf } from '../../../src/core/contract/endpoints.ts';
import { admin } from '../../support/server-admin.ts';
import { faultyPlatform } from '../../support/server-faults.ts';
import {
  ACCOUNT,
  obtainToken,
  startPlatform,
  type Answered,
  type TestPlatform,
} from '../../support/server-platform.ts';
import { beginUpload, rawRequest } from '../../support/server-raw-http.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const HEADER = 'dataimport-database';
const IDENTITY = /^[0-9a-f]{16}$/;
const NOTES = ENDPOINTS.createNotes.path;
const LIST = pathOf(ENDPOINTS.allAccountImportProcesses, { importSupplier: 'ACME' });
const NOTE = { ...ACCOUNT, notes: [{ body: 'x' }] };

const namedIn = ({ headers }: Pick<Answered, 'headers'>): string | null => headers.get(HEADER);

/** The database that a platform names now. */
async function identityOf(platform: Pick<TestPlatform, 'request'>): Promise<string | null> {
  return namedIn(await admin(platform, 'GET health'));
}

describe('every answer names the same database', () => {
  test.each([
    ['a token', 200, async (platform) => obtainToken(platform.request, { APIKey: 'all-key' })],
    ['notes', 201, async (platform) => platform.post('createNotes', NOTE)],
    ['a vendor that fails', 500, async (platform) => instructed(platform, 'pi_2')],
    ['a list', 200, async (platform) => asked(platform, 'GET', LIST)],
    ['a list without its body', 200, async (platform) => asked(platform, 'HEAD', LIST)],
    ['a request without a token', 401, async (platform) => platform.request('GET', LIST)],
    ['a supplier of other keys', 403, async (platform) => ofOtherSupplier(platform)],
    ['a path that is not there', 404, async (platform) => platform.request('GET', '/v1/elsewhere/')],
    [
      'a large body',
      413,
      async (platform) => asked(platform, 'POST', NOTES, JSON.stringify(NOTE).padEnd(2_000)),
    ],
    ['the admin API', 200, async (platform) => admin(platform, 'GET figures')],
  ] satisfies readonly (readonly [string, number, (platform: TestPlatform) => Promise<Answered>])[])(
    '%s: %i',
    async (_, status, ask) => {
      const platform = await startPlatform({ behaviour: ['body-limit=1000'] });
      const answer = await ask(platform);
      expect(answer.status).toBe(status);
      expect(namedIn(answer)).toMatch(IDENTITY);
      expect(namedIn(answer)).toBe(await identityOf(platform));
    },
  );

  test.each([
    ['notes accept status=503', 503],
    ['notes after-commit status=502 html', 502],
    ['notes accept status=302 location=/elsewhere', 302],
    ['notes accept expire-tokens', 401],
  ])('the fault `%s`: %i', async (rule, status) => {
    const platform = await faultyPlatform([rule]);
    const identity = await identityOf(platform);
    const headers = {
      authorization: `Token ${await platform.token()}`,
      'content-type': 'application/json',
    };
    const answer = await rawRequest(platform.url, {
      method: 'POST',
      path: NOTES,
      headers,
      body: JSON.stringify(NOTE),
    });
    expect([answer.status, answer.headers[HEADER]]).toEqual([status, identity]);
  });
});

describe('the identity of a database', () => {
  test('stays over a restart, unlike the instance', async () => {
    const database = join(temporaryFolder(), 'serve.sqlite');
    const first = await startPlatform({ database });
    const identity = await identityOf(first);
    await first.close();
    const second = await startPlatform({ database });
    expect(await identityOf(second)).toBe(identity);
    expect(second.instance).not.toBe(first.instance);
  });

  test.each([':memory:', 'a file'])('is new with a new database: %s', async (where) => {
    const start = () =>
      startPlatform(where === 'a file' ? { database: join(temporaryFolder(), 'serve.sqlite') } : {});
    expect(await identityOf(await start())).not.toBe(await identityOf(await start()));
  });

  test.each([
    ['a reset', async (platform) => admin(platform, 'POST reset')],
    ['a restored snapshot', async (platform) => admin(platform, 'POST snapshots/kept/restore')],
  ] satisfies readonly (readonly [string, (platform: TestPlatform) => Promise<Answered>])[])(
    'is replaced by %s, also when nothing else changes, and stays so over a restart',
    async (_, replace) => {
      const database = join(temporaryFolder(), 'serve.sqlite');
      const platform = await startPlatform({ database });
      await admin(platform, 'PUT snapshots/kept');
      const before = await identityOf(platform);
      const answer = await replace(platform);
      expect(answer.status).toBe(200);
      expect(namedIn(answer)).toMatch(IDENTITY);
      expect(namedIn(answer)).not.toBe(before);
      expect(await identityOf(platform)).toBe(namedIn(answer));
      await platform.close();
      expect(await identityOf(await startPlatform({ database }))).toBe(namedIn(answer));
    },
  );

  test('is not replaced by what an operator changes, and not by a snapshot that is not there', async () => {
    const platform = await startPlatform();
    const before = await identityOf(platform);
    await admin(platform, 'PUT accounts/ACME/1001', { state: 'failed' });
    await admin(platform, 'PUT snapshots/kept');
    await admin(platform, 'POST clock/advance', { seconds: 60 });
    expect((await admin(platform, 'POST snapshots/unknown/restore')).status).toBe(404);
    expect(await identityOf(platform)).toBe(before);
  });

  test('is named as it is when the answer leaves, so a reset in between is noticed', async () => {
    const platform = await startPlatform();
    const before = await identityOf(platform);
    const headers = { authorization: `Token ${await platform.token()}`, 'content-type': 'application/json' };
    const upload = await beginUpload(platform.url, { path: NOTES, headers });
    const after = namedIn(await admin(platform, 'POST reset'));
    const answer = await upload.finish(JSON.stringify(NOTE));
    expect([answer.status, answer.headers[HEADER]]).toEqual([201, after]);
    expect(after).not.toBe(before);
  });
});

async function asked(
  platform: TestPlatform,
  method: string,
  path: string,
  body?: string,
  type = 'application/json',
): Promise<Answered> {
  const headers = { authorization: `Token ${await platform.token()}`, 'content-type': type };
  return platform.request(method, path, { headers, ...(body !== undefined && { body }) });
}

function instructed(platform: TestPlatform, reference: string): Promise<Answered> {
  return platform.post('createPaymentInstruction', { ...ACCOUNT, vendor: 'STRIPE', type: 'CARD', reference });
}

function ofOtherSupplier(platform: TestPlatform): Promise<Answered> {
  const beta = { ...NOTE, import_supplier: 'BETA', external_account_number: '2001' };
  return platform.post('createNotes', beta, { apiKey: 'acme-key' });
}
