import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openFixture, replayFixture } from '../../../src/cli/replay/fixture.ts';
import type { ReplayContext } from '../../../src/cli/replay/fixture.ts';
import { fakeIo } from '../../support/cli-io.ts';
import { SMALL_FIXTURE, writeFixture } from '../../support/replay-fixture.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** Command lines whose effect the test defines. */
const context = (runCommandLine: ReplayContext['runCommandLine']): ReplayContext => ({
  io: fakeIo(),
  runCommandLine,
});

function smallFixture() {
  const cwd = temporaryFolder();
  writeFixture(join(cwd, 'small'));
  return openFixture('small', cwd);
}

test('a bug of the program is a difference, and an update does not write it down', async () => {
  const fixture = smallFixture();
  const failing = context(async () => 1);
  const { outcome } = await replayFixture(fixture, true, failing);
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
