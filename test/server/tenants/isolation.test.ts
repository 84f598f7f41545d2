import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { keyIdOf } from '../../../src/server/auth/tokens.ts';
import { openHeldStore } from '../../../src/server/store/store.ts';
import { databaseOfTenant, MOST_TENANTS } from '../../../src/server/tenants/tenants.ts';
import { admin, linesOf } from '../../support/server-admin.ts';
import {
  ACCOUNT,
  charge,
  obtainToken,
  startPlatform,
  type TestPlatform,
} from '../../support/server-platform.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** The platform as a test with its own key sees it. */
function under(apiKey: string, platform: TestPlatform) {
  const headers = { 'x-dataimport-tenant': apiKey };
  const call = (path: string, body?: unknown) => admin(platform, path, body, headers);
  return {
    call,
    send: async (transaction = charge()) =>
      (await platform.post('createTransactions', { ...ACCOUNT, transactions: [transaction] }, { apiKey }))
        .body.results[0].status,
    ledger: async () => linesOf(await call('GET ledger')),
  };
}

/** Two independent tests: both send the same transaction, then one empties its platform. */
async function twoTestsAtOnce(platform: TestPlatform, keys: readonly [string, string]) {
  const [one, two] = [under(keys[0], platform), under(keys[1], platform)];
  const first = await Promise.all([one.send(), two.send()]);
  await one.call('POST reset');
  return { first: first.toSorted(), left: (await two.ledger()).length };
}

describe('two tests on one server', () => {
  test('do not see each other when each key has a tenant', async () => {
    const platform = await startPlatform({ isolate: true });
    expect(await twoTestsAtOnce(platform, ['key-one', 'key-two'])).toEqual({
      first: ['TRANSACTION_ADDED_TO_ACCOUNT', 'TRANSACTION_ADDED_TO_ACCOUNT'],
      left: 1,
    });
  });

  test('disturb each other without it', async () => {
    const platform = await startPlatform();
    expect(await twoTestsAtOnce(platform, ['all-key', 'all-key'])).toEqual({
      first: ['TRANSACTION_ADDED_TO_ACCOUNT', 'TRANSACTION_ALREADY_EXISTS'],
      left: 0,
    });
  });
});

describe('a tenant', () => {
  test('is opened by the first use of any key, and starts with the seed', async () => {
    const platform = await startPlatform({ isolate: true });
    const unheardOf = under('never-seeded', platform);
    expect(await unheardOf.send()).toBe('TRANSACTION_ADDED_TO_ACCOUNT');
    expect((await unheardOf.call('GET health')).body).toMatchObject({
      isolated: true,
      counts: { suppliers: 5, accounts: 9, records: { transaction: 1 } },
    });
    expect((await under('another', platform).call('GET health')).body.counts.records.transaction).toBe(0);
  });

  test('has its own clock, faults, log, snapshots and account states', async () => {
    const platform = await startPlatform({ isolate: true });
    const [one, two] = [under('one', platform), under('two', platform)];
    await one.call('POST clock/set', { now: '2027-01-01T00:00:00Z' });
    await one.call('PUT suppliers/BETA', { status: 'Paused' });
    await one.call('PUT snapshots/mine');
    await one.call('POST faults', { rules: ['transactions accept status=503'] });
    await expect(one.send()).rejects.toThrow();
    expect(await two.send()).toBe('TRANSACTION_ADDED_TO_ACCOUNT');
    expect((await two.call('GET clock')).body).toEqual({ now: '2026-03-15T12:00:00.000Z', mode: 'real' });
    expect((await two.call('GET suppliers')).body.suppliers[1].status).toBe('Ongoing');
    expect((await two.call('GET snapshots')).body.snapshots).toEqual([]);
    expect((await two.call('GET faults')).body.armed).toBe(false);
    const statuses = async (tenant: typeof one) =>
      linesOf(await tenant.call('GET requests')).map(({ status }) => status);
    expect([await statuses(one), await statuses(two)]).toEqual([
      [200, 503],
      [200, 201],
    ]);
  });

  test('accepts only tokens of its own key, also after a refresh', async () => {
    const platform = await startPlatform({ isolate: true });
    const { refreshToken } = (await obtainToken(platform.request, { APIKey: 'one' })).body.data
      .obtainPlatformToken;
    await under('two', platform).send();
    const { token } = (await obtainToken(platform.request, { refreshToken })).body.data.obtainPlatformToken;
    const headers = { authorization: `Token ${token}` };
    await platform.request('POST', '/v1/data-import/notes/create/', {
      body: JSON.stringify({ ...ACCOUNT, notes: [{ body: 'x' }] }),
      headers,
    });
    expect(await under('one', platform).ledger()).toHaveLength(1);
    expect((await under('two', platform).ledger()).map(({ kind }) => kind)).toEqual(['transaction']);
    const [head, payload, signature] = token.split('.') as [string, string, string];
    const other = (await platform.token('two')).split('.')[1]!;
    for (const forged of [
      `${head}.${other}.${signature}`,
      `${head}.${payload}.x`,
      'nonsense',
      `${head}.e30.x`,
    ]) {
      const answer = await platform.request('GET', '/v1/data-import/all-account-import-processes/ACME/', {
        headers: { authorization: `Token ${forged}` },
      });
      expect(answer.status, forged).toBe(401);
    }
  });

  test('is limited to the suppliers of its key in the seed', async () => {
    const platform = await startPlatform({ isolate: true });
    const beta = { import_supplier: 'BETA', external_account_number: '2001', notes: [{ body: 'x' }] };
    expect((await platform.post('createNotes', beta, { apiKey: 'acme-key' })).status).toBe(403);
    expect((await platform.post('createNotes', beta, { apiKey: 'any-key' })).status).toBe(201);
  });

  test('starts with the faults of the start, and counts them separately', async () => {
    const rules = [
      'transactions accept status=503 nth=1',
      'token accept status=502 nth=2',
      'lists accept stall',
    ];
    const platform = await startPlatform({ isolate: true, faults: { rules } });
    expect(platform.faults.unused()).toEqual(rules);
    for (const key of ['one', 'two']) {
      const tenant = under(key, platform);
      await expect(tenant.send()).rejects.toThrow();
      await expect(platform.token(key), 'the second token').rejects.toThrow();
      expect(await tenant.send()).toBe('TRANSACTION_ADDED_TO_ACCOUNT');
    }
    expect(platform.faults.unused()).toEqual(['lists accept stall']);
  });

  test('has its own file beside the database, which is used again after a restart', async () => {
    const folder = temporaryFolder();
    const database = join(folder, 'serve.sqlite');
    const first = await startPlatform({ isolate: true, database });
    await under('one', first).send();
    await under('two', first).call('POST clock/freeze');
    await first.close();
    expect(readdirSync(`${database}.tenants`).filter((file) => file.endsWith('.sqlite'))).toHaveLength(2);
    expect(String(readdirSync(`${database}.tenants`)), 'a key is no name of a file').not.toContain('one');
    const second = await startPlatform({ isolate: true, database });
    expect(await under('one', second).ledger()).toHaveLength(1);
    expect(await under('two', second).ledger()).toHaveLength(0);
  });
});

describe('after a restart without its seed', () => {
  const restarted = async () => {
    const database = join(temporaryFolder(), 'serve.sqlite');
    const first = await startPlatform({ isolate: true, database });
    await under('acme-key', first).send();
    await first.close();
    return startPlatform({ isolate: true, database, seeds: [] });
  };

  test('the counts of the server are those of a new tenant', async () => {
    const platform = await restarted();
    expect(platform.counts).toMatchObject({ suppliers: 1, accounts: 2 });
    const shown = (await admin(platform, 'GET health')).body;
    const tenant = (await under('new', platform).call('GET health')).body;
    expect(tenant).toEqual(shown);
    expect(shown.counts).toEqual(platform.counts);
  });

  test('an existing tenant goes on with its seed and its key', async () => {
    const platform = await restarted();
    expect(await under('acme-key', platform).ledger()).toHaveLength(1);
    const beta = { import_supplier: 'BETA', external_account_number: '2001', notes: [{ body: 'x' }] };
    expect((await platform.post('createNotes', beta, { apiKey: 'acme-key' })).status).toBe(403);
  });

  test('an unusable database is found at the start', async () => {
    const database = join(temporaryFolder(), 'serve.sqlite');
    writeFileSync(database, 'no database, but something longer than its header would be');
    await expect(startPlatform({ isolate: true, database })).rejects.toMatchObject({
      code: 'database_unusable',
    });
  });
});

describe('a call of the admin API with --isolate', () => {
  test('names its tenant by header or query', async () => {
    const platform = await startPlatform({ isolate: true });
    await under('one', platform).send();
    for (const path of ['ledger?tenant=one', 'ledger?kind=transaction&tenant=one', 'requests?tenant=one']) {
      expect(linesOf(await admin(platform, `GET ${path}`)).length, path).toBeGreaterThan(0);
    }
    expect(linesOf(await admin(platform, 'GET ledger?tenant=two'))).toEqual([]);
  });

  test('is refused without a name, unless the answer is the same for all tenants', async () => {
    const platform = await startPlatform({ isolate: true });
    for (const call of [
      'GET ledger',
      'POST reset',
      'GET clock',
      'PUT snapshots/x',
      'GET faults',
      'GET state',
    ]) {
      const answer = await admin(platform, call);
      expect([call, answer.status, answer.body.code]).toEqual([call, 400, 'tenant_not_named']);
    }
    expect((await admin(platform, 'GET health')).status).toBe(200);
    expect((await admin(platform, 'GET faults/schema')).status).toBe(200);
    await platform.request('GET', '/v1/nothing');
    expect(linesOf(await admin(platform, 'GET requests')), 'requests of nobody').toMatchObject([
      { status: 404 },
    ]);
  });

  test('is refused with two names, and changes neither', async () => {
    const platform = await startPlatform({ isolate: true });
    for (const key of ['one', 'two']) await under(key, platform).send();
    for (const query of ['tenant=two', 'tenant=one&tenant=two']) {
      const answer = await under('one', platform).call(`POST reset?${query}`);
      expect([answer.status, answer.body.code]).toEqual([400, 'tenants_named']);
    }
    for (const key of ['one', 'two']) expect(await under(key, platform).ledger()).toHaveLength(1);
    const twice = await admin(platform, 'POST reset?tenant=one&tenant=two');
    expect([twice.status, twice.body.code]).toEqual([400, 'tenants_named']);
    expect((await under('one', platform).call('GET clock?tenant=one')).status, 'the same twice').toBe(200);
  });

  test.each(['a b', 'ü', '', 'x'.repeat(257)])('does not accept %j as a key', async (key) => {
    const platform = await startPlatform({ isolate: true });
    const answer = await admin(platform, `GET ledger?tenant=${encodeURIComponent(key)}`);
    expect([answer.status, answer.body.code]).toEqual([400, 'tenant_key_invalid']);
    expect((await obtainToken(platform.request, { APIKey: key })).status).toBe(400);
  });

  test('needs no name without --isolate, and a name changes nothing', async () => {
    const platform = await startPlatform();
    expect((await admin(platform, 'GET ledger?tenant=any')).status).toBe(200);
    expect((await admin(platform, 'GET health')).body.isolated).toBe(false);
  });
});

test('a token request without a key opens no tenant', async () => {
  const platform = await startPlatform({ isolate: true });
  for (const body of ['{', '{}', '{"query":"mutation { x }"}', '[]', 'null']) {
    const { status } = await platform.request('POST', '/v1/graphql/', { body });
    expect([200, 400]).toContain(status);
  }
  const refused = await obtainToken(platform.request, { refreshToken: 'a.b.c' });
  expect(refused.body.errors[0].extensions.errorCode).toBe('authentication_failed');
  expect(platform.unexpected).toEqual([]);
});

describe('a tenant costs nothing before its first write', () => {
  const rows = (folder: string) => readdirSync(folder, { recursive: true }).map(String).toSorted();

  test('not even when it has got a token and has read', async () => {
    const folder = temporaryFolder();
    const platform = await startPlatform({ isolate: true, database: join(folder, 'serve.sqlite') });
    const before = rows(folder);
    const segments = { importSupplier: 'ACME', externalAccountNumber: '1001' };
    const read = await platform.get('accountTransferStatus', segments, { apiKey: 'one' });
    expect(read.body.status).toBe('COMPLETED');
    await under('one', platform).call('GET ledger');
    expect(rows(folder)).toEqual(before);
    const identity = read.headers.get('dataimport-database');
    const note = { ...ACCOUNT, notes: [{ body: 'x' }] };
    const written = await platform.post('createNotes', note, { apiKey: 'one' });
    expect([written.status, written.headers.get('dataimport-database')]).toEqual([201, identity]);
    expect(rows(folder).length).toBeGreaterThan(before.length);
  });

  test('so hundreds of keys open no database, and an honest key is still served', async () => {
    const platform = await startPlatform({ isolate: true });
    const honest = under('honest', platform);
    await honest.send();
    for (let index = 0; index < MOST_TENANTS + 20; index++)
      await obtainToken(platform.request, { APIKey: `stranger-${index}` });
    expect(await honest.ledger()).toHaveLength(1);
    expect(await under('late', platform).send()).toBe('TRANSACTION_ADDED_TO_ACCOUNT');
    // Requests of forgotten keys are still counted.
    expect(platform.traffic().requests).toBeGreaterThan(MOST_TENANTS + 20);
  });
});

describe('the database of an idle tenant', () => {
  const elevenMinutes = 11 * 60_000;

  test('is closed, and opened again by the next request, with its records', async () => {
    const database = join(temporaryFolder(), 'serve.sqlite');
    const platform = await startPlatform({ isolate: true, database });
    const one = under('one', platform);
    await one.send();
    await one.call('POST clock/freeze');
    const file = databaseOfTenant(database, keyIdOf('one'));
    expect(() => openHeldStore(file)).toThrow('another `dataimport serve` has the database');
    platform.clock.nowMs += elevenMinutes;
    await platform.token('another');
    openHeldStore(file).close();
    expect(await one.ledger()).toHaveLength(1);
    expect((await one.call('GET clock')).body.mode).toBe('frozen');
    expect(await one.send()).toBe('TRANSACTION_ALREADY_EXISTS');
    expect(platform.traffic().created).toBe(1);
  });

  test('stays open in memory, where its records would be lost', async () => {
    const platform = await startPlatform({ isolate: true });
    await under('one', platform).send();
    platform.clock.nowMs += elevenMinutes;
    await platform.token('another');
    expect(await under('one', platform).ledger()).toHaveLength(1);
  });
});

describe('on a server that other machines can reach', () => {
  const reachable = { isolate: true, host: '0.0.0.0', allowNetwork: true } as const;

  test('a key that is not listed gets no token and no tenant', async () => {
    const platform = await startPlatform({ ...reachable, apiKey: 'listed-key' });
    const refused = await obtainToken(platform.request, { APIKey: 'invented' });
    expect(refused.body.errors[0].extensions.errorCode).toBe('authentication_failed');
    const call = await under('invented', platform).call('GET ledger');
    expect([call.status, call.body.code]).toEqual([400, 'tenant_key_unlisted']);
    for (const key of ['listed-key', 'acme-key'])
      expect(await under(key, platform).send()).toBe('TRANSACTION_ADDED_TO_ACCOUNT');
  });

  test('there has to be a listed key', async () => {
    const alone = startPlatform({ ...reachable, seeds: [] });
    await expect(alone).rejects.toMatchObject({ code: 'own_key_missing' });
  });
});
