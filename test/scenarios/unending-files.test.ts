import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fakeIo, runCli } from '../support/cli-io.ts';
import { migration, type Migration } from '../support/migration.ts';
import { seedWith, STATEMENTS, statement } from '../support/cohort-site.ts';

const COMMANDS: readonly (readonly string[])[] = [
  ['check', 'statements', 'DEVICE'],
  ['check', 'statements', 's.csv', '--map', 'DEVICE'],
  ['check', 'statements', 's.csv', '--documents', 'DEVICE'],
  ['check', 'statements', 's.csv', '--contract', 'DEVICE'],
  ['check', 'statements', 's.csv', '--config', 'DEVICE'],
  ['push', 'statements', 's.csv', '--ca-file', 'DEVICE'],
  ['migrate', 'DEVICE'],
  ['inspect', 'DEVICE'],
  ['init', 'DEVICE'],
  ['check', '--map', 'DEVICE'],
  ['check', 'statements', 'DEVICE', '--line', '2'],
  ['contract', 'import', 'DEVICE'],
  ['contract', 'diff', 'DEVICE', 'DEVICE'],
  ['contract', 'show', '--contract', 'DEVICE'],
  ['serve', '--seed', 'DEVICE', '--db', ':memory:'],
  ['serve', '--contract', 'DEVICE', '--db', ':memory:'],
  ['verify', 'statements', 's.csv', '--ledger', 'DEVICE'],
  ['config', '--config', 'DEVICE'],
];

async function site(): Promise<Migration> {
  const made = await migration(seedWith('imported'));
  made.csv('s.csv', STATEMENTS, statement(1001, 's-1'));
  return made;
}

/** A device that has no end: a command that reads it never ends, and a test of it takes too long. */
const ENDLESS = '/dev/zero';

describe.skipIf(process.platform === 'win32')('a device in the place of a file', () => {
  test.each(COMMANDS)('is refused: %s %s %s %s', async (...words) => {
    const { cwd, url } = await site();
    const env = { DATAIMPORT_BASE_URL: url, DATAIMPORT_API_KEY: 'local-key' };
    const argv = words.map((word) => (word === 'DEVICE' ? ENDLESS : word));
    const { exitCode, stdout, stderr } = await runCli(argv, fakeIo({ cwd, env }));
    expect(stdout + stderr).toMatch(/error (file_not_readable|file_not_regular) \/dev\/zero/);
    expect(exitCode).not.toBe(0);
  });
});

test.skipIf(process.platform === 'win32')(
  'a listing of documents may be a pipe, and has no endless line',
  async () => {
    const { cwd, cli } = await site();
    const pipe = join(cwd, 'listing');
    execFileSync('mkfifo', [pipe]);
    const writer = once(
      spawn('sh', ['-c', 'echo documents/s-1.pdf > "$0"', pipe], { stdio: 'ignore' }),
      'exit',
    );
    expect((await cli('check', 'statements', 's.csv', '--documents', 'listing')).exitCode).toBe(0);
    await writer;
    writeFileSync(join(cwd, 'long'), 'x'.repeat(200_000));
    const long = await cli('check', 'statements', 's.csv', '--documents', 'long');
    expect(long.stderr).toContain('a line is longer than 65536 characters');
  },
);
