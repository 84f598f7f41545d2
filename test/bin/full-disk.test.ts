import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
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

describe.skipIf(process.platform === 'win32')('map init on a full disk', () => {
  test('leaves no empty mapping behind', () => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'export.csv'), 'Account;Txn Id;Date\n1;T1;31.12.2024\n');
    const { exitCode, stderr } = onFullDisk(cwd, 'map', 'init', 'transactions', 'export.csv');
    expect({ exitCode, stderr }).toEqual({
      exitCode: 2,
      stderr: expect.stringContaining(
        'error file_not_writable export.csv.map.yaml cannot be written',
      ) as string,
    });
    expect(readdirSync(cwd)).toEqual(['export.csv']);
  });

  test('keeps the mapping that --force was to replace', () => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'export.csv'), 'Account;Txn Id;Date\n1;T1;31.12.2024\n');
    writeFileSync(join(cwd, 'export.csv.map.yaml'), 'version: 1\n');
    expect(onFullDisk(cwd, 'map', 'init', 'transactions', 'export.csv', '--force').exitCode).toBe(2);
    expect(readFileSync(join(cwd, 'export.csv.map.yaml'), 'utf8')).toBe('version: 1\n');
    expect(readdirSync(cwd)).toEqual(['export.csv', 'export.csv.map.yaml']);
  });
});
