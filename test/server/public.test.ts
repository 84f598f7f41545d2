import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startServer, type LocalPlatform, type LocalPlatformOptions } from '../../src/server/public.ts';
import { ledgerOf } from '../support/ledger.ts';
import { projectRoot } from '../support/source-tree.ts';

// How it is from outside, installed and compiled against: test/built/tarball.test.ts.

async function started(options?: LocalPlatformOptions): Promise<LocalPlatform> {
  const platform = await startServer(options);
  onTestFinished(() => platform.close());
  return platform;
}

test('without options it is in memory, on a free port, with the built-in seed and the version of the package', async () => {
  const { url, apiKeys, instance } = await started();
  const { version } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as {
    version: string;
  };
  const health = (await (await fetch(`${url}/_local/health`)).json()) as { started_at: string };
  expect(health).toMatchObject({ instance, version, database: ':memory:' });
  expect(Math.abs(Date.now() - Date.parse(health.started_at))).toBeLessThan(60_000);
  expect(apiKeys).toEqual([{ key: 'local-key', suppliers: ['ACME'] }]);
});

test('an option that is undefined is one that is not given', async () => {
  const { apiKeys } = await started({
    port: undefined,
    database: undefined,
    seeds: undefined,
    nowMs: undefined,
  });
  expect(apiKeys).toHaveLength(1);
});

test('many run side by side, each with data of its own', async () => {
  const platforms = await Promise.all(Array.from({ length: 5 }, () => started()));
  expect(new Set(platforms.map(({ url }) => url)).size).toBe(5);
  expect(new Set(platforms.map(({ instance }) => instance)).size).toBe(5);
  expect(await Promise.all(platforms.map(({ url }) => ledgerOf(url)))).toEqual([[], [], [], [], []]);
});

test('it tells which faults were never hit, and after closing once or twice nobody listens', async () => {
  const platform = await started({ faults: { rules: ['notes accept status=503'] } });
  await platform.close();
  await platform.close();
  expect([platform.faults.armed, platform.faults.unused()]).toEqual([
    ['notes accept status=503'],
    ['notes accept status=503'],
  ]);
  await expect(fetch(platform.url)).rejects.toThrow();
});

test.each<[string, object, string]>([
  ['a name that there is not', { prot: 4010 }, 'prot'],
  ['a name that there is not, of a limit', { http: { headersTimeout: 1 } }, 'http.headersTimeout'],
  ['a name that there is not, of the faults', { faults: { rule: [] } }, 'faults.rule'],
  ['a port as text', { port: '4010' }, 'port'],
  ['a port that there is not', { port: 65_536 }, 'port'],
  ['one seed that is no list', { seeds: 'seed.yaml' }, 'seeds'],
  ['a life of no second', { tokenTtlSeconds: 0 }, 'tokenTtlSeconds'],
  ['a life of part of a second', { tokenTtlSeconds: 0.5 }, 'tokenTtlSeconds'],
  ['a text for a flag', { isolate: 'false' }, 'isolate'],
  ['an instant for a clock', { nowMs: 1_767_225_600_000 }, 'nowMs'],
  ['a list for the behaviour', { behaviour: [] }, 'behaviour'],
  ['rules that are one text', { faults: { rules: 'notes accept status=503' } }, 'faults.rules'],
  ['no number for a limit', { http: { requestTimeoutMs: Number.NaN } }, 'http.requestTimeoutMs'],
  ['a decision that there is not', { behaviour: { tx: 'atomic' } }, 'behaviour'],
  ['nothing where a text is due', { host: null }, 'host'],
])('%s is refused by its name', async (_, options, setting) => {
  await expect(startServer(options)).rejects.toMatchObject({ code: 'setting_invalid', facts: { setting } });
});

test('some limits may be given, and others stay as they are', async () => {
  const { url } = await started({ http: { requestTimeoutMs: 1_000 } });
  expect((await fetch(`${url}/_local/health`)).status).toBe(200);
});

test.each([
  ['seed_invalid', { seeds: [join(projectRoot, 'package.json')] }],
  ['file_not_readable', { seeds: ['nowhere.yaml'] }],
  ['fault_invalid', { faults: { rules: ['notes accept crash'] } }],
  ['setting_invalid', { timeZone: 'Europe/Atlantis' }],
])('what is wrong has the code %s', async (code, options) => {
  await expect(startServer(options)).rejects.toMatchObject({ code });
});
