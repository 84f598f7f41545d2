import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { describe, expect, test } from 'vitest';
import { withLock } from '../../../../src/cli/run-file/database/folder-lock.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const MODULE = new URL('../../../../src/cli/run-file/database/folder-lock.ts', import.meta.url).href;
const TURNS = 15;

const PROCESSES = ['a', 'b', 'c'];

/** A program that counts its turns in a file. All begin together; without the lock each reads before another writes. */
const counting = (folder: string, name: string, lock: 'held' | 'not held'): string => `
  import { existsSync, readFileSync, writeFileSync } from 'node:fs';
  import { withLock } from '${MODULE}';
  const pause = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 4);
  const meet = (point) => {
    writeFileSync('${folder}/' + point + '-${name}', '');
    while (!${JSON.stringify(PROCESSES)}.every((other) => existsSync('${folder}/' + point + '-' + other))) pause();
  };
  const count = '${join(folder, 'count')}';
  const turn = () => {
    const before = BigInt(readFileSync(count, 'utf8'));
    ${lock === 'held' ? 'pause()' : "meet('read')"};
    writeFileSync(count, String(before + 1n));
  };
  meet('begin');
  for (let left = ${TURNS}; left > 0; left--)
    ${lock === 'held'} ? withLock('${join(folder, 'begin.lock')}', turn) : turn();`;

async function counted(lock: 'held' | 'not held'): Promise<string> {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'count'), '0');
  await Promise.all(
    PROCESSES.map((name) =>
      execa('node', [
        '--experimental-strip-types',
        '--input-type=module',
        '--eval',
        counting(folder, name, lock),
      ]),
    ),
  );
  return readFileSync(join(folder, 'count'), 'utf8');
}

describe('work under the lock of a folder', () => {
  test('is done by three processes one after another', async () => {
    expect(await counted('held')).toBe(String(PROCESSES.length * TURNS));
  });

  test('would be done by them at once without the lock', async () => {
    expect(await counted('not held')).not.toBe(String(PROCESSES.length * TURNS));
  });

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
