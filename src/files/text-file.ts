import { readFileSync } from 'node:fs';
import { AppError } from '../core/app-error.ts';
import { fileReason } from '../core/file-reason.ts';
import { utf8Text } from '../core/utf8-text.ts';

/** The text of a file in UTF-8; `name` is for errors. @throws AppError `file_not_readable`, `file_not_utf8` */
export function readTextFile(path: string, name = path): string {
  return utf8Text(readBinaryFile(path, name), name);
}

/** The bytes of a file; `name` is for errors. @throws AppError `file_not_readable` */
export function readBinaryFile(path: string, name = path): Uint8Array {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new AppError('file_not_readable', { file: name, reason: fileReason(error) }, error);
  }
}
