import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { Transform, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AppError } from '../../core/app-error.ts';
import type { SourceFingerprint } from './source-row.ts';

/** A file that stays open from its first look to its last byte, so that a swapped name cannot swap its content. */
export interface SourceFile {
  /** As it was typed; problems are reported with this name. */
  readonly name: string;
  readonly fingerprint: SourceFingerprint;
  /** The bytes in order. Fails with `file_changed` at the end when they are not those of the fingerprint. */
  bytes(): Readable;
  close(): Promise<void>;
}

/** Opens a regular file and takes its fingerprint. @throws AppError `file_not_readable` */
export async function openSourceFile(name: string): Promise<SourceFile> {
  const handle = await openRegular(name);
  try {
    const first = hashing();
    await pipeline(readAll(handle), first.stream.resume());
    const fingerprint = first.result();
    return {
      name,
      fingerprint,
      bytes: () => checkedBytes(name, handle, fingerprint),
      close: () => handle.close(),
    };
  } catch (error) {
    await handle.close();
    throw notReadable(name, error);
  }
}

function checkedBytes(name: string, handle: FileHandle, expected: SourceFingerprint): Readable {
  const { stream, result } = hashing(() =>
    result().sha256 === expected.sha256 ? null : new AppError('file_changed'),
  );
  const source = readAll(handle);
  source.on('error', (error) => stream.destroy(notReadable(name, error)));
  return source.pipe(stream);
}

function readAll(handle: FileHandle): Readable {
  return handle.createReadStream({ autoClose: false, start: 0 });
}

/** Passes bytes through and hashes them; `verdict` is asked when all are through. */
function hashing(verdict: () => Error | null = () => null): {
  stream: Transform;
  result: () => SourceFingerprint;
} {
  const hash = createHash('sha256');
  let bytes = 0;
  let fingerprint: SourceFingerprint | undefined;
  const result = (): SourceFingerprint => (fingerprint ??= { bytes, sha256: hash.digest('hex') });
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      bytes += chunk.length;
      done(null, chunk);
    },
    flush: (done) => done(verdict()),
  });
  return { stream, result };
}

async function openRegular(name: string): Promise<FileHandle> {
  let handle: FileHandle | undefined;
  try {
    // Without waiting: a named pipe would hold the program until somebody writes into it. Windows has no such flag.
    handle = await open(name, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    if (!(await handle.stat()).isFile()) throw new Error('not a regular file');
    return handle;
  } catch (error) {
    await handle?.close();
    throw notReadable(name, error);
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'no such file',
  EACCES: 'permission denied',
  EISDIR: 'it is a folder',
};

function notReadable(name: string, error: unknown): AppError {
  const { code, message } = error as NodeJS.ErrnoException;
  return new AppError('file_not_readable', { file: name, reason: REASONS[code ?? ''] ?? message }, error);
}
