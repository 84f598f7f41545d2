import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  chmodSync,
  readdirSync,
  renameSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { openSourceFile, type SourceFile } from '../../../src/cli/csv/source-file.ts';
import { nextStepOf } from '../../../src/core/error-codes/sentence.ts';
import { fileWith, itemsOf } from '../../support/push-rows.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

async function opened(name: string): Promise<SourceFile> {
  const file = await openSourceFile(name);
  onTestFinished(() => file.close());
  return file;
}

/** The open files of this process. */
const handles = (): number => readdirSync('/dev/fd').length;

const ROWS = 10_000;
const CONTENT = `a,b\n${'1,2\n'.repeat(ROWS)}`;

describe('the fingerprint of a file', () => {
  test('[C010] is its size and its hash, whatever its name', async () => {
    const sha256 = createHash('sha256').update(CONTENT).digest('hex');
    const fingerprint = { bytes: CONTENT.length, sha256 };
    expect((await opened(fileWith(CONTENT))).fingerprint).toEqual(fingerprint);
    expect((await opened(fileWith(CONTENT, 'other.csv'))).fingerprint).toEqual(fingerprint);
  });
});

describe('while it is read', () => {
  test('[C007] a file whose name another file has taken is still read', async () => {
    const path = fileWith(CONTENT);
    const file = await opened(path);
    renameSync(path, `${path}.old`);
    writeFileSync(path, 'a,b\n9,9\n');
    const { rows } = await itemsOf(file);
    expect(rows).toHaveLength(ROWS);
    expect(rows[0]!.cells).toEqual(['1', '2']);
  });

  test('[C007] a link that points elsewhere by now still leads to the first file', async () => {
    const link = join(temporaryFolder(), 'link.csv');
    symlinkSync(fileWith('a,b\n1,2\n'), link);
    const file = await opened(link);
    unlinkSync(link);
    symlinkSync(fileWith('a,b\n9,9\n'), link);
    expect((await itemsOf(file)).rows[0]!.cells).toEqual(['1', '2']);
  });

  test('one of many files is open only while it is read, and refused when its name has other content by then', async () => {
    const path = fileWith(CONTENT);
    const before = handles();
    const file = await openSourceFile(path, '', { isOneOfMany: true });
    expect(handles()).toBe(before);
    expect((await itemsOf(file)).rows).toHaveLength(ROWS);
    for await (const _ of file.bytes()) break;
    await vi.waitFor(() => expect(handles()).toBe(before));
    renameSync(path, `${path}.old`);
    await expect(itemsOf(file)).rejects.toMatchObject({ code: 'file_not_readable' });
    writeFileSync(path, CONTENT.replace('1,2', '1,3'));
    await expect(itemsOf(file)).rejects.toMatchObject({ code: 'file_changed' });
  });

  test.each([
    ['grows', (path: string) => appendFileSync(path, '3,4\n')],
    ['shrinks', (path: string) => truncateSync(path, CONTENT.length - 4)],
    [
      'is overwritten with as many bytes',
      (path: string) => writeFileSync(path, CONTENT.replace('1,2', '1,3')),
    ],
    ['is emptied', (path: string) => truncateSync(path)],
  ])('[C008] a file that %s is refused', async (_, change) => {
    const path = fileWith(CONTENT);
    const file = await opened(path);
    change(path);
    await expect(itemsOf(file)).rejects.toMatchObject({ name: 'AppError', code: 'file_changed' });
  });

  test('a file that changes after it was read in part is refused, too', async () => {
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

  const MEGABYTE = 1024 * 1024;
  /** A gzip file of so many times the same megabyte. */
  const packed = (megabytes: number): Buffer => {
    const member = gzipSync(Buffer.alloc(MEGABYTE, `${'x'.repeat(1023)}\n`));
    return Buffer.concat(Array.from({ length: megabytes }, () => member));
  };

  test('that unpacks to 200 times its size is refused before it fills memory or disk', async () => {
    const bomb = fileWith(packed(65), 'bomb.csv.gz');
    await expect(openSourceFile(bomb)).rejects.toMatchObject({
      code: 'file_is_no_table',
      facts: { file: bomb, reason: expect.stringContaining('more than 200 times') as unknown },
    });
  });

  test('that is small may be as repetitive as it likes, and is read piece by piece', async () => {
    const file = await opened(fileWith(packed(64), 'small.csv.gz'));
    expect(file.fingerprint.bytes).toBe(64 * MEGABYTE);
    let largest = 0;
    for await (const chunk of file.bytes() as AsyncIterable<Buffer>) {
      largest = Math.max(largest, chunk.length);
      if (file.share() > 0.1) break;
    }
    expect(largest).toBeLessThanOrEqual(MEGABYTE);
  });

  test('reading may stop in the middle', async () => {
    const file = await openSourceFile(fileWith(CONTENT));
    for await (const _ of file.bytes()) break;
    await file.close();
  });
});

describe('a file that cannot be read is reported with its name and the reason', () => {
  test.each([
    ['[C004] missing', () => join(temporaryFolder(), 'no.csv'), 'no such file'],
    ['[C004] a folder', () => temporaryFolder(), 'it is a folder'],
    [
      'a link to nowhere',
      () => {
        const link = join(temporaryFolder(), 'link.csv');
        symlinkSync('/nowhere', link);
        return link;
      },
      'no such file',
    ],
    ['`-` where no standard input is given', () => '-', 'no such file'],
  ])('%s', async (_, make, reason) => {
    const file = make();
    await expect(openSourceFile(file)).rejects.toMatchObject({
      name: 'AppError',
      code: 'file_not_readable',
      facts: { file, reason },
    });
  });

  test.each([
    ['[C006] a device', () => '/dev/zero'],
    [
      '[C005] a named pipe that nobody writes into',
      () => {
        const pipe = join(temporaryFolder(), 'pipe.csv');
        execFileSync('mkfifo', [pipe]);
        return pipe;
      },
    ],
  ])('%s, with the advice to pipe it in', async (_, make) => {
    const file = make();
    const error = { name: 'AppError', code: 'file_not_regular', facts: { file } };
    await expect(openSourceFile(file)).rejects.toMatchObject(error);
    expect(nextStepOf('file_not_regular')).toContain('`-`');
  });

  test.skipIf(process.getuid?.() === 0)('[C004] forbidden', async () => {
    const file = fileWith('a\n');
    chmodSync(file, 0o000);
    await expect(openSourceFile(file)).rejects.toMatchObject({
      facts: { file, reason: 'permission denied' },
    });
  });
});

describe('a file whose name ends in .gz', () => {
  const unpackedRows = async (packed: Uint8Array): Promise<readonly string[]> => {
    const { header, rows, end } = await itemsOf(await opened(fileWith(packed, 'source.csv.gz')));
    expect(end).toBeUndefined();
    return [header!.names, ...rows.map(({ cells }) => cells)].map((cells) => cells.join('|'));
  };

  test('is read unpacked, and fingerprint and byte ranges are those of the content', async () => {
    const file = await opened(fileWith(gzipSync(CONTENT), 'source.csv.GZ'));
    expect(file.fingerprint).toEqual((await opened(fileWith(CONTENT))).fingerprint);
    const { rows } = await itemsOf(file);
    expect(rows).toHaveLength(ROWS);
    expect(rows.at(-1)!.byteEnd).toBe(CONTENT.length);
    expect((await itemsOf(file)).rows).toEqual(rows);
  });

  test('may have several members, and zeros behind them', async () => {
    const members = [gzipSync('a,b\n1,'), gzipSync('2\n3,4\n')];
    expect(await unpackedRows(Buffer.concat([...members, Buffer.alloc(512)]))).toEqual(['a|b', '1|2', '3|4']);
  });

  const whole = gzipSync('a,b\n1,2\n');
  test.each([
    ['cut off', whole.subarray(0, -5)],
    ['with a wrong check sum', Buffer.concat([whole.subarray(0, -8), Buffer.alloc(4), whole.subarray(-4)])],
    ['empty', Buffer.alloc(0)],
    ['with something else behind it', Buffer.concat([whole, Buffer.from('3,4\n')])],
    ['with something else behind zeros', Buffer.concat([whole, Buffer.alloc(8), whole])],
  ])('is refused when it is damaged: %s', async (_, content) => {
    const file = fileWith(content, 'source.csv.gz');
    await expect(openSourceFile(file)).rejects.toMatchObject({
      name: 'AppError',
      code: 'file_is_no_table',
      facts: { file },
    });
  });

  test('reading may stop in the middle', async () => {
    const file = await openSourceFile(fileWith(gzipSync(CONTENT.repeat(100)), 'source.csv.gz'));
    for await (const _ of file.bytes()) break;
    await file.close();
  });
});

describe('[C005] standard input', () => {
  const openedInput = async (stream: Readable, spoolFolder = temporaryFolder()): Promise<SourceFile> => {
    const file = await openSourceFile('-', '', { standardInput: { stream, spoolFolder } });
    onTestFinished(() => file.close());
    return file;
  };

  test('is read like a file, as often as needed, and has a name of its own', async () => {
    const file = await openedInput(Readable.from([Buffer.from('a,b\n1,'), Buffer.from('2\n')]));
    expect(file.name).toBe('<stdin>');
    expect(file.fingerprint).toEqual((await opened(fileWith('a,b\n1,2\n'))).fingerprint);
    for (const _ of [1, 2]) expect((await itemsOf(file)).rows[0]!.cells).toEqual(['1', '2']);
  });

  test('leaves nothing behind in the folder, not even while it is open', async () => {
    const folder = temporaryFolder();
    const file = await openedInput(Readable.from([Buffer.from('a\n1\n')]), folder);
    expect(readdirSync(folder)).toEqual([]);
    expect((await itemsOf(file)).rows).toHaveLength(1);
  });

  test('input that breaks off is refused, and leaves nothing behind', async () => {
    const folder = temporaryFolder();
    const broken = Readable.from(
      (function* () {
        yield Buffer.from('a\n');
        throw new Error('read EIO');
      })(),
    );
    await expect(
      openSourceFile('-', '', { standardInput: { stream: broken, spoolFolder: folder } }),
    ).rejects.toMatchObject({
      code: 'file_not_readable',
      facts: { file: '<stdin>', reason: 'read EIO' },
    });
    expect(readdirSync(folder)).toEqual([]);
  });

  test('is refused when its folder does not exist', async () => {
    const stream = Readable.from([Buffer.from('a\n')]);
    await expect(
      openSourceFile('-', '', { standardInput: { stream, spoolFolder: '/nowhere' } }),
    ).rejects.toMatchObject({
      code: 'run_not_writable',
    });
  });
});
