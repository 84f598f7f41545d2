import { accessSync, constants, readdirSync, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { AppError } from '../../../core/app-error.ts';
import { fileReason, isOutOfHandles } from '../../../core/file-reason.ts';
import { freeHandles } from '../../../files/free-handles.ts';

/** Why the system does not let this process read or write a journal, and what to do about it. */
interface Obstacle {
  readonly reason: string;
  /** The beginning of a sentence that goes on with "then …". */
  readonly remedy: string;
}

const DISK_IS_FULL: Obstacle = { reason: 'the disk is full', remedy: 'Free space' };
const TOO_MANY_FILES: Obstacle = {
  reason: 'too many files are open',
  remedy: 'Raise the limit (`ulimit -n`), or end other programs',
};

/** Errors of SQLite about a disk, by the first part of the code. None of them says anything about the content of the file. */
const DISK: readonly (readonly [RegExp, Obstacle])[] = [
  // SQLite makes a file of shared memory beside the journal, before anything else.
  [/^SQLITE_(FULL|IOERR_SHMSIZE)/, DISK_IS_FULL],
  // A quota and `ulimit -f` end a write like a broken disk.
  [
    /^SQLITE_IOERR_WRITE/,
    {
      reason: 'the disk cannot be read or written',
      remedy: 'Free space, or repair the disk or the way to it',
    },
  ],
  [
    /^SQLITE_(IOERR|CANTOPEN)/,
    { reason: 'the disk cannot be read or written', remedy: 'Repair the disk or the way to it' },
  ],
  [
    /^SQLITE_(READONLY|PERM)/,
    { reason: 'the file can only be read', remedy: 'Make the file and its folder writable' },
  ],
];

/** The obstacle behind an error of SQLite about a disk; undefined for any other error. */
export function diskObstacle(error: unknown): Obstacle | undefined {
  if (!(error instanceof Database.SqliteError)) return undefined;
  const found = DISK.find(([code]) => code.test(error.code))?.[1];
  // SQLite closes the handles that it has when it cannot open another one, so some are free again by now.
  if (/^SQLITE_(CANTOPEN|IOERR_GETTEMPPATH)/.test(error.code) && freeHandles(HANDLES) < HANDLES)
    return TOO_MANY_FILES;
  return found && { ...found, reason: `${found.reason} (${error.code})` };
}

/** More handles than SQLite needs for a file. */
const HANDLES = 16;

/** The error of a journal that cannot be opened, although nothing says that it is damaged; undefined for any other error. */
export function inaccessible(file: string, error: unknown): AppError | undefined {
  const obstacle = obstacleOf(file, error);
  if (!obstacle) return undefined;
  const { reason, remedy } = obstacle;
  return new AppError('run_inaccessible', { file, reason, remedy }, error);
}

/** The error of a file of a run that was not written. */
export function notWritable(file: string, error: unknown): AppError {
  const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
  const obstacle = isMissing ? undefined : obstacleOf(file, error);
  const reason = isMissing ? 'it cannot be made' : (obstacle?.reason ?? fileReason(error));
  const remedy = obstacle?.remedy ?? 'Make the folder writable';
  return new AppError('run_not_writable', { folder: dirname(file), reason, remedy }, error);
}

/** The error of a folder of runs whose names cannot be listed. */
export function folderUnreadable(folder: string, error: unknown): AppError {
  const { remedy } = tooManyFiles(error as NodeJS.ErrnoException) ?? { remedy: 'Make it readable' };
  return new AppError('run_folder_unreadable', { folder, reason: fileReason(error), remedy }, error);
}

function obstacleOf(file: string, error: unknown): Obstacle | undefined {
  const ofDisk = diskObstacle(error);
  // SQLite names the failing step, such as CANTOPEN for a journal in a folder of others. The system knows the cause.
  if (ofDisk) return obstacleOnDisk(file) ?? ofDisk;
  return isOfSystem(error) ? (obstacleOnDisk(file) ?? obstacleNamed(error)) : undefined;
}

function obstacleOnDisk(file: string): Obstacle | undefined {
  const folder = dirname(file);
  const { R_OK, W_OK, X_OK } = constants;
  return (
    rightsObstacle(folder, X_OK | W_OK, 'its folder') ??
    rightsObstacle(file, R_OK, 'the file') ??
    rightsObstacle(file, W_OK, 'the file') ??
    // Rights are asked for without a file handle, so nothing was found so far when all handles are in use.
    failed(() => readdirSync(folder), tooManyFiles)
  );
}

/** Whether the rights to a file or folder are missing. One that does not exist needs none. */
function rightsObstacle(path: string, mode: number, what: 'the file' | 'its folder'): Obstacle | undefined {
  return failed(
    () => accessSync(path, mode),
    (error) => {
      const verb = mode === constants.R_OK ? 'read' : 'written';
      switch (error.code) {
        case 'ENOENT':
          return undefined;
        case 'EROFS':
          return {
            reason: 'its file system can only be read',
            remedy: 'Make the file system writable (`mount -o remount,rw`)',
          };
        // The rights may say otherwise: an immutable file may not be written even by root.
        case 'EPERM':
          return {
            reason: `${what} is protected from writing`,
            remedy: 'Take the protection away (`lsattr` and `chattr -i` on Linux)',
          };
        default:
          return {
            reason: `${what} may not be ${verb} by this user${ownerOf(path)}`,
            remedy: `Make ${what === 'the file' ? 'it readable and' : 'the folder'} writable for this user, or work as its owner`,
          };
      }
    },
  );
}

/** The owner of a file that belongs to another user, as the end of a sentence. */
function ownerOf(path: string): string {
  try {
    const { uid } = statSync(path);
    return uid === userInfo().uid ? '' : `, because it belongs to user ${uid}`;
  } catch {
    // The folder above it cannot be searched, or the present user has no name.
    return '';
  }
}

function tooManyFiles(error: NodeJS.ErrnoException): Obstacle | undefined {
  return isOutOfHandles(error) ? TOO_MANY_FILES : undefined;
}

function obstacleNamed(error: NodeJS.ErrnoException): Obstacle {
  const ofHandles = tooManyFiles(error);
  if (ofHandles) return ofHandles;
  if (error.code === 'ENOSPC') return DISK_IS_FULL;
  if (error.code === 'EACCES' || error.code === 'EPERM')
    return {
      reason: fileReason(error),
      remedy: 'Make the folder writable for this user, or work as its owner',
    };
  return { reason: fileReason(error), remedy: 'Repair that' };
}

function isOfSystem(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && typeof (error as NodeJS.ErrnoException).syscall === 'string';
}

function failed<T>(
  act: () => unknown,
  describe: (error: NodeJS.ErrnoException) => T | undefined,
): T | undefined {
  try {
    act();
    return undefined;
  } catch (error) {
    return describe(error as NodeJS.ErrnoException);
  }
}
