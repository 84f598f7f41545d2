import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '../../support/source-tree.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const SCRIPT = `
  const { writeNewTypedFile } = await import(process.argv[1]);
  try {
    writeNewTypedFile('new.yaml', 'x'.repeat(100_000), process.cwd());
  } catch (error) {
    console.log(error.code);
  }`;

test.skipIf(process.platform === 'win32')(
  'a new file that the disk takes only a part of is not left behind',
  () => {
    const cwd = temporaryFolder();
    const module = join(projectRoot, 'src', 'cli', 'command', 'typed-file.ts');
    // The disk takes the first 4 KiB of a file, and no more.
    const shell = [
      '-c',
      'ulimit -f 8; exec "$@"',
      'sh',
      process.execPath,
      '--input-type=module',
      '-e',
      SCRIPT,
      module,
    ];
    const { stdout } = spawnSync('sh', shell, { cwd, encoding: 'utf8' });
    expect([stdout, readdirSync(cwd)]).toEqual(['file_not_writable\n', []]);
  },
);
