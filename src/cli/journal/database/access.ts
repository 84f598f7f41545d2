import { accessSync, constants } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { AppError } from '../../../core/app-error.ts';
import { fileReason } from '../../../core/file-reason.ts';
import { freeHandles } from '../../../files/free-handles.ts';

/** Why the system does not let this process read or write a journal, and what to do about it. */
interface Obstacle {
  readonly reason: string;
  /** What the person has to do, as a sentence to which a message adds "then …". */
  readonly remedy: string;
}

const BROKEN = 'the disk cannot be read or written';

/** The obstacles by the codes of SQLite and of the system. None of them says anything about the content of the file. */
const OBSTACLES: readonly (readonly [code: RegExp, reason: string, remedy: string])[] = [
  // SQLite makes a file of shared memory beside the journal, before anything else.
  [/^(SQLITE_FULL|SQLITE_IOERR_SHMSIZE|ENOSPC)/, 'the disk is full', 'Free space'],
  // A quota and `ulimit -f` end a write like a broken disk.
  [/^SQLITE_IOERR_WRITE/, BROKEN, 'Free space, or repair the disk or the way to it'],
  [/^SQLITE_(IOERR|CANTOPEN)/, BROKEN, 'Repair the disk or the way to it'],
  [/^SQLITE_(READONLY|PERM)/, 'the file can only be read', 'Make the file and its folder writable'],
  [/^E[MN]FILE$/, 'too many files are open', 'Raise the limit (`ulimit -n`), or end other programs'],
];

/** More handles than SQLite needs for a file. */
const HANDLES = 16;

/** The obstacle behind an error of SQLite about a disk; undefined for any other error. */
export function diskObstacle(error: unknown): Obstacle | undefined {
  if (!(error instanceof Database.SqliteError)) return undefined;
  // SQLite closes the handles that it has when it cannot open another one, so some are free again by now.
  const lacksHandles =
    /^SQLITE_(CANTOPEN|IOERR_GETTEMPPATH)/.test(error.code) && freeHandles(HANDLES) < HANDLES;
  const found = obstacleOf(lacksHandles ? 'EMFILE' : error.code);
  return found && (lacksHandles ? found : { ...found, reason: `${found.reason} (${error.code})` });
}

function obstacleOf(code: string | undefined): Obstacle | undefined {
  const found = OBSTACLES.find(([pattern]) => pattern.test(code ?? ''));
  return found && { reason: found[1], remedy: found[2] };
}

/** Says why the system did not let this process open a journal. Undefined when the system is not the cause, so the journal may be damaged. */
export function inaccessible(file: string, error: unknown): AppError | undefined {
  const isOfSystem = error instanceof Error && 'syscall' in error;
  const found = diskObstacle(error) ?? (isOfSystem ? ofSystem(error, 'Repair that') : undefined);
  if (!found) return undefined;
  // SQLite names the failing step, such as CANTOPEN for a journal in a folder of others. The system knows the cause.
  const { reason, remedy } = missingRights(file) ?? found;
  return new AppError('run_inaccessible', { file, reason, remedy }, error);
}

/** Says why a file in the folder of the journals could not be written. */
export function notWritable(file: string, error: unknown): AppError {
  const { reason, remedy } = diskObstacle(error) ?? ofSystem(error, 'Make the folder writable for this user');
  return new AppError('run_not_writable', { folder: dirname(file), reason, remedy }, error);
}

/** The error of a folder of runs whose names cannot be listed. */
export function folderUnreadable(folder: string, error: unknown): AppError {
  const { reason, remedy } = ofSystem(error, 'Make it readable');
  const what = `the folder of the journals ${folder} cannot be read`;
  const todo = `${remedy}, then type the command again. Another --run-dir does not know what was sent from this one.`;
  return new AppError('run_inaccessible', { what, reason, todo }, error);
}

/** `remedy`: where the code says nothing about that. */
const ofSystem = (error: unknown, remedy: string): Obstacle =>
  obstacleOf((error as NodeJS.ErrnoException).code) ?? { reason: fileReason(error), remedy };

/** The right to a file or its folder that is missing. One that does not exist needs none. */
function missingRights(file: string): Obstacle | undefined {
  const { R_OK, W_OK, X_OK } = constants;
  const rights = [
    [dirname(file), X_OK | W_OK, 'its folder may not be written', 'Make the folder writable'],
    [file, R_OK, 'the file may not be read', 'Make it readable and writable'],
    [file, W_OK, 'the file may not be written', 'Make it readable and writable'],
  ] as const;
  for (const [path, mode, what, remedy] of rights)
    try {
      accessSync(path, mode);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') continue;
      const reason = `${what} by this user (${fileReason(error)})`;
      return { reason, remedy: `${remedy} for this user, or work as its owner` };
    }
  return undefined;
}
