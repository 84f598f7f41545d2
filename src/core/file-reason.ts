import { AppError } from './app-error.ts';

/** The error codes of a file system in words for people. */
const WORDS: Readonly<Record<string, string>> = {
  ENOENT: 'no such file',
  ENOTDIR: 'a part of the path is no folder',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EISDIR: 'it is a folder',
  ENOSPC: 'no space is left',
  EROFS: 'it can only be read',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open',
  EDQUOT: 'the quota of the disk is used up',
  EFBIG: 'it would be larger than a file may be',
};

/** Why a file cannot be read or written; every message uses the same words. */
export function fileReason(error: unknown): string {
  const { code, message } = error as { code?: string; message?: string };
  return WORDS[code ?? ''] ?? code ?? message ?? 'unknown reason';
}

/** The error of a folder for temporary files that cannot be written: `temporary_file_not_written`. */
export function temporaryFailure(folder: string, error: unknown): AppError {
  const reason = `${folder}: ${fileReason(error)}`;
  const remedy = 'Make the folder for temporary files writable for this user';
  return new AppError('temporary_file_not_written', { reason, remedy }, error);
}

/** Whether an error says that the process, or the machine, has too many files open. */
export function isOutOfHandles(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'EMFILE' || error.code === 'ENFILE');
}
