import type { FileHandle } from 'node:fs/promises';
import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { AppError } from '../../core/app-error.ts';
import { storedBytes } from './stored-bytes.ts';

/**
 * The content of a gzip file of one or more members, unpacked piece by piece, so that memory does not grow with what is
 * inside. @throws AppError `file_damaged` as a stream error
 */
export function unpacked(handle: FileHandle, name: string): Readable {
  return Readable.from(pieces(handle, name), { objectMode: false });
}

async function* pieces(handle: FileHandle, name: string): AsyncGenerator<Buffer> {
  const gunzip = createGunzip();
  // A failure of the file is passed on to the stream that is read here.
  pipeline(storedBytes(handle), gunzip, () => undefined);
  try {
    yield* gunzip as AsyncIterable<Buffer>;
  } catch (error) {
    throw isOfZlib(error)
      ? new AppError('file_damaged', { file: name, reason: error.message }, error)
      : error;
  }
  // What follows a zero byte is taken for padding by zlib, so a damaged second member would be lost without a word.
  const rest: AsyncIterable<Buffer> = storedBytes(handle, gunzip.bytesWritten);
  for await (const bytes of rest) {
    if (bytes.some((byte) => byte !== 0))
      throw new AppError('file_damaged', { file: name, reason: 'it goes on after its end' });
  }
}

function isOfZlib(error: unknown): error is Error {
  return error instanceof Error && String((error as NodeJS.ErrnoException).code).startsWith('Z_');
}
