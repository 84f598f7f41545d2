import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const MODULE = pathToFileURL(resolve('src/cli/outside/log-file.ts')).href;

const SCRIPT = `
  const { openLogFile } = await import(${JSON.stringify(MODULE)});
  const log = openLogFile('run.log', () => 0, (reason) => console.log('failed: ' + reason));
  for (let line = 0; line < 3; line++) log.write('stopping', { reason: 'r'.repeat(10_000) });
  console.log('goes on');`;

test.skipIf(process.platform === 'win32')(
  'a full disk ends the log with one report, and throws nothing',
  () => {
    const script = ['--input-type=module', '--eval', SCRIPT];
    // The disk takes the first 4 KiB of a file, and no more.
    const shell = ['-c', 'ulimit -f 8; exec "$@"', 'sh', process.execPath, ...script];
    const { stdout } = spawnSync('sh', shell, { cwd: temporaryFolder(), encoding: 'utf8' });
    expect(stdout).toBe('failed: it would be larger than a file may be\ngoes on\n');
  },
);
