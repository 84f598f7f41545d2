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

/** The error of temporary files that cannot be written: `run_not_writable`. */
export function temporaryFailure(
  reason: string,
  cause: unknown,
  remedy = 'Make the folder for temporary files writable for this user',
): AppError {
  const what = 'the temporary file of the command cannot be written';
  const todo = 'or set TMPDIR to another folder, then type the command again.';
  return new AppError('run_not_writable', { what, reason, remedy, todo }, cause);
}

/** Whether an error says that the process, or the machine, has too many files open. */
export function isOutOfHandles(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'EMFILE' || error.code === 'ENFILE');
}
