import { closeSync, existsSync, openSync, rmSync } from 'node:fs';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { AppError } from '../../core/app-error.ts';
import { fileReason } from '../../core/file-reason.ts';
import type { Io } from '../io.ts';

/** Where the refused rows of one source go. */
export interface RejectsTarget {
  /** As it is shown: what was typed, with the name of the source put in when there are several. */
  readonly name: string;
  readonly path: string;
  /** The same for the reasons beside it. */
  readonly reasonsName: string;
  readonly reasonsPath: string;
}

/**
 * The rejects file of each source, in their order. None may exist: its rows may be repaired already, and the file of an
 * earlier command would be taken for that of this one.
 * @throws AppError `file_exists`, `file_not_writable`; `usage` for `-`
 */
export function rejectsTargets(
  file: string,
  sources: readonly string[],
  io: Pick<Io, 'cwd'>,
): readonly RejectsTarget[] {
  if (file === '-')
    throw new AppError('usage', { reason: '--rejects takes a file, not standard output', command: 'check' });
  // The name would promise what the file is not, and it could not be read again.
  if (/\.gz$/i.test(file))
    throw new AppError('usage', { reason: '--rejects writes plain text: leave .gz out', command: 'check' });
  const targets = namesFor(file, sources).map((name): RejectsTarget => {
    const reasonsName = `${name}.reasons.csv`;
    return {
      name,
      path: resolve(io.cwd, name),
      reasonsName,
      reasonsPath: resolve(io.cwd, reasonsName),
    };
  });
  for (const { name, path, reasonsName, reasonsPath } of targets) {
    if (existsSync(path)) throw new AppError('file_exists', { file: name });
    if (existsSync(reasonsPath)) throw new AppError('file_exists', { file: reasonsName });
    assertWritable(name, unfinishedOf(path));
  }
  return targets;
}

/** The name under which a file is written until it is whole. */
export function unfinishedOf(path: string): string {
  return `${path}-new`;
}

/** `rejects.csv` of `june.csv` and `july.csv`: `rejects-june.csv`, `rejects-july.csv`. */
function namesFor(file: string, sources: readonly string[]): readonly string[] {
  if (sources.length === 1) return [file];
  const extension = extname(file);
  const stem = join(dirname(file), basename(file, extension));
  const words = sources.map((source) => basename(source).replace(/(\.csv)?(\.gz)?$/i, ''));
  return words.map((word, index) => {
    const isAlone = words.indexOf(word) === index && words.lastIndexOf(word) === index;
    return `${stem}-${isAlone ? word : `${word}-${index + 1}`}${extension}`;
  });
}

/** Before hours of reading, not after them. */
function assertWritable(name: string, path: string): void {
  try {
    closeSync(openSync(path, 'w', 0o600));
    rmSync(path);
  } catch (error) {
    throw new AppError('file_not_writable', { file: name, reason: fileReason(error) }, error);
  }
}
