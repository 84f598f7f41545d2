import type { CommandPorts } from '../command/command-ports.ts';
import type { RunResult } from '../output/run/run-document.ts';
import type { CheckedFiles } from '../check/checked-files.ts';
import { drainingOf, drainRuns } from '../sending/drain-runs.ts';
import { endReasonOf, reportWithReason } from '../sending/end-reason.ts';
import { endingOf, stopOf } from '../ending/ending.ts';
import { nextCommands, sameCommand } from '../ending/next-commands.ts';
import { elapsedMs, openProgress, openSending, type CommandChoice } from '../sending/sending.ts';

/**
 * Sends the valid records of files that were checked once more, with the check for earlier ones on. They are thrown away with the check,
 * so asking leaves no run. Returns how the command ends when it could not ask for all of them.
 */
export async function askedAgain(
  { run, sources: { shard } }: Pick<CheckedFiles, 'run' | 'sources'>,
  { settings, globals, words }: CommandChoice,
  ports: CommandPorts,
): Promise<RunResult | undefined> {
  const commands = nextCommands(settings, globals, ports.io.cwd);
  const sending = await openSending({ flags: {}, settings, commands, shard }, ports);
  const progress = await openProgress(sending);
  const end = await drainRuns([run], sending, {
    run: drainingOf({ run, journal: undefined }, sending),
    progress,
  });
  progress.stop();
  if (end.kind === 'finished') return undefined;
  const again = sameCommand(words, shard);
  const counted = run.report();
  const reason = endReasonOf(end, again);
  const report = reportWithReason(counted, reason, { file: run.header.sources[0]!.name, resume: again });
  const stop = stopOf(end, sending.interruption.exit());
  const ending = endingOf(report, stop, { again, unresolved: again, isOpen: true });
  return {
    run: null,
    report,
    ending,
    durationMs: elapsedMs(sending),
  };
}
