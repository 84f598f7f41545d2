import { AppError } from './app-error.ts';

/** The text of a file, without its byte order mark. `file` is for the error. @throws AppError `file_not_readable` */
export function utf8Text(bytes: Uint8Array, file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new AppError(
      'file_not_readable',
      { reason: 'it is not UTF-8', todo: 'Save it as UTF-8 in a text editor.', file },
      error,
    );
  }
}
