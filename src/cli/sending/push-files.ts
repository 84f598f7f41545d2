import type { CommandPorts } from '../command/command-ports.ts';
import type { Target } from '../command/connection.ts';
import type { SendingFlags, SourceFlags } from '../command/flags.ts';
import type { RunResult } from '../output/run/run-document.ts';
import { rejectsAfterReading, rejectsAfterSending, rejectsTargets } from '../rejects/rejects.ts';
import { nextCommands, sameCommand } from '../ending/next-commands.ts';
import type { Part, PartFlags } from './part.ts';
import { sendFiles } from './send-files.ts';
import { openSending, type CommandChoice } from './sending.ts';
import { shardOf } from '../sources/shard.ts';
import { AppError } from '../../core/app-error.ts';

export type PushFlags = PartFlags & SendingFlags & SourceFlags & { readonly dryRun?: boolean };

/** What a push goes by, beside its flags. */
export interface PushChoice extends CommandChoice {
  /** Default: that of the settings. */
  readonly target?: Target;
}

/** Sends what has not arrived of the files of one resource. */
export async function pushFiles(
  flags: PushFlags,
  { settings, globals, words, target, listed }: PushChoice,
  ports: CommandPorts,
): Promise<RunResult> {
  const { io } = ports;
  const shard = shardOf(flags.shard, io.env);
  const targets = openRejects(flags, io.cwd);
  const again = sameCommand(words, shard);
  const commands = nextCommands(settings, globals, io.cwd);
  const sending = await openSending(
    { flags, settings, commands, shard, listed, ...(target && { target }) },
    ports,
  );
  const { parts, runs, isSent, durationMs } = await sendFiles(sending, [{ flags }], { again, words });
  const [{ run, sources, staged }] = parts as [Part];
  const rejects = { files: sources.files, targets: targets.rejects };
  const written = isSent
    ? await rejectsAfterSending(run, rejects)
    : await rejectsAfterReading(run, staged, rejects);
  return { ...runs[0]!, durationMs, notes: [...targets.notes, ...written] };
}

/** The files of `--rejects`, or a note about those that the command leaves as they are. */
interface FileTargets {
  readonly rejects: ReturnType<typeof rejectsTargets>;
  readonly notes: readonly string[];
}

/**
 * The files of `--rejects`. Files that exist are not replaced: an earlier run of the same command has written them, and their rows may be
 * corrected already.
 */
function openRejects({ rejects, file }: Pick<SourceFlags, 'rejects' | 'file'>, cwd: string): FileTargets {
  try {
    return { rejects: rejectsTargets(rejects, file, cwd), notes: [] };
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'file_exists') throw error;
    return { rejects: [], notes: [`rejects: ${error.message}, so none were written`] };
  }
}
