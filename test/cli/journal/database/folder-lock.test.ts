import { execFileSync } from 'node:child_process';
import { mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { withLock } from '../../../../src/cli/journal/database/folder-lock.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

describe('work under the lock of a folder', () => {
  test('releases the lock when it fails', () => {
    const file = join(temporaryFolder(), 'begin.lock');
    const fail = (): never => {
      throw new Error('it fails');
    };
    expect(() => withLock(file, fail)).toThrow('it fails');
    expect(withLock(file, () => 'next')).toBe('next');
    expect(statSync(file)).toMatchObject({ size: 0, mode: 0o100600 });
  });

  test('says that others hold it when they take too long', () => {
    const file = join(temporaryFolder(), 'begin.lock');
    const begin = (): unknown => withLock(file, () => 'done', 10);
    const busy = expect.objectContaining({ code: 'run_folder_busy' }) as Error;
    expect(() => withLock(file, begin)).toThrow(busy);
    expect(withLock(file, () => 'next')).toBe('next');
  });

  test('does not begin when the lock file cannot be made', () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'file'), '');
    const begin = (): unknown => withLock(join(folder, 'file', 'begin.lock'), () => 'done');
    expect(begin).toThrow(expect.objectContaining({ code: 'run_not_writable' }) as Error);
  });
});

test.skipIf(process.platform === 'win32')(
  'a lock that is a pipe, a device or a folder is refused, and nobody waits for it',
  () => {
    const folder = temporaryFolder();
    const made: Readonly<Record<string, (path: string) => void>> = {
      pipe: (path) => void execFileSync('mkfifo', [path]),
      device: (path) => symlinkSync('/dev/null', path),
      folder: (path) => mkdirSync(path),
    };
    for (const [name, make] of Object.entries(made)) {
      const file = join(folder, `${name}.lock`);
      make(file);
      const facts = { folder, reason: `${name}.lock is not a regular file`, remedy: 'Remove it' };
      expect(() => withLock(file, () => name)).toThrow(
        expect.objectContaining({ code: 'run_not_writable', facts }),
      );
    }
  },
);
