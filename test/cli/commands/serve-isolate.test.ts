import { join } from 'node:path';
import { expect, test } from 'vitest';
import { keyIdOf } from '../../../src/server/auth/tokens.ts';
import { databaseOfTenant } from '../../../src/server/tenants/tenants.ts';
import { fakeIo, runCli } from '../../support/cli-io.ts';
import { startedServe } from '../../support/started-serve.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** Starts `serve` in memory. `stop` ends it as Ctrl-C does. */
async function started(argv: readonly string[]) {
  const { text, url, stop } = await startedServe(['--db', ':memory:', ...argv]);
  const typed = (key: string, ...words: string[]) =>
    runCli(words, fakeIo({ env: { DATAIMPORT_BASE_URL: url, DATAIMPORT_API_KEY: key } }));
  return { text, typed, stop };
}

test('serve --isolate says that each key has a tenant, and accepts any key', async () => {
  const { text, typed, stop } = await started(['--isolate']);
  expect(text).toContain('Each API key has a tenant of its own, which begins with this content.\n');
  expect((await typed('never-heard-of', 'auth', 'check')).exitCode).toBe(0);
  expect((await typed('one', 'admin', 'clock', 'freeze')).exitCode).toBe(0);
  expect((await typed('two', 'admin', 'clock')).stdout).toContain('mode: real\n');
  await stop();
});

test('serve reports a tenant that another server has open, and not a bug', async () => {
  const database = join(temporaryFolder(), 'serve.sqlite');
  const other = await startedServe(['--db', databaseOfTenant(database, keyIdOf('one'))]);
  const { typed, stop } = await started(['--db', database, '--isolate']);
  expect((await typed('one', 'auth', 'check')).exitCode).not.toBe(0);
  const { stderr } = await stop();
  expect(stderr).toContain('dataimport: error database_in_use another `dataimport serve` has the database');
  expect(stderr).not.toContain('error bug');
  await other.stop();
});

test('serve without --isolate has one tenant, and accepts the keys of the seed only', async () => {
  const { text, typed, stop } = await started([]);
  expect(text).not.toContain('world');
  expect((await typed('never-heard-of', 'auth', 'check')).exitCode).toBe(7);
  await typed('local-key', 'admin', 'clock', 'freeze');
  expect((await typed('local-key', 'admin', 'clock')).stdout).toContain('mode: frozen\n');
  await stop();
});

test('serve keeps bodies of requests with --log-bodies only', async () => {
  for (const [flags, isKept] of [
    [['--log-bodies'], true],
    [[], false],
  ] as const) {
    const { typed, stop } = await started(flags);
    await typed('local-key', 'status', '1001', '--supplier', 'ACME');
    const { stdout } = await typed('local-key', 'admin', 'requests', '--path', '/v1/data-import', '--json');
    expect(stdout.includes('COMPLETED')).toBe(isKept);
    await stop();
  }
});
