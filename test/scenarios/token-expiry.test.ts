import { join } from 'node:path';
import { expect, test } from 'vitest';
import { EXITS } from '../../src/cli/output/exit-codes.ts';
import { chanceFrom } from '../harness/chance.ts';
import { fakeIo, runCli } from '../support/cli-io.ts';
import { firstRows, QUICKSTART } from '../support/quickstart.ts';
import { startPlatform, type TestPlatform } from '../support/server-platform.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { fasterTiming } from '../support/virtual-timing.ts';

const ROWS = 30;

/** Waits for a new token take up to nine seconds, which are 30 ms here. */
const FACTOR = 300;

/** A platform that expires all tokens at every nth request, and a command whose waits are short. */
async function platformWithTokensFor(requests: number): Promise<{
  platform: TestPlatform;
  /** Runs a command in a folder with `notes.csv`. */
  cli: (...argv: readonly string[]) => ReturnType<typeof runCli>;
}> {
  const { next } = chanceFrom(1);
  const timing = fasterTiming(FACTOR, next);
  const platform = await startPlatform({
    seeds: [join(QUICKSTART, 'seed.yaml')],
    nowMs: timing.nowMs,
    faults: { rules: [`notes accept expire-tokens every=${requests}`], seed: 1 },
  });
  const cwd = temporaryFolder();
  firstRows('notes', ROWS, cwd);
  const env = { DATAIMPORT_BASE_URL: platform.url, DATAIMPORT_API_KEY: platform.apiKeys[0]!.key };
  return { platform, cli: (...argv) => runCli(argv, { ...fakeIo({ cwd, env }), timing }) };
}

const PUSH = ['push', 'notes', 'notes.csv', '-j', '8', '--batch-size', '5', '--retry-for', '24h'];

test.each([2, 7])(
  'tokens that all end at every request no. %d cost time and nothing else',
  async (requests) => {
    const { platform, cli } = await platformWithTokensFor(requests);
    const { exitCode, stderr } = await cli(...PUSH);
    expect(exitCode, stderr).toBe(0);
    const ledger = await platform.ledger();
    expect(ledger.filter(({ kind }) => kind === 'note')).toHaveLength(ROWS);
  },
);

const THROTTLED = JSON.stringify({
  data: { obtainPlatformToken: null },
  errors: [
    {
      message: 'Too many requests.',
      extensions: { errorType: 'APPLICATION', errorCode: 'KEY-1', errorDescription: 'Wait.' },
    },
  ],
});

async function throttledPlatform(times: string) {
  const timing = fasterTiming(FACTOR, chanceFrom(1).next);
  const platform = await startPlatform({
    seeds: [join(QUICKSTART, 'seed.yaml')],
    nowMs: timing.nowMs,
    faults: { rules: [`token accept status=200 body='${THROTTLED}' retry-after=2 ${times}`] },
  });
  const cwd = temporaryFolder();
  firstRows('notes', 3, cwd);
  const env = { DATAIMPORT_BASE_URL: platform.url, DATAIMPORT_API_KEY: platform.apiKeys[0]!.key };
  return (...argv: readonly string[]) => runCli(argv, { ...fakeIo({ cwd, env }), timing });
}

test('a throttled request for a token is made again after the wait that the platform asks for', async () => {
  const cli = await throttledPlatform('times=2');
  const { exitCode, stderr, stdout } = await cli('push', 'notes', 'notes.csv', '-j', '1');
  expect(exitCode, stderr).toBe(0);
  expect(stdout).toContain('3 arrived');
});

test('a request for a token that stays throttled ends the run as unfinished, and does not blame the key', async () => {
  const cli = await throttledPlatform('');
  const { exitCode, stderr } = await cli('push', 'notes', 'notes.csv', '-j', '1', '--retry-for', '10s');
  expect(exitCode).toBe(EXITS.UNFINISHED.code);
  expect(stderr).toContain('there were too many requests');
  expect(stderr).toContain('then type `dataimport push notes notes.csv -j 1 --retry-for 10s`.');
  expect(stderr).not.toContain('API key');
});
