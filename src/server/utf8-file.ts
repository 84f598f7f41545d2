import { readFileSync } from 'node:fs';
import { AppError } from '../core/app-error.ts';
import { fileReason } from '../core/file-reason.ts';

/** The text of a file in UTF-8. @throws AppError `file_not_readable`, `file_not_utf8` */
export function readUtf8File(file: string): string {
  const bytes = bytesOf(file);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new AppError('file_not_utf8', { file }, error);
  }
}

function bytesOf(file: string): Uint8Array {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new AppError('file_not_readable', { file, reason: fileReason(error) }, error);
  }
}
