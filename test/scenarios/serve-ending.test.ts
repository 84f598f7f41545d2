import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { ENDPOINTS } from '../../src/core/contract/endpoints.ts';
import { COMMAND } from '../support/built-cli.ts';
import { ledgerOf } from '../support/ledger.ts';
import { beginUpload } from '../support/server-raw-http.ts';
import { projectRoot } from '../support/source-tree.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const NOTES = JSON.stringify({
  import_supplier: 'ACME',
  external_account_number: '1001',
  notes: [{ body: 'under way' }],
});

interface Started {
  readonly child: ChildProcess;
  readonly pid: number;
  readonly url: string;
  /** Resolves when no process can write to its standard output any more, neither the program nor its children. */
  readonly silent: Promise<unknown>;
  /** The exit code, or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals | null>;
}

/** Starts a program that prints the process id of a server and then the ready line of the server. */
async function started(command: string, args: readonly string[], stdin: 'ignore' | 'pipe'): Promise<Started> {
  const child = spawn(command, args, { cwd: temporaryFolder(), stdio: [stdin, 'pipe', 'inherit'] });
  const ended = new Promise<number | NodeJS.Signals | null>((resolve) =>
    child.once('exit', (code, signal) => resolve(code ?? signal)),
  );
  const silent = new Promise((resolve) => child.stdout!.once('close', resolve));
  let printed = '';
  child.stdout!.setEncoding('utf8').on('data', (text: string) => (printed += text));
  const [pid, url] = await vi.waitUntil(
    () => /^(\d*)\n?\{.*"url":"([^"]+)"/s.exec(printed)?.slice(1),
    20_000,
  );
  const server = pid === '' ? child.pid! : Number(pid);
  onTestFinished(() => {
    if (isAlive(server)) process.kill(server, 'SIGKILL');
  });
  return { child, pid: server, url: url!, silent, ended };
}

function startServe(args: readonly string[], stdin: 'ignore' | 'pipe' = 'ignore'): Promise<Started> {
  return started(process.execPath, [COMMAND, 'serve', '--port', '0', '--json', ...args], stdin);
}

/** A program that starts a server and does nothing else, like a test run. */
function startParent(args: readonly string[]): Promise<Started> {
  const parent = `
    const serve = [${JSON.stringify(COMMAND)}, 'serve', '--port', '0', '--db', ':memory:', '--json', ...${JSON.stringify(args)}];
    const child = require('node:child_process').spawn(process.execPath, serve, { stdio: ['ignore', 'inherit', 'inherit'] });
    console.log(child.pid);
  `;
  return started(process.execPath, ['-e', parent], 'ignore');
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function upload(url: string) {
  const query = 'mutation { obtainPlatformToken(input: {APIKey: "local-key"}) { token } }';
  const answer = await fetch(`${url}/v1/graphql/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  });
  const { data } = (await answer.json()) as { data: { obtainPlatformToken: { token: string } } };
  const headers = {
    authorization: `Token ${data.obtainPlatformToken.token}`,
    'content-type': 'application/json',
    'content-length': String(NOTES.length),
  };
  return beginUpload(url, { path: ENDPOINTS.createNotes.path, headers });
}

test.each(['SIGINT', 'SIGTERM'] as const)(
  '%s lets a slow request end, makes the database one whole file and ends with 0',
  async (signal) => {
    const database = join(temporaryFolder(), 'serve.sqlite');
    const first = await startServe(['--db', database]);
    const slow = await upload(first.url);
    first.child.kill(signal);
    await vi.waitUntil(
      () =>
        fetch(first.url).then(
          () => false,
          () => true,
        ),
      10_000,
    );
    expect(isAlive(first.pid)).toBe(true);
    expect((await slow.finish(NOTES)).status).toBe(201);
    expect(await first.ended).toBe(0);
    expect([existsSync(`${database}-wal`), existsSync(`${database}-shm`)]).toEqual([false, false]);
    const second = await startServe(['--db', database]);
    expect(await ledgerOf(second.url)).toHaveLength(1);
  },
);

test('a second signal ends serve at once, whatever is in flight', async () => {
  const { child, url, ended } = await startServe(['--db', ':memory:']);
  await upload(url);
  child.kill('SIGINT');
  await vi.waitUntil(
    () =>
      fetch(url).then(
        () => false,
        () => true,
      ),
    10_000,
  );
  child.kill('SIGINT');
  expect(await ended).toBe('SIGINT');
});

test('on an old Node, the one of the checkout is killed with the command that was typed', async () => {
  const preload = join(temporaryFolder(), 'old-node.cjs');
  writeFileSync(
    preload,
    `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.0.0' } });`,
  );
  const bin = join(projectRoot, 'bin', 'dataimport.js');
  const argv = ['-r', preload, bin, 'serve', '--port', '0', '--db', ':memory:', '--json'];
  const { child, silent } = await started(process.execPath, argv, 'ignore');
  child.kill('SIGKILL');
  expect(await Promise.race([silent.then(() => 'ended'), pause(30_000, 'alive')])).toBe('ended');
});

test('without --exit-with-parent the server outlives the program that started it', async () => {
  const { child, pid, url, ended } = await startParent([]);
  child.kill('SIGKILL');
  await ended;
  await pause(1_000);
  expect([isAlive(pid), (await fetch(`${url}/_local/health`)).status]).toEqual([true, 200]);
});

test('with --exit-with-parent the end of a piped standard input ends serve in order', async () => {
  const { child, ended } = await startServe(['--db', ':memory:', '--exit-with-parent'], 'pipe');
  child.stdin!.end();
  expect(await ended).toBe(0);
});
