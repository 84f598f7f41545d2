import {
  closeSync,
  createReadStream,
  lstatSync,
  openSync,
  rmSync,
  statSync,
  writeFileSync,
  type ReadStream,
} from 'node:fs';
import { dirname, resolve } from 'node:path';
import { AppError } from '../../core/app-error.ts';
import { fileReason } from '../../core/file-reason.ts';
import { assertReadable, beginningOf, readTextFile } from '../../files/text-file.ts';

/** The text of a file, by its typed name. @throws AppError `file_not_readable` */
export function readText(file: string, cwd: string): string {
  return readTextFile(resolve(cwd, file), file);
}

/** The bytes of a file or a pipe as a stream, by its typed name. @throws AppError `file_not_readable` for a device, errors of `statSync` */
export function streamOf(file: string, cwd: string): ReadStream {
  const path = resolve(cwd, file);
  assertReadable(statSync(path), file);
  return createReadStream(path);
}

/** How the files begin that a command writes in place of an earlier one. Everything else is somebody's file. */
const BEGINNINGS = {
  contract: /^\{\s*"(?:\$schema": *"[^"]*",\s*")?version": *\d+,\s*"document":/,
  html: /^<!doctype html>.{0,500}<title>(?:REHEARSAL: )?Import (?:report: |of )/s,
  junit: /^<\?xml [^>]*\?>\s*<testsuites name="dataimport/,
  log: /^\{"time":\d+,"event":"/,
  recording: /^\{"recording":1,/,
};

export type ReplacedKind = keyof typeof BEGINNINGS;

/** Bytes of a file that say whether it is ours. */
const BEGINNING_BYTES = 1_024;

/**
 * Makes sure that a file of ours is replaced, and no other: not a source, a journal or a configuration. A file that is empty may be replaced,
 * and what is no regular file, such as /dev/stdout, keeps nothing.
 * @throws AppError `file_exists`, `file_not_writable`
 */
export function assertReplaceable(file: string, cwd: string, kind: ReplacedKind): void {
  const path = resolve(cwd, file);
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (!stats && lstatSync(path, { throwIfNoEntry: false })) {
      // Somebody else may have put it there, and would choose which file is made.
      const reason = 'it is a link to a file that is not there';
      throw new AppError('file_not_writable', { file, reason });
    }
    if (stats?.isFile() !== true) return;
    const beginning = beginningOf(path, BEGINNING_BYTES);
    if (beginning === '' || BEGINNINGS[kind].test(beginning)) return;
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw notWritable(file, error);
  }
  throw new AppError('file_exists', {
    what: 'is no file that this flag has written, so it is not replaced',
    file,
  });
}

/**
 * Makes sure that a file can be written, and leaves no new file behind. `trial`: the name of a file in the same folder that
 * is made for it, so that a process that is killed here does not leave an empty file under the real name. `kind`: of a file that may be
 * there already.
 * @throws AppError `file_not_writable`, `file_exists`
 */
export function assertWritable(
  file: string,
  cwd: string,
  { trial = file, kind }: { trial?: string; kind?: ReplacedKind } = {},
): void {
  assertIsFile(file);
  if (kind !== undefined) assertReplaceable(file, cwd, kind);
  const path = resolve(cwd, trial);
  try {
    if (isMadeBy(() => closeSync(openSync(path, 'wx', 0o600)))) rmSync(path);
    else closeSync(openSync(path, 'a'));
  } catch (error) {
    throw notWritable(file, error);
  }
}

function assertIsFile(file: string): void {
  if (file !== '-') return;
  const reason = '- means standard output, and this takes a file';
  throw new AppError('file_not_writable', { file, reason });
}

/** Writes a private file, in place of one of its kind that is there. @throws AppError `file_not_writable`, `file_exists` */
export function writeTypedFile(file: string, text: string, cwd: string, kind: ReplacedKind): void {
  assertReplaceable(file, cwd, kind);
  try {
    writeFileSync(resolve(cwd, file), text, { mode: 0o600 });
  } catch (error) {
    throw notWritable(file, error);
  }
}

/**
 * Writes a private file that must not be there, the whole or nothing.
 * @param remedy what to do when it is there. Default: the usual step
 * @throws AppError `file_exists`, `file_not_writable`
 */
export function writeNewTypedFile(file: string, text: string, cwd: string, remedy?: string): void {
  assertIsFile(file);
  const path = resolve(cwd, file);
  try {
    writeFileSync(path, text, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    // A disk that is full leaves the beginning of it.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') rmSync(path, { force: true });
    throw notWritten(file, error, remedy);
  }
}

/** Whether a file was made. False when there is one, which then belongs to others. */
function isMadeBy(make: () => void): boolean {
  try {
    make();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Why a new file was not written: `file_exists`, with another next step than the usual one if it is given, or `file_not_writable`. */
export function notWritten(file: string, error: unknown, remedy?: string): AppError {
  return (error as NodeJS.ErrnoException).code === 'EEXIST'
    ? new AppError('file_exists', { file, ...(remedy !== undefined && { remedy }) }, error)
    : notWritable(file, error);
}

function notWritable(file: string, error: unknown): AppError {
  const isNowhere = (error as NodeJS.ErrnoException).code === 'ENOENT';
  const reason = isNowhere ? `there is no folder ${dirname(file)}` : fileReason(error);
  return new AppError('file_not_writable', { file, reason }, error);
}
