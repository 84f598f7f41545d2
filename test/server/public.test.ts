import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { AppError } from '../../src/core/app-error.ts';
import { startServer, type LocalPlatform, type LocalPlatformOptions } from '../../src/server/public.ts';
import { seedFile } from '../support/server-platform.ts';
import { TEST_SEED } from '../support/server-seed.ts';
import { projectRoot } from '../support/source-tree.ts';

// test/built/tarball.test.ts tests the same installed, with a compiler.

async function started(options?: LocalPlatformOptions): Promise<LocalPlatform> {
  const platform = await startServer(options);
  onTestFinished(() => platform.close());
  return platform;
}

test('without options a platform is in memory, on a free port, with the built-in seed and the version of the package', async () => {
  const { url, apiKeys, instance } = await started();
  const { version } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as {
    version: string;
  };
  const health = (await (await fetch(`${url}/_local/health`)).json()) as { started_at: string };
  expect(health).toMatchObject({ instance, version, database: ':memory:' });
  expect(Math.abs(Date.now() - Date.parse(health.started_at))).toBeLessThan(60_000);
  expect(apiKeys).toEqual([{ key: 'local-key', suppliers: ['ACME'] }]);
});

test('a platform reports the faults that were never hit, and after closing once or twice nobody listens', async () => {
  const platform = await started({ faults: { rules: ['notes accept status=503'] } });
  await platform.close();
  await platform.close();
  expect([platform.faults.armed, platform.faults.unused()]).toEqual([
    ['notes accept status=503'],
    ['notes accept status=503'],
  ]);
  await expect(fetch(platform.url)).rejects.toThrow();
});

/** The values that are refused for each option, besides `valuesOfNoOption`. */
const WRONG: Readonly<Record<string, readonly unknown[]>> = {
  host: [127],
  allowNetwork: ['true'],
  port: ['4010', -1, 65_536, 80.5],
  database: [true],
  seeds: ['seed.yaml', ['seed.yaml', '']],
  contract: [['contract.json'], 1],
  apiKey: [['key'], 'a b', 'schlüssel', 'key\n'],
  timeZone: ['Europe/Atlantis', '+01:00', 1],
  behaviour: [{}, 'strict', [1]],
  faults: [['notes accept status=503']],
  'faults.rules': ['notes accept status=503', [{ on: 'notes' }]],
  'faults.seed': [-1, '7'],
  nowMs: [1_767_225_600_000, () => new Date(0), () => 0.5, () => undefined],
  onUnexpectedError: [console],
};

/** `faults.seed` of 5 → `{ faults: { seed: 5 } }`. */
const optionsWith = (path: string, value: unknown): object =>
  path.split('.').reduceRight<unknown>((inner, name) => ({ [name]: inner }), value) as object;

const valuesOfNoOption = (path: string) =>
  [null, Number.NaN, '', Symbol('x')].map((value) => ({ path, value }));

test('every option may be given', async () => {
  const options: Required<LocalPlatformOptions> = {
    host: '127.0.0.1',
    allowNetwork: true,
    port: 0,
    database: ':memory:',
    seeds: [seedFile(TEST_SEED)],
    contract: join(projectRoot, 'fixtures/contracts/halmere/contract.json'),
    apiKey: 'own-key',
    timeZone: 'Europe/London',
    behaviour: [
      'error-shape=non_field',
      'tx-400=prefix',
      'strict',
      'lenient',
      'rule=missing_transaction_id',
      'token-ttl=1s',
      'body-limit=1',
    ],
    faults: { rules: [], seed: 0 },
    nowMs: () => 0,
    onUnexpectedError: () => {},
  };
  const { apiKeys } = await started(options);
  expect(apiKeys[0]).toEqual({ key: 'own-key', suppliers: null });
});

describe('a wrong option', () => {
  test.each(
    Object.entries(WRONG).flatMap(([path, values]) => [
      ...values.map((value) => ({ path, value })),
      ...valuesOfNoOption(path),
    ]),
  )('is named with the accepted values: $path as $value', async ({ path, value }) => {
    const refused = await errorOf(optionsWith(path, value));
    expect(refused).toMatchObject({ code: 'setting_invalid', facts: { setting: path } });
    expect(refused.message).toContain(`the setting ${path} `);
    expect(refused.message).toContain(`it must be ${refused.facts['accepted']}`);
  });

  test.each([
    ['tx-40=prefix', 'there is no such key; did you mean tx-400?'],
    ['tx-400', 'it must be tx-400=atomic|prefix'],
    ['cors=*', 'it must be cors=ORIGIN'],
    ['cors=http://localhost:5173/', 'it must be cors=ORIGIN'],
    ['token-path=graphql', 'it must be token-path=PATH'],
    ['token-ttl=0s', 'it must be token-ttl=DURATION'],
    ['require=cats.name', 'it must be require=FIELD'],
    ['rule=no_such_code', 'it must be rule='],
    ['strict=true', 'strict takes no value'],
  ])('of behaviour is refused: %s', async (text, reason) => {
    await expect(startServer({ behaviour: [text] })).rejects.toThrow(reason);
  });

  test.each([
    ['', 'prot', 'did you mean port?'],
    ['', 'clock', 'host, port, database'],
    // These belong to the command and to tests only.
    ['', 'version', 'host, port, database'],
    ['', 'crash', 'host, port, database'],
    ['', 'http', 'host, port, database'],
    ['', '__proto__', 'host, port, database'],
    ['faults.', 'rule', 'did you mean rules?'],
  ])('is reported if there is none of its name: %s%s', async (prefix, name, words) => {
    const refused = await errorOf(JSON.parse(jsonWith(prefix + name)) as object);
    expect(refused).toMatchObject({ code: 'setting_invalid', facts: { setting: prefix + name } });
    expect(refused.message).toContain(words);
  });

  test('of each group is tested here', async () => {
    const namesIn = async (path: string) =>
      String((await errorOf(optionsWith(`${path}no_such_name`, 1))).facts['accepted'])
        .split(', ')
        .map((name) => path + name);
    const names = await Promise.all(['', 'faults.'].map(namesIn));
    expect(Object.keys(WRONG).toSorted()).toEqual(names.flat().toSorted());
  });
});

/** The JSON of an object with one member, whose name may be `__proto__`. */
function jsonWith(path: string): string {
  return path.split('.').reduceRight((inner, name) => `{${JSON.stringify(name)}:${inner}}`, '1');
}

async function errorOf(options: object): Promise<AppError> {
  const error: unknown = await started(options as LocalPlatformOptions).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof AppError)) throw new Error(`${String(error)} is no error of the table`);
  return error;
}

test.each([
  ['seed_invalid', { seeds: [join(projectRoot, 'package.json')] }],
  ['file_not_readable', { seeds: ['nowhere.yaml'] }],
  ['seed_invalid', { faults: { rules: ['notes accept crash'] } }],
  ['database_unusable', { database: projectRoot }],
  ['address_unavailable', { host: '192.0.2.1' }],
  ['address_unavailable', { host: '192.0.2.1', allowNetwork: true }],
  ['address_unavailable', { host: '192.0.2.1', allowNetwork: true, apiKey: 'own-key' }],
  ['file_not_readable', { seeds: ['\0'] }],
  ['database_unusable', { database: '\0' }],
  ['address_unavailable', { host: '\0', allowNetwork: true, apiKey: 'own-key' }],
])('a start that fails has the code %s', async (code, options) => {
  await expect(startServer(options)).rejects.toMatchObject({ code });
});
