import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const MODULE = pathToFileURL(resolve('src/cli/outside/log-file.ts')).href;

const SCRIPT = `
  const { openLogFile } = await import(${JSON.stringify(MODULE)});
  const log = openLogFile('run.log', () => 0);
  try {
    log.write('stopping', { reason: 'r'.repeat(10_000) });
    console.log('written');
  } catch (error) {
    console.log(error.code + ': ' + error.facts.file);
  }`;

test.skipIf(process.platform === 'win32')('a log line that the disk takes only a part of is reported', () => {
  const script = ['--input-type=module', '--eval', SCRIPT];
  // The disk takes the first 4 KiB of a file, and no more.
  const shell = ['-c', 'ulimit -f 8; exec "$@"', 'sh', process.execPath, ...script];
  const { stdout } = spawnSync('sh', shell, { cwd: temporaryFolder(), encoding: 'utf8' });
  expect(stdout).toBe('file_not_writable: run.log\n');
});
