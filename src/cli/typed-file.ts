import { closeSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { AppError } from '../core/app-error.ts';
import { fileReason } from '../core/file-reason.ts';
import { readBinaryFile, readTextFile } from '../files/text-file.ts';

/** The text of a file, by its typed name. @throws AppError `file_not_readable`, `file_not_utf8` */
export function readText(file: string, cwd: string): string {
  return readTextFile(resolve(cwd, file), file);
}

/** The bytes of a file, by its typed name. @throws AppError `file_not_readable` */
export function readBytes(file: string, cwd: string): Uint8Array {
  return readBinaryFile(resolve(cwd, file), file);
}

/**
 * Makes sure that a file can be written, and leaves no new file behind. `trial`: the name of a file in the same folder that
 * is made for it, so that a process that is killed here does not leave an empty file under the real name.
 * @throws AppError `file_not_writable`
 */
export function assertWritable(file: string, cwd: string, trial = file): void {
  const path = resolve(cwd, trial);
  try {
    if (isMadeBy(() => closeSync(openSync(path, 'wx', 0o600)))) rmSync(path);
    else closeSync(openSync(path, 'a'));
  } catch (error) {
    throw new AppError('file_not_writable', { file, reason: fileReason(error) }, error);
  }
}

/** Writes a private file, in place of one that is there. @throws AppError `file_not_writable` */
export function writeTypedFile(file: string, text: string, cwd: string): void {
  try {
    writeFileSync(resolve(cwd, file), text, { mode: 0o600 });
  } catch (error) {
    throw new AppError('file_not_writable', { file, reason: fileReason(error) }, error);
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

/** Codes for "the file exists already". Their next steps differ. */
type ExistsCode = 'file_exists' | 'mapping_exists' | 'state_file_exists' | 'contract_exists';

/** Why a new file was not written: the file exists, or `file_not_writable`. */
export function notWritten(file: string, error: unknown, exists: ExistsCode = 'file_exists'): AppError {
  return (error as NodeJS.ErrnoException).code === 'EEXIST'
    ? new AppError(exists, { file }, error)
    : new AppError('file_not_writable', { file, reason: fileReason(error) }, error);
}
