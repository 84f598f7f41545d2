import { closeSync, fstatSync, openSync, readFileSync, readSync, statSync, type Stats } from 'node:fs';
import { AppError } from '../core/app-error.ts';
import { fileReason } from '../core/file-reason.ts';
import { utf8Text } from '../core/utf8-text.ts';

/** Most bytes of a file that a person writes or an operator publishes: a contract, a seed, a cohort, a configuration. */
const MOST_BYTES = 64 * 2 ** 20;

/** Limits on a file that is read whole. */
export interface FileLimits {
  /** Default: 64 MiB. */
  readonly mostBytes?: number;
  /** Looks at the file before it is opened, and at the open one, because its name may belong to another file by then. Throws to refuse it. */
  readonly admit?: (stats: Stats) => void;
}

/**
 * The text of a file in UTF-8; `name` is for errors.
 * @throws AppError `file_not_readable`
 */
export function readTextFile(path: string, name = path, limits?: FileLimits): string {
  return utf8Text(readBinaryFile(path, name, limits), name);
}

/** The first bytes of a file as text. @throws errors of Node */
export function beginningOf(path: string, bytes: number): string {
  const descriptor = openSync(path, 'r');
  try {
    const buffer = Buffer.alloc(bytes);
    return buffer.toString('utf8', 0, readSync(descriptor, buffer));
  } finally {
    closeSync(descriptor);
  }
}

/**
 * The bytes of a file or a pipe; `name` is for errors. A device is refused, because it may never end.
 * @throws AppError `file_not_readable`, and errors of `admit`
 */
export function readBinaryFile(
  path: string,
  name = path,
  { mostBytes = MOST_BYTES, admit }: FileLimits = {},
): Uint8Array {
  let descriptor: number | undefined;
  try {
    const accept = (stats: Stats): void => {
      assertReadable(stats, name);
      admit?.(stats);
    };
    // Before it is opened: opening a device can have an effect, and opening a pipe waits for who fills it.
    accept(statSync(path));
    descriptor = openSync(path, 'r');
    const stats = fstatSync(descriptor);
    accept(stats);
    if (stats.isDirectory()) return readFileSync(descriptor);
    return readUpTo(descriptor, mostBytes, name);
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError('file_not_readable', { file: name, reason: fileReason(error) }, error);
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/**
 * Refuses a device. Accepts a folder, because the error of reading it is the better reason.
 * @throws AppError `file_not_readable`
 */
export function assertReadable(stats: Stats, file: string): void {
  if (!stats.isFile() && !stats.isFIFO() && !stats.isDirectory())
    throw new AppError('file_not_readable', { file, reason: 'it is a device, not a file or a pipe' });
}

const CHUNK_BYTES = 65_536;

/** Counts what is read, because neither a pipe nor a growing file tells its size. */
function readUpTo(descriptor: number, mostBytes: number, name: string): Uint8Array {
  const chunks: Buffer[] = [];
  for (let bytes = 0; ;) {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    const read = readSync(descriptor, chunk);
    if (read === 0) return Buffer.concat(chunks, bytes);
    bytes += read;
    if (bytes > mostBytes) {
      const reason = `it is larger than ${mostBytes} bytes`;
      throw new AppError('file_not_readable', { file: name, reason });
    }
    chunks.push(chunk.subarray(0, read));
  }
}
