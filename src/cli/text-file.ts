import { resolve } from 'node:path';
import { AppError } from '../core/app-error.ts';
import { fileReason } from '../core/file-reason.ts';
import { readTextFile } from '../files/text-file.ts';

/** The text of a file as it was typed. @throws AppError `file_not_readable`, `file_not_utf8` */
export function readText(file: string, cwd: string): string {
  return readTextFile(resolve(cwd, file), file);
}

/** What says that a file exists where a new one was to be written; what to do about it differs. */
type ExistsCode = 'file_exists' | 'mapping_exists' | 'state_file_exists';

/** Why a file that must be new was not written: it exists, or `file_not_writable`. */
export function notWritten(file: string, error: unknown, exists: ExistsCode = 'file_exists'): AppError {
  return (error as NodeJS.ErrnoException).code === 'EEXIST'
    ? new AppError(exists, { file }, error)
    : new AppError('file_not_writable', { file, reason: fileReason(error) }, error);
}
