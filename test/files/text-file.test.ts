import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readBinaryFile, readTextFile } from '../../src/files/text-file.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const reasonOf = (path: string, mostBytes?: number): unknown => {
  try {
    readBinaryFile(path, 'x', mostBytes === undefined ? {} : { mostBytes });
    return undefined;
  } catch (error) {
    return (error as { facts?: { reason?: unknown } }).facts?.reason;
  }
};

describe('a file that is read whole', () => {
  test.skipIf(process.platform === 'win32')('is no device, also not behind a link', () => {
    const link = join(temporaryFolder(), 'contract.json');
    symlinkSync('/dev/zero', link);
    for (const path of ['/dev/zero', '/dev/null', link])
      expect(reasonOf(path)).toBe('it is a device, not a file or a pipe');
  });

  test('has a limit of bytes, and is read up to it', () => {
    const path = join(temporaryFolder(), 'contract.json');
    writeFileSync(path, 'x'.repeat(200_000));
    expect(readTextFile(path, 'x', { mostBytes: 200_000 })).toHaveLength(200_000);
    expect(reasonOf(path, 199_999)).toBe('it is larger than 199999 bytes');
  });

  test.skipIf(process.platform === 'win32')('may be a pipe, whose bytes count as well', async () => {
    const pipe = join(temporaryFolder(), 'pipe');
    execFileSync('mkfifo', [pipe]);
    const writer = (): Promise<unknown> =>
      once(spawn('sh', ['-c', 'head -c 100000 /dev/zero > "$0"', pipe], { stdio: 'ignore' }), 'exit');
    const first = writer();
    expect(readBinaryFile(pipe)).toHaveLength(100_000);
    await first;
    const second = writer();
    expect(reasonOf(pipe, 10)).toBe('it is larger than 10 bytes');
    await second;
  });

  test('is no folder', () => {
    expect(reasonOf(temporaryFolder())).toBe('it is a folder');
  });
});
