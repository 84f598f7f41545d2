import { execFileSync } from 'node:child_process';
import { mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { AppError } from '../../../../src/core/app-error.ts';
import { takeLock } from '../../../../src/cli/journal/database/resource-lock.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const TAKEN = new AppError('run_locked', { reason: 'it is taken' });
const take = (file: string) => takeLock(file, 10, 'it is taken');

describe('the lock of a file', () => {
  test('is that of an empty private file, and free once it is given back', () => {
    const file = join(temporaryFolder(), 'begin.lock');
    const held = take(file);
    expect(() => take(file)).toThrow(TAKEN);
    held.close();
    take(file).close();
    expect(statSync(file)).toMatchObject({ size: 0, mode: 0o100600 });
  });

  test('is not taken when its file cannot be made', () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'file'), '');
    const begin = (): unknown => take(join(folder, 'file', 'begin.lock'));
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
      expect(() => take(file)).toThrow(expect.objectContaining({ code: 'run_not_writable', facts }));
    }
  },
);
