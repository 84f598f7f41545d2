import type { OnClose } from '../command/command-ports.ts';
import { newFile } from '../command/new-file.ts';
import { accountRows, accountsHeader } from './accounts-csv.ts';
import type { ComparedWith } from './verification-result.ts';
import type { AccountTotal } from '../comparison/account-tally.ts';

/** The file of `verify --accounts`. */
export interface AccountsFile {
  of(side: ComparedWith): (total: AccountTotal) => void;
  /** Writes what is left. @throws AppError `file_not_writable` */
  finish(): void;
}

/** Without a name nothing is written. @throws AppError `file_exists`, `file_not_writable` */
export function accountsFile(
  name: string | undefined,
  ports: { cwd: string; onClose: OnClose },
): AccountsFile {
  if (name === undefined) return { of: () => () => undefined, finish: () => undefined };
  const file = newFile(name, ports);
  file.add(accountsHeader());
  return { of: (side) => (total) => file.add(accountRows(side, total)), finish: () => file.finish() };
}
