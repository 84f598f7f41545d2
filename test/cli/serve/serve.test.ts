import { statSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { END_SIGNALS } from '../../../src/cli/outside/io.ts';
import { fakeIo, runCli } from '../../support/cli-io.ts';
import { ACCOUNT, charge } from '../../support/server-platform.ts';
import { startedServe } from '../../support/started-serve.ts';

interface Ready {
  readonly event: string;
  readonly url: string;
  readonly instance: string;
  readonly api_key: string | null;
}

async function ask(url: string, path: string): Promise<number> {
  return (await fetch(url + path)).status;
}

test.each([
  [[], 'local-key'],
  // The given key is not repeated, because lines that programs read end in logs.
  [['--api-key', 'mine'], null],
])('with --json and %j one line says where it is, which one it is, and with which key', async (more, key) => {
  const { text, stop } = await startedServe(['--db', ':memory:', ...more, '--json']);
  const ready = JSON.parse(text) as Ready;
  expect(ready).toEqual({
    event: 'ready',
    url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/) as string,
    instance: expect.stringMatching(/\w/) as string,
    api_key: key,
  });
  expect(await ask(ready.url, '/_local/health')).toBe(200);
  const { exitCode, stdout, stderr } = await stop('SIGTERM');
  expect({ exitCode, stderr, lines: stdout.split('\n').length }).toEqual({
    exitCode: 0,
    stderr: '',
    lines: 2,
  });
});

test('for people it shows its content and the next commands', async () => {
  const { text, stop } = await startedServe(['--db', ':memory:']);
  const url = /http:\S+/.exec(text)?.[0];
  expect(text).toMatch(/It has 1 supplier, 2 accounts and 0 records\./);
  expect(text).toContain(
    `  export DATAIMPORT_BASE_URL=${url}\n  export DATAIMPORT_API_KEY=local-key\n  export DATAIMPORT_SUPPLIER=ACME\n`,
  );
  expect(text).toContain('is in memory, and gone when this ends');
  expect((await stop('SIGTERM')).stderr).toBe('stopping\n');
});

test('DATAIMPORT_API_KEY is not the key of serve, so the exports of the other terminal change nothing', async () => {
  const env = {
    DATAIMPORT_API_KEY: 'real-s3cr3t',
    DATAIMPORT_TOKEN: 'real-s3cr3t',
    DATAIMPORT_SUPPLIER: 'OTHER',
  };
  const bare = await startedServe(['--db', ':memory:']);
  const { text, stop, io } = await startedServe(['--db', ':memory:'], fakeIo({ env }));
  const withoutPort = (banner: string) => banner.replaceAll(/:\d+/g, '');
  expect(withoutPort(text)).toBe(withoutPort(bare.text));
  expect(text).not.toContain('s3cr3t');
  const url = /http:\S+/.exec(text)![0];
  const check = { DATAIMPORT_BASE_URL: url, DATAIMPORT_API_KEY: 'real-s3cr3t' };
  expect((await runCli(['auth'], fakeIo({ env: check }))).exitCode).toBe(7);
  await stop('SIGTERM');
  await bare.stop('SIGTERM');
  expect(io.printed.stderr).toBe('stopping\n');
});

test.each([
  ['the flag', ['--api-key', 'mine'], {}],
  ['its variable', [], { DATAIMPORT_SERVE_API_KEY: 'mine' }],
])('a key that is given by %s is taken and not printed', async (_, argv, env) => {
  const { text, stop } = await startedServe(['--db', ':memory:', ...argv], fakeIo({ env }));
  expect(text).toContain('  DATAIMPORT_API_KEY is (the key given by --api-key)\n');
  expect(text).not.toContain('mine');
  const check = { DATAIMPORT_BASE_URL: /http:\S+/.exec(text)![0], DATAIMPORT_API_KEY: 'mine' };
  expect((await runCli(['auth'], fakeIo({ env: check }))).exitCode).toBe(0);
  await stop('SIGTERM');
});

test.each([
  ['a space in it, by the flag', ['--api-key', 's3cr3t key'], {}],
  ['letters beyond ASCII, by the flag', ['--api-key', 's3cr3t-schlüssel'], {}],
  ['a line end behind it, by the variable', [], { DATAIMPORT_SERVE_API_KEY: 's3cr3t\n' }],
])('a key that no client could send, with %s, starts nothing and is not shown', async (_, argv, env) => {
  const refused = await runCli(['serve', '--port', '0', '--db', ':memory:', ...argv], fakeIo({ env }));
  expect(refused).toMatchObject({
    exitCode: 2,
    stdout: '',
    stderr:
      'dataimport: error setting_invalid the setting apiKey (--api-key or DATAIMPORT_SERVE_API_KEY) is wrong: a key or token has no spaces, line ends or characters beyond ASCII\n' +
      'next: Accepted: visible ASCII characters without spaces.\n',
  });
});

test('the printed lines are enough for the other commands', async () => {
  const { text, stop } = await startedServe(['--db', ':memory:']);
  const env = Object.fromEntries(
    [...text.matchAll(/export (\w+)=(\S+)/g)].map(([, name, value]) => [name!, value!]),
  );
  expect(await runCli(['auth'], fakeIo({ env }))).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining('answered, with 1 imported account\n') as string,
  });
  expect((await runCli(['status', '1001', '--json'], fakeIo({ env }))).json()).toMatchObject({
    status: 'COMPLETED',
  });
  expect((await runCli(['accounts', '--json'], fakeIo({ env }))).json()).toMatchObject({
    counts: { total: 2, pending: 1, imported: 1 },
  });
  expect(await runCli(['status', 'nobody'], fakeIo({ env }))).toMatchObject({ exitCode: 4 });
  expect(await runCli(['accounts', '--supplier', 'NOBODY'], fakeIo({ env }))).toMatchObject({
    exitCode: expect.any(Number) as number,
    stdout: '',
  });
  expect(await runCli(['auth'], fakeIo({ env: { ...env, DATAIMPORT_API_KEY: 'wrong' } }))).toMatchObject({
    exitCode: 7,
  });
  await stop('SIGTERM');
});

test.each([
  ['nothing says otherwise', {}, '', 400],
  ['DATAIMPORT_TIME_ZONE says so', { DATAIMPORT_TIME_ZONE: 'Pacific/Kiritimati' }, '', 201],
  ['a configuration file says so', {}, 'timeZone: Pacific/Kiritimati\n', 201],
])('its today is that of UTC, or of another zone: %s', async (_, env, config, status) => {
  const io = fakeIo({ env });
  writeFileSync(join(io.cwd, 'dataimport.config.yaml'), config);
  const { url, stop } = await startedServe(['--db', ':memory:'], io);
  const post = async (path: string, body: object, headers = {}) =>
    fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  await post('/_local/clock/set', { now: '2026-03-15T12:00:00Z' });
  const query = 'mutation { obtainPlatformToken(input: {APIKey: "local-key"}) { token } }';
  const issued = await (await post('/v1/graphql/', { query })).json();
  const { token } = (issued as { data: { obtainPlatformToken: { token: string } } }).data.obtainPlatformToken;
  // In the time zone where the day begins first it is tomorrow.
  const transactions = [charge({ transaction_date: '2026-03-16' })];
  const authorization = `Token ${token}`;
  const path = '/v1/data-import/transactions/create/';
  expect((await post(path, { ...ACCOUNT, transactions }, { authorization })).status).toBe(status);
  await stop('SIGTERM');
});

test('received records are kept below the current folder, for the owner only', async () => {
  const { text, stop, io } = await startedServe([]);
  expect(text).toContain('is kept in .dataimport/serve.sqlite');
  expect(statSync(join(io.cwd, '.dataimport', 'serve.sqlite')).mode & 0o777).toBe(0o600);
  await stop('SIGTERM');
});

describe('the end', () => {
  test.each(END_SIGNALS)('by %s is clean: serve stops listening and exits with 0', async (signal) => {
    const { text, stop, io } = await startedServe(['--db', ':memory:', '--json']);
    const { url } = JSON.parse(text) as Ready;
    expect((await stop(signal)).exitCode).toBe(0);
    await expect(fetch(url)).rejects.toThrow();
    expect(io.listeners()).toBe(0);
  });
});

test('a taken port is named, with the next command', async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void other.close());
  const { port } = other.address() as AddressInfo;
  const io = fakeIo();
  expect(await runCli(['serve', '--db', ':memory:', '--port', String(port)], io)).toMatchObject({
    exitCode: 2,
    stdout: '',
    stderr: `dataimport: error address_unavailable cannot listen on port ${port} of 127.0.0.1: another program has it\nnext: Stop the program that listens there, or serve a second platform with \`--port 0 --db second.sqlite\`: each has a database of its own.\n`,
  });
  expect(io.listeners()).toBe(0);
});
