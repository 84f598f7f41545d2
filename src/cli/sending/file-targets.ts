import { AppError } from '../../core/app-error.ts';
import type { SourceFlags } from '../command/flags.ts';
import { leftOutTargets, rejectsTargets } from '../rejects/rejects.ts';

/** The files that a command writes beside its result, and notes about those that it leaves as they are. */
export interface FileTargets {
  readonly rejects: ReturnType<typeof rejectsTargets>;
  readonly leftOut: ReturnType<typeof leftOutTargets>;
  readonly notes: readonly string[];
}

/**
 * The files of `--rejects` and `--left-out`. Files that exist are not replaced: an earlier run of the same command has written them, and
 * their rows may be corrected already.
 * @throws AppError `file_not_writable`, `usage`
 */
export function openFileTargets(
  { rejects, leftOut, file, corrections = [] }: SourceFlags,
  cwd: string,
): FileTargets {
  const names = [...file, ...corrections];
  const [ofRejects, rejectsNote] = unlessThere('rejects', () => rejectsTargets(rejects, names, cwd));
  const [ofLeftOut, leftOutNote] = unlessThere('left out', () => leftOutTargets(leftOut, names, cwd));
  return { rejects: ofRejects, leftOut: ofLeftOut, notes: [...rejectsNote, ...leftOutNote] };
}

function unlessThere<Target>(
  what: string,
  find: () => readonly Target[],
): readonly [targets: readonly Target[], notes: readonly string[]] {
  try {
    return [find(), []];
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'file_exists') throw error;
    return [[], [`${what}: ${error.message}, so none were written`]];
  }
}
