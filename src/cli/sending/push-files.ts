import type { CommandPorts } from '../command/command-ports.ts';
import type { Target } from '../command/connection.ts';
import type { SendingFlags, SourceFlags } from '../command/flags.ts';
import type { RunResult } from '../output/run/run-document.ts';
import type { Progress } from '../output/progress/progress.ts';
import { planned } from './planned.ts';
import {
  rejectsAfterReading,
  rejectsAfterSending,
  rejectsTargets,
  type Rejects,
} from '../rejects/rejects.ts';
import { nextCommands, sameCommand } from '../ending/next-commands.ts';
import { lockParts, openPart, preparePart, type Part, type PartFlags } from './part.ts';
import { viewOf } from './report-view.ts';
import { finishedResult, sendingPlan, unsentEnding } from './results.ts';
import { sendParts } from './send-parts.ts';
import { elapsedMs, openProgress, openSending, type CommandChoice, type Sending } from './sending.ts';
import { shardOf } from '../sources/shard.ts';
import { AppError } from '../../core/app-error.ts';

export type PushFlags = PartFlags & SendingFlags & SourceFlags & { readonly dryRun?: boolean };

/** What a push goes by, beside its flags. */
export interface PushChoice extends CommandChoice {
  /** Default: that of the settings. */
  readonly target?: Target;
}

/**
 * Sends what has not arrived of the files: it takes up the reading of this version or reads the files, and sends.
 */
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
  const opened = await openPart(sending, flags);
  lockParts(sending, [opened]);
  const progress = await openProgress(sending);
  const part = await preparePart(sending, opened, { emit: progress.emit, words });
  if (part.kind === 'finished') {
    const rejects = { files: opened.sources.files, targets: targets.rejects };
    const result = finishedResult(part, sending, again);
    return { ...result, notes: [...targets.notes, ...(await rejectsAfterSending(part.run, rejects))] };
  }
  return sentPart(part, sending, { again, targets, progress });
}

/** Sends a part, unless its rows or the journal forbid it, and writes the files that were asked for. */
async function sentPart(
  part: Part,
  sending: Sending,
  { again, targets, progress }: { again: string; targets: FileTargets; progress: Progress },
): Promise<RunResult> {
  const { run, sources, staged, kind } = part;
  const files = sources?.files ?? [];
  const rejects: Rejects = { files, targets: targets.rejects };
  const { notes } = targets;
  if (staged.kind !== 'staged' || !sending.reached) {
    progress.stop();
    const kept = part.journal ? run : null;
    const plan = sendingPlan(run, sending);
    const report = run.report(viewOf(run, sending));
    const result: RunResult = {
      run: kept?.header.id ?? null,
      report,
      ending: unsentEnding(staged, sending, { again, run: kept, records: plan.records }),
      ...(staged.kind === 'staged' && { plan }),
      notes:
        kept && staged.kind === 'interrupted'
          ? notes
          : [...notes, ...(await rejectsAfterReading(run, staged, rejects))],
      durationMs: elapsedMs(sending),
    };
    kept?.recordEnd({ exit: result.ending.exit, reason: null });
    return result;
  }
  if (kind === 'continued') progress.emit(planned([run]));
  const sent = await sendParts([part], sending, { progress, again });
  const durationMs = elapsedMs(sending);
  return {
    ...sent.runs[0]!,
    durationMs,
    notes: [...notes, ...(await rejectsAfterSending(run, rejects))],
  };
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
