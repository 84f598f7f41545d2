import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { EXITS } from '../../src/cli/exit-codes.ts';
import { dataimport, serve, type CliEnvironment, type Platform } from '../support/built-cli.ts';
import { ledgerOf } from '../support/ledger.ts';
import { projectRoot } from '../support/source-tree.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const FIXTURE = join(projectRoot, 'fixtures', 'quickstart');
const NOTES = join(FIXTURE, 'notes.csv');
const ROWS = 432;

let running: Platform | undefined;

afterEach(async () => {
  await running?.crash();
  running = undefined;
});

/** A platform that expires all tokens at every nth request. */
async function platformWithTokensFor(
  requests: number,
): Promise<{ platform: Platform; world: CliEnvironment }> {
  const cwd = temporaryFolder();
  const fault = `notes accept expire-tokens every=${requests}`;
  const args = ['--port', '0', '--db', ':memory:', '--seed', join(FIXTURE, 'seed.yaml'), '--fault', fault];
  running = await serve(args, { cwd });
  const env = { DATAIMPORT_BASE_URL: running.url, DATAIMPORT_API_KEY: running.apiKey };
  return { platform: running, world: { cwd, env } };
}

/** The status of every request to a path, as the log of the platform has them. */
async function requestsTo(url: string, path: string): Promise<readonly number[]> {
  const lines = await (await fetch(`${url}/_local/requests?path=${encodeURIComponent(path)}`)).text();
  return lines
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { status: number }).status);
}

const PUSH = ['push', 'notes', NOTES, '-j', '8', '--batch-size', '5'];

test.each([2, 7])(
  'tokens that all end at every request no. %d cost time and nothing else',
  { timeout: 60_000 },
  async (requests) => {
    const { platform, world } = await platformWithTokensFor(requests);
    const { exitCode, stderr } = await dataimport(PUSH, world);
    expect(exitCode, stderr).toBe(0);
    const ledger = await ledgerOf(platform.url);
    expect(ledger.filter(({ kind }) => kind === 'note')).toHaveLength(ROWS);
  },
);

test.each([
  ['one worker', ['-j', '1', '--batch-size', '50']],
  ['many workers', ['-j', '8', '--batch-size', '5']],
])('each request that left is counted by its status, with %s', { timeout: 60_000 }, async (_, flags) => {
  const { platform, world } = await platformWithTokensFor(2);
  const { stdout } = await dataimport(['push', 'notes', NOTES, ...flags, '--json'], world);
  const { requests } = JSON.parse(stdout) as { requests: { by_status: Record<string, number> } };
  const seen = await requestsTo(platform.url, '/v1/data-import/notes/');
  const { not_sent: _notSent, ...left } = requests.by_status;
  expect(left).toEqual({
    '201': seen.filter((status) => status === 201).length,
    '401': seen.filter((status) => status === 401).length,
  });
  expect(left['401']).toBeGreaterThan(0);
});

test('tokens that are never accepted end the run as AUTH, and it can be resumed', async () => {
  const { platform, world } = await platformWithTokensFor(1);
  const { exitCode, stdout } = await dataimport(PUSH, world);
  expect(exitCode).toBe(EXITS.AUTH.code);
  expect(stdout).toContain(`${ROWS} not sent`);
  expect(stdout).toMatch(/next: dataimport resume \S+/);
  expect(await ledgerOf(platform.url)).toEqual([]);
});
