import { readFileSync } from 'node:fs';
import { AppError } from '../core/app-error.ts';
import { fileReason } from '../core/file-reason.ts';

/** The text of a file in UTF-8. @throws AppError `file_not_readable` */
export function readUtf8File(file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file));
  } catch (error) {
    const reason = error instanceof TypeError ? 'it is not UTF-8' : fileReason(error);
    throw new AppError('file_not_readable', { file, reason }, error);
  }
}
