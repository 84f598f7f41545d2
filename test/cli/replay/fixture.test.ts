import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openFixture, replayFixture } from '../../../src/cli/replay/fixture.ts';
import type { ReplayContext } from '../../../src/cli/replay/replay-folder.ts';
import type { Io } from '../../../src/cli/outside/io.ts';
import { fakeIo } from '../../support/cli-io.ts';
import { SMALL_FIXTURE, writeFixture } from '../../support/replay-fixture.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** Command lines whose effect the test defines. */
function context(
  runCommandLine: ReplayContext['runCommandLine'],
  changed: Partial<ReplayContext> = {},
): ReplayContext {
  const [stopping, abort] = [new AbortController().signal, new AbortController().signal];
  return { io: fakeIo(), runCommandLine, stopping, abort, ...changed };
}

function smallFixture() {
  const cwd = temporaryFolder();
  writeFixture(join(cwd, 'small'));
  return openFixture('small', cwd);
}

test('a bug of the program is a difference, and an update does not write it down', async () => {
  const fixture = smallFixture();
  const { outcome } = await replayFixture(
    fixture,
    true,
    context(async () => 1),
  );
  expect(outcome).toMatchObject({
    outcome: 'different',
    difference: expect.stringContaining('+    exit: BUG'),
  });
  expect(readFileSync(join(fixture.path, 'expected.yaml'), 'utf8')).toBe(SMALL_FIXTURE['expected.yaml']);
});

test('the platform is closed and the private folder gone when a step throws', async () => {
  let scratch = '';
  let url = '';
  const given = context(async (_argv, { homeDir, env }) => {
    [scratch, url] = [homeDir!, env['DATAIMPORT_BASE_URL']!];
    expect((await fetch(url)).status).toBe(200);
    throw new Error('out of memory');
  });
  await expect(replayFixture(smallFixture(), false, given)).rejects.toThrow('out of memory');
  expect(existsSync(scratch)).toBe(false);
  await expect(fetch(url)).rejects.toThrow();
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
  const given = context(step, { stopping: interrupt.signal, abort: cut.signal });
  expect((await replayFixture(smallFixture(), true, given)).outcome.outcome).toBe('interrupted');
  expect(heard).toEqual(['SIGINT', 'SIGINT']);
});
