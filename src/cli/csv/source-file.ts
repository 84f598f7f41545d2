import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { resolve } from 'node:path';
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
  bytes(): AsyncIterable<Buffer>;
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
    const { size } = await opened.stat();
    let read = 0;
    const stored = { name, onRead: (bytes: number) => void (read = bytes) };
    const fingerprint = await fingerprintOf(storedContent(opened, stored));
    const isReopened = isOneOfMany && !isStandardInput;
    if (isReopened) await opened.close();
    return {
      name,
      fingerprint,
      async *bytes() {
        try {
          const again = isReopened ? await openRegular(name, folder) : opened;
          const hash = createHash('sha256');
          try {
            for await (const chunk of storedContent(again, stored)) {
              hash.update(chunk);
              yield chunk;
            }
          } finally {
            if (isReopened) await again.close();
          }
          if (hash.digest('hex') !== fingerprint.sha256) throw new AppError('file_changed');
        } catch (error) {
          throw notReadable(name, error);
        }
      },
      share: () => (size === 0 ? 1 : Math.min(1, read / size)),
      close: async () => (isReopened ? undefined : opened.close()),
    };
  } catch (error) {
    await handle?.close();
    throw notReadable(name, error);
  }
}

async function fingerprintOf(content: AsyncIterable<Buffer>): Promise<SourceFingerprint> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of content) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { bytes, sha256: hash.digest('hex') };
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
