import type { CommandPorts } from '../command/command-ports.ts';
import type { SendingFlags, SourceFlags } from '../command/flags.ts';
import type { RunResult } from '../output/run/run-document.ts';
import { rejectsAfterReading, rejectsAfterSending, rejectsTargets } from '../rejects/rejects.ts';
import { assertFilesThere } from '../sources/sources.ts';
import type { Part, PartFlags } from './part.ts';
import { repeatedFlags } from '../ending/next-commands.ts';
import { sendFiles } from './send-files.ts';
import { openSending, type CommandChoice } from './sending.ts';
import { AppError } from '../../core/app-error.ts';

export type PushFlags = PartFlags & SendingFlags & SourceFlags & { readonly dryRun?: boolean };

/** Sends what has not arrived of the files of one resource. */
export async function pushFiles(
  flags: PushFlags,
  choice: Omit<CommandChoice, 'resources'>,
  ports: CommandPorts,
): Promise<RunResult> {
  const { targets, notes } = openRejects(flags, ports.io.cwd);
  await assertFilesThere(flags, ports.io.cwd);
  const sending = await openSending(flags, { ...choice, resources: [flags.resource] }, ports);
  const { parts, runs, isSent, durationMs } = await sendFiles(sending, [{ flags }]);
  const [{ run, sources, staged }] = parts as [Part];
  const flagsOfRejects = repeatedFlags(choice.settings, choice.globals);
  const rejects = { files: sources.files, targets, flags: flagsOfRejects };
  const written = isSent
    ? await rejectsAfterSending(run, rejects)
    : await rejectsAfterReading(run, staged, rejects);
  return { ...runs[0]!, durationMs, notes: [...notes, ...written] };
}

/**
 * The files of `--rejects`. Files that exist are not replaced, and a note says so: an earlier run of the same command has written them, and
 * their rows may be corrected already.
 */
function openRejects({ rejects, file }: Pick<SourceFlags, 'rejects' | 'file'>, cwd: string) {
  try {
    return { targets: rejectsTargets(rejects, file, cwd), notes: [] };
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'file_exists') throw error;
    return { targets: [], notes: [`rejects: ${error.message}, so none were written`] };
  }
}
