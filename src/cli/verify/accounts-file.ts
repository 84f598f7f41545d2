import { closeSync, openSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { OnClose } from '../command/command-ports.ts';
import { accountRows, accountsHeader } from './accounts-csv.ts';
import type { ComparedWith } from './verification-result.ts';
import { notWritten } from '../command/typed-file.ts';
import type { AccountTotal } from '../comparison/account-tally.ts';

/** The file of `verify --accounts`. */
export interface AccountsFile {
  of(side: ComparedWith): (total: AccountTotal) => void;
  /** Writes what is left. @throws AppError `file_not_writable` */
  finish(): void;
}

/** Characters that are written at once. */
const PORTION = 65_536;

/**
 * Creates the file now, and not after hours of reading. Without a name nothing is written.
 * @throws AppError `file_exists`, `file_not_writable`
 */
export function accountsFile(
  name: string | undefined,
  { cwd, onClose }: { cwd: string; onClose: OnClose },
): AccountsFile {
  if (name === undefined) return { of: () => () => undefined, finish: () => undefined };
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
  let waiting = accountsHeader();
  const flush = (): void => {
    // `writeSync` may write a part and throw nothing, such as on a full disk.
    attempt(() => writeFileSync(file, waiting));
    waiting = '';
  };
  return {
    of: (side) => (total) => {
      waiting += accountRows(side, total);
      if (waiting.length >= PORTION) flush();
    },
    finish: flush,
  };
}
