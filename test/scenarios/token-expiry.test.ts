import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { EXITS } from '../../src/cli/exit-codes.ts';
import { dataimport, serve, type CliWorld, type Platform } from '../support/built-cli.ts';
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

/** A platform whose tokens all end at every so-manieth request. */
async function platformWithTokensFor(requests: number): Promise<{ platform: Platform; world: CliWorld }> {
  const cwd = temporaryFolder();
  const fault = `notes accept expire-tokens every=${requests}`;
  const args = ['--port', '0', '--db', ':memory:', '--seed', join(FIXTURE, 'seed.yaml'), '--fault', fault];
  running = await serve(args, { cwd });
  const env = { DATAIMPORT_BASE_URL: running.url, DATAIMPORT_API_KEY: running.apiKey };
  return { platform: running, world: { cwd, env } };
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

test('tokens of which none is ever taken end the run as one that has no credentials, and it resumes', async () => {
  const { platform, world } = await platformWithTokensFor(1);
  const { exitCode, stdout } = await dataimport(PUSH, world);
  expect(exitCode).toBe(EXITS.AUTH.code);
  expect(stdout).toContain(`${ROWS} not sent`);
  expect(stdout).toMatch(/next: dataimport resume \S+/);
  expect(await ledgerOf(platform.url)).toEqual([]);
});
