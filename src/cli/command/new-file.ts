import { closeSync, openSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { OnClose } from './command-ports.ts';
import { notWritten } from './typed-file.ts';

/** A private file that was not there before, written in portions. */
export interface NewFile {
  add(text: string): void;
  /** Writes what is left. @throws AppError `file_not_writable` */
  finish(): void;
}

/** Characters that are written at once. */
const PORTION = 65_536;

/** Creates the file now, and not after hours of work. @throws AppError `file_exists`, `file_not_writable` */
export function newFile(name: string, { cwd, onClose }: { cwd: string; onClose: OnClose }): NewFile {
  const attempt = <T>(act: () => T): T => {
    try {
      return act();
    } catch (error) {
      throw notWritten(name, error);
    }
  };
  // Account numbers are customer data: readable by the owner only.
  const file = attempt(() => openSync(resolve(cwd, name), 'wx', 0o600));
  onClose(() => closeSync(file));
  let waiting = '';
  const finish = (): void => {
    // `writeSync` may write a part and throw nothing, such as on a full disk.
    attempt(() => writeFileSync(file, waiting));
    waiting = '';
  };
  return {
    add(text) {
      waiting += text;
      if (waiting.length >= PORTION) finish();
    },
    finish,
  };
}
