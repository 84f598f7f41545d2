import { spawnSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { COMMAND } from '../support/built-cli.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** Runs a command that can write no byte into any file, as on a full disk. */
function onFullDisk(cwd: string, ...argv: readonly string[]) {
  const shell = ['-c', 'ulimit -f 0; exec "$@"', 'sh', process.execPath, COMMAND, ...argv];
  const { status, stderr } = spawnSync('sh', shell, { cwd, encoding: 'utf8' });
  return { exitCode: status, stderr };
}

describe.skipIf(process.platform === 'win32')('init on a full disk', () => {
  test('leaves no empty mapping behind', () => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'export.csv'), 'Account;Txn Id;Date\n1;T1;31.12.2024\n');
    const { exitCode, stderr } = onFullDisk(cwd, 'init', 'export.csv', '--resource', 'transactions');
    expect({ exitCode, stderr }).toEqual({
      exitCode: 2,
      stderr: expect.stringContaining(
        'error file_not_writable export.csv.map.yaml cannot be written',
      ) as string,
    });
    expect(readdirSync(cwd)).toEqual(['export.csv']);
  });
});
