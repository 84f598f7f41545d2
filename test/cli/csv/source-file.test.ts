import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  chmodSync,
  renameSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openSourceFile, type SourceFile } from '../../../src/cli/csv/source-file.ts';
import { fileWith, itemsOf } from '../../support/push-rows.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

async function opened(name: string): Promise<SourceFile> {
  const file = await openSourceFile(name);
  onTestFinished(() => file.close());
  return file;
}

const CONTENT = `a,b\n${'1,2\n'.repeat(50_000)}`;

describe('the fingerprint of a file', () => {
  test('is its size and its hash, whatever its name', async () => {
    const sha256 = createHash('sha256').update(CONTENT).digest('hex');
    const fingerprint = { bytes: CONTENT.length, sha256 };
    expect((await opened(fileWith(CONTENT))).fingerprint).toEqual(fingerprint);
    expect((await opened(fileWith(CONTENT, 'other.csv'))).fingerprint).toEqual(fingerprint);
  });

  test('of an empty file is that of no bytes', async () => {
    expect((await opened(fileWith(''))).fingerprint.bytes).toBe(0);
  });
});

describe('while it is read', () => {
  test('a file whose name is given to another file is still itself', async () => {
    const path = fileWith(CONTENT);
    const file = await opened(path);
    renameSync(path, `${path}.old`);
    writeFileSync(path, 'a,b\n9,9\n');
    const { rows } = await itemsOf(file);
    expect(rows).toHaveLength(50_001);
    expect(rows[1]!.cells).toEqual(['1', '2']);
  });

  test('a link that is turned elsewhere is still what it was', async () => {
    const link = join(temporaryFolder(), 'link.csv');
    symlinkSync(fileWith('a,b\n1,2\n'), link);
    const file = await opened(link);
    unlinkSync(link);
    symlinkSync(fileWith('a,b\n9,9\n'), link);
    expect((await itemsOf(file)).rows[1]!.cells).toEqual(['1', '2']);
  });

  test.each([
    ['grows', (path: string) => appendFileSync(path, '3,4\n')],
    ['shrinks', (path: string) => truncateSync(path, CONTENT.length - 4)],
    [
      'is overwritten with as many bytes',
      (path: string) => writeFileSync(path, CONTENT.replace('1,2', '1,3')),
    ],
    ['is emptied', (path: string) => truncateSync(path)],
  ])('a file that %s is refused', async (_, change) => {
    const path = fileWith(CONTENT);
    const file = await opened(path);
    change(path);
    await expect(itemsOf(file)).rejects.toMatchObject({ name: 'AppError', code: 'file_changed' });
  });

  test('a file that changes behind what was read already is refused, too', async () => {
    const path = fileWith(`a,b\n${'1,2\n'.repeat(200_000)}`);
    const file = await opened(path);
    const reading = (async () => {
      let bytes = 0;
      for await (const chunk of file.bytes() as AsyncIterable<Buffer>) {
        if (bytes === 0) appendFileSync(path, '3,4\n');
        bytes += chunk.length;
      }
    })();
    await expect(reading).rejects.toMatchObject({ code: 'file_changed' });
  });

  test('a file can be read twice', async () => {
    const file = await opened(fileWith('a\n1\n'));
    expect((await itemsOf(file)).rows).toEqual((await itemsOf(file)).rows);
  });

  test('reading may be given up in the middle', async () => {
    const file = await openSourceFile(fileWith(CONTENT));
    for await (const _ of file.bytes()) break;
    await file.close();
  });
});

describe('a file that cannot be read is told by its name and the reason', () => {
  test.each([
    ['missing', () => join(temporaryFolder(), 'no.csv'), 'no such file'],
    ['a folder', () => temporaryFolder(), 'not a regular file'],
    ['a device', () => '/dev/zero', 'not a regular file'],
    [
      'a named pipe that nobody writes into',
      () => {
        const pipe = join(temporaryFolder(), 'pipe.csv');
        execFileSync('mkfifo', [pipe]);
        return pipe;
      },
      'not a regular file',
    ],
    [
      'a link to nowhere',
      () => {
        const link = join(temporaryFolder(), 'link.csv');
        symlinkSync('/nowhere', link);
        return link;
      },
      'no such file',
    ],
  ])('%s', async (_, make, reason) => {
    const file = make();
    await expect(openSourceFile(file)).rejects.toMatchObject({
      name: 'AppError',
      code: 'file_not_readable',
      facts: { file, reason },
    });
  });

  test.skipIf(process.getuid?.() === 0)('forbidden', async () => {
    const file = fileWith('a\n');
    chmodSync(file, 0o000);
    await expect(openSourceFile(file)).rejects.toMatchObject({
      facts: { file, reason: 'permission denied' },
    });
  });
});
