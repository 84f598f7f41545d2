import { readFileSync } from 'node:fs';
import { AppError } from '../../core/app-error.ts';
import { fileReason } from '../../core/file-reason.ts';
import { utf8Text } from '../../core/utf8-text.ts';

/** The text of a file in UTF-8. @throws AppError `file_not_readable`, `file_not_utf8` */
export function readUtf8File(file: string): string {
  return utf8Text(bytesOf(file), file);
}

function bytesOf(file: string): Uint8Array {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new AppError('file_not_readable', { file, reason: fileReason(error) }, error);
  }
}
