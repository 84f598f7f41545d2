import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openFixture, replayFixture } from '../../../src/cli/replay/fixture.ts';
import type { ReplayPorts } from '../../../src/cli/replay/replay-folder.ts';
import type { Io } from '../../../src/cli/outside/io.ts';
import { SMALL_FIXTURE, writeFixture } from '../../support/replay-fixture.ts';
import { projectRoot } from '../../support/source-tree.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** An empty platform, and command lines whose effect the test defines. */
function ports(runCommandLine: ReplayPorts['runCommandLine'], changed: Partial<ReplayPorts> = {}) {
  const closed: string[] = [];
  const given: ReplayPorts = {
    startPlatform: async () => ({
      url: 'http://127.0.0.1:1',
      apiKey: 'key',
      ledger: async () => [],
      close: async () => void closed.push('platform'),
    }),
    runCommandLine,
    machine: {
      pid: 1,
      userId: undefined,
      userName: undefined,
      platform: 'linux',
      packageFolder: projectRoot,
      version: () => '1.0.0',
    },
    stopping: new AbortController().signal,
    abort: new AbortController().signal,
    ...changed,
  };
  return { given, closed };
}

function smallFixture() {
  const cwd = temporaryFolder();
  writeFixture(join(cwd, 'small'));
  return openFixture({ folder: 'small', cwd, firstDay: null });
}

test('a bug of the program is a difference, and an update does not write it down', async () => {
  const fixture = smallFixture();
  const { given } = ports(async () => 1);
  const { outcome } = await replayFixture(fixture, true, given);
  expect(outcome).toMatchObject({
    outcome: 'different',
    difference: expect.stringContaining('+    exit: BUG'),
  });
  expect(readFileSync(join(fixture.path, 'expected.yaml'), 'utf8')).toBe(SMALL_FIXTURE['expected.yaml']);
});

test('the platform is closed and the private folder gone when a step throws', async () => {
  let scratch = '';
  const { given, closed } = ports(async (_argv, { homeDir }) => {
    scratch = homeDir!;
    throw new Error('out of memory');
  });
  await expect(replayFixture(smallFixture(), false, given)).rejects.toThrow('out of memory');
  expect([closed, scratch === '' || existsSync(scratch)]).toEqual([['platform'], false]);
});

test('nothing is started after an interruption', async () => {
  const { given } = ports(
    async () => {
      throw new Error('must not run');
    },
    { stopping: AbortSignal.abort() },
  );
  expect((await replayFixture(smallFixture(), true, given)).outcome).toEqual({
    folder: 'small',
    outcome: 'interrupted',
    steps: 0,
    difference: null,
  });
});

test('an interruption reaches the running step, whose end is no result', async () => {
  const [interrupt, cut] = [new AbortController(), new AbortController()];
  const heard: string[] = [];
  const step = async (_argv: readonly string[], io: Io): Promise<number> => {
    const release = io.onSignal((signal) => void heard.push(signal));
    interrupt.abort();
    cut.abort();
    release();
    return 130;
  };
  const { given, closed } = ports(step, { stopping: interrupt.signal, abort: cut.signal });
  expect((await replayFixture(smallFixture(), true, given)).outcome.outcome).toBe('interrupted');
  expect([heard, closed]).toEqual([['SIGINT', 'SIGINT'], ['platform']]);
});
