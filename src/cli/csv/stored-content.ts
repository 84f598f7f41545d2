import { randomUUID } from 'node:crypto';
import { open, rm, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { AppError } from '../../core/app-error.ts';
import { fileReason, temporaryFailure } from '../../core/file-reason.ts';
import { FILE_KINDS, fileKindOf, OPENING_BYTES } from './opening.ts';

/** Bytes that are read at once. 3 % faster over all than the usual 64 kB; more is no faster. */
const READ_BYTES = 256 * 1024;

/** A small file, and the end of any file, need no large buffer, which would have to be collected. */
const FEW_BYTES = 16 * 1024;

/** Content of any ratio up to this size is no danger: repetitive, but small. In bytes. */
const HARMLESS_BYTES = 64 * 1024 * 1024;

/**
 * How many times larger than a `.gz` file its content may be. CSV files unpack to 5 to 50 times their size; a file of zeros, made
 * to fill a disk, to 1,000 times.
 */
const MAX_GZIP_RATIO = 200;

interface StoredFile {
  /** As it was typed. */
  readonly name: string;
  /** Is told how many bytes of the file, packed or not, are read so far. */
  readonly onRead: (bytes: number) => void;
}

/** The content of an open file. A gzip file is unpacked piece by piece, so memory does not grow with its content. */
export function storedContent(handle: FileHandle, file: StoredFile): AsyncGenerator<Buffer> {
  return /\.gz$/i.test(file.name) ? unpackedBytes(handle, file) : storedBytes(handle, file);
}

/** The bytes from `start` on. The stream of a file handle would close the handle when reading stops, or keep it open. */
async function* storedBytes(
  handle: FileHandle,
  { onRead, start = 0 }: Partial<StoredFile> & { start?: number } = {},
): AsyncGenerator<Buffer> {
  let position = start;
  let size = FEW_BYTES;
  for (;;) {
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(size), { position });
    if (bytesRead === 0) return;
    size = bytesRead < size ? FEW_BYTES : READ_BYTES;
    position += bytesRead;
    onRead?.(position);
    yield buffer.subarray(0, bytesRead);
  }
}

const FETCH_AGAIN =
  'Compare its size with the original and fetch it again, or take `.gz` off the name of plain text. `gzip -t` says whether it is whole.';

/** The error of a gzip file that cannot be unpacked. */
const damaged = (file: string, reason: string, remedy = FETCH_AGAIN): AppError =>
  new AppError('file_is_no_table', {
    file,
    reason,
    what: `the file cannot be unpacked: ${reason}`,
    remedy,
  });

/** The content of a gzip file of one or more members. */
async function* unpackedBytes(handle: FileHandle, { name, onRead }: StoredFile): AsyncGenerator<Buffer> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(OPENING_BYTES), { position: 0 });
  const kind = fileKindOf(buffer);
  if (bytesRead > 0 && kind !== 'gzip')
    throw damaged(
      name,
      `its name ends in .gz, and it is no gzip file${kind === undefined ? '' : `: ${FILE_KINDS[kind].facts['reason']}`}`,
    );
  const packedBytes = (await handle.stat()).size;
  const limit = Math.max(HARMLESS_BYTES, MAX_GZIP_RATIO * packedBytes);
  let unpacked = 0;
  const gunzip = createGunzip();
  // A failure of the file becomes a failure of `gunzip`, which is read below.
  pipeline(Readable.from(storedBytes(handle, { onRead }), { objectMode: false }), gunzip, () => undefined);
  try {
    for await (const piece of gunzip as AsyncIterable<Buffer>) {
      unpacked += piece.length;
      if (unpacked > limit)
        throw damaged(
          name,
          `its ${packedBytes} bytes unpack to more than ${MAX_GZIP_RATIO} times their size, as files do that are made to fill a disk`,
          'When you know the file, unpack it first: `gunzip`.',
        );
      yield piece;
    }
  } catch (error) {
    throw error instanceof Error && String((error as NodeJS.ErrnoException).code).startsWith('Z_')
      ? damaged(name, error.message)
      : error;
  }
  // zlib takes everything behind a zero byte for padding, so it would drop a damaged second member without a word.
  for await (const bytes of storedBytes(handle, { start: gunzip.bytesWritten })) {
    if (bytes.some((byte) => byte !== 0)) throw damaged(name, 'it goes on after its end');
  }
}

/** Input that is piped into the program, and the folder for its temporary copy. */
export interface StandardInput {
  readonly stream: Readable;
  readonly spoolFolder: string;
}

/**
 * Copies standard input to a file that nobody else can read, because it is read more than once. The name of the file is
 * removed before anything is written, so that its content goes away with the handle, even if the program is killed.
 */
export async function spooled({ stream, spoolFolder }: StandardInput): Promise<FileHandle> {
  const path = join(spoolFolder, `dataimport-stdin-${randomUUID()}`);
  const handle = await open(path, 'wx+', 0o600).catch((error: unknown) => {
    throw temporaryFailure(`${spoolFolder}: ${fileReason(error)}`, error);
  });
  try {
    await rm(path);
    await handle.writeFile(stream);
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}
