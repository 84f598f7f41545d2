import { readFileSync } from 'node:fs';
import { AppError } from '../core/app-error.ts';
import { fileReason } from '../core/file-reason.ts';
import { utf8Text } from '../core/utf8-text.ts';

/** The text of a file in UTF-8; `name` is for errors. @throws AppError `file_not_readable`, `file_not_utf8` */
export function readTextFile(path: string, name = path): string {
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    throw new AppError('file_not_readable', { file: name, reason: fileReason(error) }, error);
  }
  return utf8Text(bytes, name);
}
