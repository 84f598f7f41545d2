import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { describe, expect, test } from 'vitest';
import { withLock } from '../../../src/cli/run-file/folder-lock.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const MODULE = new URL('../../../src/cli/run-file/folder-lock.ts', import.meta.url).href;
const TURNS = 15;

/** A program that counts its turns in a file and waits between reading and writing. */
const counting = (folder: string, lock: 'held' | 'not held'): string => `
  import { readFileSync, writeFileSync } from 'node:fs';
  import { withLock } from '${MODULE}';
  const count = '${join(folder, 'count')}';
  const turn = () => {
    const before = BigInt(readFileSync(count, 'utf8'));
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 4);
    writeFileSync(count, String(before + 1n));
  };
  for (let left = ${TURNS}; left > 0; left--)
    ${lock === 'held'} ? withLock('${join(folder, 'begin.lock')}', turn) : turn();`;

async function counted(lock: 'held' | 'not held', processes: number): Promise<string> {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'count'), '0');
  const argv = ['--experimental-strip-types', '--input-type=module', '--eval', counting(folder, lock)];
  await Promise.all(Array.from({ length: processes }, () => execa('node', argv)));
  return readFileSync(join(folder, 'count'), 'utf8');
}

describe('work under the lock of a folder', () => {
  test('is done by three processes one after another', async () => {
    expect(await counted('held', 3)).toBe(String(3 * TURNS));
  });

  test('would be done by them at once without the lock', async () => {
    expect(await counted('not held', 3)).not.toBe(String(3 * TURNS));
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

  test('does not begin when the lock file cannot be made', () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'file'), '');
    const begin = (): unknown => withLock(join(folder, 'file', 'begin.lock'), () => 'done');
    expect(begin).toThrow(expect.objectContaining({ code: 'run_not_writable' }) as Error);
  });
});
