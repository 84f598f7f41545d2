import { realpathSync, statSync, type BigIntStats } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { AppError } from '../../core/app-error.ts';
import { beginningOf } from '../../files/text-file.ts';
import type { Io } from '../outside/io.ts';
import { isInOpenFolder, otherOwner } from '../settings/file-owner.ts';

/** The flags of all commands, as attributes, whose file is written. Every other file of a command line is an input. */
export const WRITTEN: ReadonlySet<string> = new Set(
  'csv db html junit logFile out record rejects'.split(' '),
);

const NAMED_TWICE =
  'is named twice: a file of its own is needed for each output, and no output replaces an input';

/**
 * Makes sure, before a command does anything, that no file of it takes the place of another one, of a journal or of a configuration,
 * whatever their names and links.
 * @throws AppError `file_exists`, `file_not_writable`
 */
export function assertWrittenApart(
  values: Readonly<Record<string, unknown>>,
  { cwd, userId }: Pick<Io, 'cwd' | 'userId'>,
): void {
  const named = Object.entries(values).flatMap(([name, value]) =>
    [value].flat().flatMap((file) => (typeof file === 'string' && file !== '-' ? [{ name, file }] : [])),
  );
  const written = named.filter(({ name }) => WRITTEN.has(name));
  if (written.length === 0) return;
  const inputs = named.filter(({ name, file }) => !WRITTEN.has(name) && isFile(resolve(cwd, file)));
  const known = new Set(inputs.map(({ file }) => identityOf(file, cwd)));
  for (const { name, file } of written) {
    const path = resolve(cwd, file);
    const identity = identityOf(file, cwd);
    if (known.has(identity)) throw new AppError('file_exists', { file, what: NAMED_TWICE });
    if (identity !== DEVICE) known.add(identity);
    if (name !== 'db') assertNotKept(file, path, name === 'out' ? [KEPT_NAMES] : [KEPT_NAMES, MAPPING_NAMES]);
    const owner = otherOwner(path, userId);
    if (owner === undefined || !isInOpenFolder(path)) continue;
    const reason = `it belongs to another user (uid ${owner}), and every user may write to its folder`;
    throw new AppError('file_not_writable', { file, reason });
  }
}

/** Names of journals with the files beside them, and of configurations. A new file of such a name would be read as one. */
const KEPT_NAMES = /\.sqlite(-\w+)?$|^dataimport\.config\./;

/** Names of mappings, which the next command reads with the file beside them. Commands that draft one have `--out`. */
const MAPPING_NAMES = /\.map\.yaml$/;

const DATABASE = 'SQLite format 3\0';

/** Refuses a file that is, or would be taken for, a journal or a configuration. */
function assertNotKept(file: string, path: string, kept: readonly RegExp[]): void {
  const isThere = isFile(path);
  const name = basename(isThere ? realpathSync(path) : path);
  if (kept.some((names) => names.test(name))) {
    const reason = 'a file of this name is read as a journal, a configuration or a mapping';
    throw new AppError('file_not_writable', { file, reason });
  }
  if (isThere && isDatabase(path))
    throw new AppError('file_exists', { file, what: 'is a database, so it is not replaced' });
}

function isDatabase(path: string): boolean {
  try {
    return beginningOf(path, DATABASE.length) === DATABASE;
  } catch {
    // The command itself says why the file cannot be used.
    return false;
  }
}

/** What is at a path. Undefined without a file, and for a value that is no path. */
function statsOf(path: string): BigIntStats | undefined {
  try {
    return statSync(path, { bigint: true });
  } catch {
    return undefined;
  }
}

const isFile = (path: string): boolean => statsOf(path)?.isFile() ?? false;

/** A device or a pipe keeps nothing, so several outputs may go there. */
const DEVICE = 'device';

/** Device and inode of a file; the place of a file that is not there yet. */
function identityOf(file: string, cwd: string): string {
  const path = resolve(cwd, file);
  const stats = statsOf(path);
  if (stats) return stats.isFile() ? `${stats.dev}:${stats.ino}` : DEVICE;
  const folder = dirname(path);
  return statsOf(folder) ? join(realpathSync(folder), basename(path)) : path;
}
