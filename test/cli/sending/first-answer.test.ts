import { globSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { fakeIo, runCli, type FakeIoOptions } from '../../support/cli-io.ts';
import { leavingPlatform } from '../../support/leaving-platform.ts';
import { migration, type Migration } from '../../support/migration.ts';
import { GOOD, HEADER, IMPORTED, REFUSED, SEED } from '../../support/refused-account.ts';
import { rawServer } from '../../support/scripted-server.ts';

/** An address at which nothing listens. */
const NOBODY = 'http://127.0.0.1:1';
const PATIENT: FakeIoOptions = { chance: 0.5, maxWaits: 20 };

function runsOf(cwd: string): readonly string[] {
  const folder = join(cwd, '.dataimport', 'journal');
  return globSync(join(folder, '*/*/*.sqlite'));
}

async function pushTo(env: Readonly<Record<string, string>>, world: FakeIoOptions, ...flags: string[]) {
  const io = fakeIo({ ...world, env: { DATAIMPORT_BASE_URL: NOBODY, ...env } });
  writeFileSync(join(io.cwd, 't.csv'), `${HEADER}\n${GOOD}\n`);
  const ended = await runCli(['push', 'transactions', 't.csv', ...flags], io);
  return { ...ended, io, runs: runsOf(io.cwd) };
}

const KEY = { DATAIMPORT_API_KEY: 'k' };
const TOKEN = { DATAIMPORT_TOKEN: 't' };

describe('a platform that has never answered', () => {
  test.each([
    ['a key', KEY, 'no token: the connection was refused (ECONNREFUSED)'],
    ['a token', TOKEN, 'the connection was refused (ECONNREFUSED)'],
  ])('is tried for 10 s with %s, and no run is left behind', async (_, env, reason) => {
    const { exitCode, stderr, stdout, io, runs } = await pushTo(env, PATIENT);
    expect(exitCode).toBe(5);
    expect(io.waits.reduce((sum, waitMs) => sum + waitMs, 0)).toBe(10_000);
    expect(stderr).toBe(
      `platform: ${NOBODY}, set by DATAIMPORT_BASE_URL\n` +
        `no answer from ${NOBODY}: ${reason}; waiting up to 10 s\n` +
        `dataimport: error connection_failed no usable answer from the platform at ${NOBODY}: it has not answered once within 10 s: ${reason}\n` +
        'next: Check --base-url and the network, or wait as long as the platform asks; `dataimport auth` tries the connection. ' +
        'Then type the same command again.\n',
    );
    expect(stdout).toBe('');
    expect(runs).toEqual([]);
  });

  test('is not tried for a file that is not there', async () => {
    for (const flag of ['--map', '--documents']) {
      const { exitCode, stderr, io } = await pushTo(KEY, PATIENT, flag, 'none');
      const says = expect.stringContaining('file_not_readable none cannot be read: no such file') as string;
      expect([exitCode, io.waits, stderr]).toEqual([2, [], says]);
    }
  });

  test.each([
    ['a key', KEY],
    ['a token', TOKEN],
  ])('may take the connection and stay silent, with %s', async (_, env) => {
    const { url } = await rawServer(() => undefined);
    const silent = { ...env, DATAIMPORT_BASE_URL: url };
    // The ten seconds of a trial are not waited for.
    const over = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => AbortSignal.abort());
    onTestFinished(() => over.mockRestore());
    const { exitCode, stderr, runs } = await pushTo(silent, PATIENT);
    expect(exitCode).toBe(5);
    expect(stderr).toContain('within 10 s: the connection is open or opening, and no answer has come');
    expect(runs).toEqual([]);
  });

  test('is no longer tried after Ctrl-C, and nothing is left behind', async () => {
    const io = fakeIo({ ...PATIENT, env: { ...KEY, DATAIMPORT_BASE_URL: NOBODY } });
    writeFileSync(join(io.cwd, 't.csv'), `${HEADER}\n${GOOD}\n`);
    const sleep = async () => io.raise('SIGINT');
    const interrupted = { ...io, timing: { ...io.timing, sleep } };
    expect((await runCli(['push', 'transactions', 't.csv'], interrupted)).exitCode).toBe(130);
    expect(runsOf(io.cwd)).toEqual([]);
  });

  test.each([
    ['a push with a key', KEY, ['push', 'transactions', 't.csv', '-q']],
    ['a push with a token', TOKEN, ['push', 'transactions', 't.csv', '-q']],
    ['a question with a key', KEY, ['auth']],
    ['a question with a token', TOKEN, ['auth']],
  ])('may send informational answers, and %s says what to do', async (_, env, command) => {
    const { url } = await rawServer((socket) =>
      socket.end('HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}'),
    );
    const io = fakeIo({ ...PATIENT, env: { ...env, DATAIMPORT_BASE_URL: url } });
    writeFileSync(join(io.cwd, 't.csv'), `${HEADER}\n${GOOD}\n`);
    const { exitCode, stderr } = await runCli(command, io);
    expect(exitCode).toBe(5);
    expect(stderr).toMatch(/100 Continue .* have its operator turn that off/);
  });

  test('is one at which a proxy or another server shows a page', async () => {
    const { url } = await rawServer((socket) =>
      socket.end('HTTP/1.1 404 Not Found\r\ncontent-type: text/html\r\ncontent-length: 4\r\n\r\n<p/>'),
    );
    const ended = await pushTo({ ...TOKEN, DATAIMPORT_BASE_URL: url }, {});
    expect(ended.exitCode).toBe(5);
    expect(ended.stderr).toContain('connection_failed');
    expect(ended.stderr).toContain('is it the right address?');
    expect(ended.runs).toEqual([]);
  });
});

describe('credentials that the platform refuses end the command before a row is read', () => {
  test.each([
    ['a key', { DATAIMPORT_API_KEY: 'wrong' }, 'credentials_refused'],
    ['a token', { DATAIMPORT_TOKEN: 'wrong' }, 'credentials_refused'],
  ])('%s', async (_, env, code) => {
    const site = await migration(SEED);
    site.csv('t.csv', HEADER, GOOD);
    const { exitCode, stderr } = await site.cliIn({ env }, 'push', 'transactions', 't.csv');
    expect(exitCode).toBe(7);
    expect(stderr).toContain(`error ${code}`);
    expect(runsOf(site.cwd)).toEqual([]);
  });
});

describe('a platform that has answered', () => {
  test('once is waited for, for as long as --retry-for says', async () => {
    const { env } = await leavingPlatform();
    const { exitCode, stdout, io, runs } = await pushTo(env, PATIENT, '--retry-for', '800ms');
    expect(exitCode).toBe(5);
    expect(io.waits).toEqual([125, 250, 425]);
    expect(stdout).toContain('1 waiting');
    expect(runs).toHaveLength(1);
  });

  test.each([
    ['a key', 'token', async () => ({})],
    ['a token', 'lists', async (site: Migration) => ({ DATAIMPORT_TOKEN: await site.token() })],
  ])('%s with 503 and Retry-After is not asked before that time', async (_, target, given) => {
    const site = await migration(IMPORTED);
    site.csv('t.csv', HEADER, GOOD);
    const env = await given(site);
    await site.faults(`${target} accept status=503 retry-after=7 nth=1`);
    const io = site.io({ env, chance: 0.5, maxWaits: 1 });
    const { exitCode } = await runCli(['push', 'transactions', 't.csv'], io);
    expect(exitCode).toBe(0);
    expect(io.waits).toEqual([7_000]);
    expect(await site.ledger()).toHaveLength(1);

    // A longer wait is not begun: the first request is made at once, and its answer decides.
    await site.faults(`${target} accept status=503 retry-after=7 nth=1`);
    site.csv('t.csv', HEADER, GOOD, GOOD.replace('t-1', 't-2'));
    const short = ['push', 'transactions', 't.csv', '--retry-for', '6s'];
    expect(await site.cliIn({ env }, ...short)).toMatchObject({ exitCode: 0 });
    expect(await site.ledger()).toHaveLength(2);
  });
});

describe('a platform that is not there leaves an earlier run as it is', () => {
  const PUSH = ['push', 'transactions', 't.csv', '-j', '1'];

  test.each([
    ['resume', ['resume']],
    ['the same push', PUSH],
  ])('%s', async (_, command) => {
    const site = await migration(SEED);
    site.csv('t.csv', HEADER, REFUSED, GOOD);
    await site.cli(...PUSH);
    const run = String((await site.cli('runs', 'show', '--json')).json()['run']);
    const before = (await site.cli('runs', 'show', run, '--json')).stdout;
    await site.leave();
    const { exitCode, stderr } = await site.cliIn(PATIENT, ...command);
    expect(exitCode).toBe(5);
    expect(stderr).toContain('connection_failed');
    expect((await site.cli('runs', 'show', run, '--json')).stdout).toBe(before);
    expect(runsOf(site.cwd)).toHaveLength(1);
  });
});
