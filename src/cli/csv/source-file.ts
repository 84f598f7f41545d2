import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Transform, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AppError } from '../../core/app-error.ts';
import { fileReason } from '../../core/file-reason.ts';
import type { SourceFingerprint } from './source-row.ts';
import { spooled, storedContent, type StandardInput } from './stored-content.ts';

/**
 * A file that stays open from its first look to its last byte, so that a swapped name cannot swap its content. One of many files is open
 * only while it is read, and refused when its name has other content by then.
 */
export interface SourceFile {
  /** As it was typed, `<stdin>` for standard input; problems are reported with this name. */
  readonly name: string;
  /** Of the content. For a file whose name ends in `.gz` that is the unpacked content. */
  readonly fingerprint: SourceFingerprint;
  /** The content in order. Fails with `file_changed` at the end when it is not that of the fingerprint. */
  bytes(): Readable;
  /** How much of the file the latest `bytes()` has read, from 0 to 1. Of a `.gz` file the packed bytes count. */
  share(): number;
  close(): Promise<void>;
}

/** Opens a file as it was typed, or by its path from the folder of another. */
export type OpenFile = (name: string) => Promise<SourceFile>;

export interface OpeningOptions {
  /** Standard input, for the name `-`. */
  readonly standardInput?: StandardInput;
  /** Whether the command has more files than may be open at the same time. Default: false. */
  readonly isOneOfMany?: boolean;
}

/** A command keeps at most so many of its files open. A run needs fewer than 64 open files then. */
export const MOST_OPEN_FILES = 8;

/** The file name that means standard input. */
const STANDARD_INPUT = '-';

/** Opens a regular file, as it was typed in `folder`, or reads all of `standardInput` for `-`, and takes the fingerprint. */
export async function openSourceFile(
  typed: string,
  folder = '',
  { standardInput, isOneOfMany = false }: OpeningOptions = {},
): Promise<SourceFile> {
  const isStandardInput = typed === STANDARD_INPUT && standardInput !== undefined;
  const name = isStandardInput ? '<stdin>' : typed;
  let handle: FileHandle | undefined;
  try {
    const opened = (handle = await (isStandardInput ? spooled(standardInput) : openRegular(name, folder)));
    const first = hashing();
    const { size } = await opened.stat();
    let read = 0;
    const onRead = (bytes: number): void => void (read = bytes);
    const stored = { name, onRead, staysOpen: true, open: async () => opened };
    await pipeline(storedContent(stored), first.stream.resume());
    const fingerprint = first.result();
    const isReopened = isOneOfMany && !isStandardInput;
    if (isReopened) await opened.close();
    const again = isReopened ? { staysOpen: false, open: () => openRegular(name, folder) } : {};
    return {
      name,
      fingerprint,
      bytes: () => checkedBytes(name, storedContent({ ...stored, ...again }), fingerprint),
      share: () => (size === 0 ? 1 : Math.min(1, read / size)),
      close: async () => (isReopened ? undefined : opened.close()),
    };
  } catch (error) {
    await handle?.close();
    throw notReadable(name, error);
  }
}

function checkedBytes(name: string, source: Readable, expected: SourceFingerprint): Readable {
  const { stream, result } = hashing(() =>
    result().sha256 === expected.sha256 ? null : new AppError('file_changed'),
  );
  source.on('error', (error) => stream.destroy(notReadable(name, error)));
  // Reading may stop in the middle.
  stream.once('close', () => source.destroy());
  return source.pipe(stream);
}

/** Passes bytes through and hashes them. `verdict` is called after the last byte; its error becomes that of the stream. */
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

async function openRegular(name: string, folder: string): Promise<FileHandle> {
  // Opens without waiting, because a named pipe would block until somebody writes into it. Windows has no such flag.
  const handle = await open(resolve(folder, name), constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  const stat = await handle.stat();
  if (stat.isFile()) return handle;
  await handle.close();
  throw stat.isDirectory()
    ? new AppError('file_not_readable', { file: name, reason: 'it is a folder' })
    : new AppError('file_not_regular', { file: name });
}

function notReadable(name: string, error: unknown): AppError {
  if (error instanceof AppError) return error;
  return new AppError('file_not_readable', { file: name, reason: fileReason(error) }, error);
}
