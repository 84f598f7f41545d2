import { AppError } from '../../core/app-error.ts';
import type { CommandContext } from '../command.ts';
import type { StageEnd } from '../push/stage.ts';
import { counted } from '../render/text.ts';
import type { RunFile } from '../run-file/run-file.ts';
import { writeRejects, type RejectedSource } from './rejects-file.ts';
import { rejectsTargets, type RejectsTarget } from './rejects-target.ts';
import type { SourceOptions } from './source-flags.ts';

/** Where `--rejects` writes to; nowhere without it. @throws AppError `file_exists`, `file_not_writable` */
export function targetsOfRejects(
  { rejects, file }: Pick<SourceOptions, 'rejects' | 'file'>,
  { io }: CommandContext,
): readonly RejectsTarget[] {
  return rejects === undefined ? [] : rejectsTargets(rejects, file, io);
}

/** What is needed to write the rejects of a run; no targets: none were asked for. */
interface RejectsParts {
  readonly run: RunFile;
  readonly sources: readonly RejectedSource[];
  readonly targets: readonly RejectsTarget[];
}

/** Writes the rejects of a run that was read, and tells what has become of them and of the reading, a line for each. */
export async function rejectsNotes(staged: StageEnd, parts: RejectsParts): Promise<readonly string[]> {
  const { run, targets } = parts;
  const why = whyNone(staged);
  const notes = targets.length === 0 ? [] : why ? [`rejects: none written, because ${why}`] : undefined;
  const written = notes ?? (await writeRejects(run, parts.sources, targets));
  if (staged.kind !== 'interrupted') return written;
  const { read } = run.report().rows;
  return [
    `incomplete: reading was stopped after ${counted(read, 'row')}, the rest was not looked at`,
    ...written,
  ];
}

/** The same once records were sent: then the result has to be told, whether the rejects can be written or not. */
export async function rejectsNotesAfterSending(parts: RejectsParts): Promise<readonly string[]> {
  try {
    return await writeRejects(parts.run, parts.sources, parts.targets);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return [`rejects: none written: ${error.message}`];
  }
}

function whyNone(staged: StageEnd): string | undefined {
  if (staged.kind === 'interrupted') return 'reading was stopped';
  return staged.kind === 'invalid' && staged.unusable
    ? 'more than single rows has to be corrected first'
    : undefined;
}
