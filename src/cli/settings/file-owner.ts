import { existsSync, lstatSync, realpathSync, statSync, type Stats } from 'node:fs';
import { dirname, isAbsolute, relative } from 'node:path';
import { AppError } from '../../core/app-error.ts';
import type { Io } from '../outside/io.ts';

/**
 * Refuses a configuration file that was found by searching if somebody else can have written it: another user than this one and root owns
 * it, or everybody may write it or put another file in its place. A sticky folder such as /tmp lets nobody replace the file of another user.
 * @throws AppError `config_untrusted`
 */
export function assertOwn(
  file: string,
  stats: Stats,
  { userId: user, env, homeDir }: Pick<Io, 'userId' | 'env' | 'homeDir'>,
): void {
  if (user === undefined) {
    // Every user of Windows may write to the root of a disk, and Node does not say who did.
    const way = homeDir === undefined ? '..' : relative(realFolder(homeDir), realFolder(dirname(file)));
    if (!way.startsWith('..') && !isAbsolute(way)) return;
    const reason = 'it is outside of your home folder, and Windows does not say who can have written it';
    throw new AppError('config_untrusted', { file, reason });
  }
  const folder = statSync(dirname(file));
  const owner = [stats, lstatSync(file)].map(({ uid }) => uid).find((uid) => !isOwn(uid, user, env));
  const reason =
    owner !== undefined
      ? `it belongs to another user (uid ${owner})`
      : isOpen(stats)
        ? 'every user may write it'
        : isOpen(folder) && (folder.mode & STICKY) === 0
          ? 'every user may write to its folder'
          : undefined;
  if (reason !== undefined) throw new AppError('config_untrusted', { file, reason });
}

/**
 * Whether nobody but this user and root can put a file into the home folder, so that a file there is obeyed whoever owns it: a container gets
 * files of the user who started it. A home folder of somebody else comes from `HOME`, as with HOME=/tmp.
 */
export function isOwnHome(home: string | undefined, user: Io['userId'], env: Io['env']): boolean {
  if (user === undefined) return true;
  const stats = home !== undefined && existsSync(home) ? statSync(home) : undefined;
  return stats !== undefined && isOwn(stats.uid, user, env) && !isOpen(stats);
}

/** Root obeys the files of the user who typed sudo, as git does. */
const isOwn = (uid: number, user: number, env: Io['env']): boolean =>
  uid === user || uid === 0 || (user === 0 && String(uid) === env['SUDO_UID']);

/** The owner of a file, or of a link itself, who is neither this user nor root. */
export function otherOwner(path: string, user: Io['userId']): number | undefined {
  const uid = user === undefined ? undefined : ownerOf(path);
  return uid === user || uid === 0 ? undefined : uid;
}

/** The owner of a file or link; undefined for one that is not there, or in a folder that this user cannot search. */
export function ownerOf(path: string): number | undefined {
  try {
    return lstatSync(path).uid;
  } catch {
    return undefined;
  }
}

/** Whether every user may put a file into the folder of a file. */
export const isInOpenFolder = (path: string): boolean => isOpen(statSync(dirname(path)));

const [STICKY, WRITABLE_FOR_ALL] = [0o1000, 0o002];

const isOpen = ({ mode }: Stats): boolean => (mode & WRITABLE_FOR_ALL) !== 0;

/** A folder that is not there stays as it is written. */
function realFolder(folder: string): string {
  try {
    return realpathSync(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EACCES') return folder;
    throw error;
  }
}
