import { join } from 'node:path';
import { AppError } from '../core/app-error.ts';

/**
 * A path with the home folder in place of a first `~`, as a shell writes it at the beginning of a word only: not in `--db=~/x`, in a
 * variable of a container or in a file. Any other text stays as it is. @throws AppError `usage` without a home folder
 */
export function homePath(path: string, homeDir: string | undefined): string {
  if (path !== '~' && !path.startsWith('~/')) return path;
  if (homeDir !== undefined) return join(homeDir, path.slice(1));
  const reason = `${path} is in a home folder, and this user has none; write the whole path, or set HOME`;
  throw new AppError('usage', { reason, command: '' });
}
