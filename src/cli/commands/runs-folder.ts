import { relative } from 'node:path';
import type { CommandContext } from '../command.ts';
import { shellWord } from '../render/text.ts';
import type { RunHeader } from '../run-file/run-header.ts';
import { RunsFolder } from '../run-file/runs-folder.ts';

/** The folder of the run files that the settings name. */
export async function runsFolder(context: CommandContext): Promise<RunsFolder> {
  return new RunsFolder((await context.settings()).need('runDir'));
}

/** The command that goes on with a run, as it has to be typed here. */
export function resumeLine(
  header: Pick<RunHeader, 'id' | 'target'>,
  context: CommandContext,
): Promise<string> {
  return runLine('resume', header, context);
}

/** A command about a run, with whatever the next command line would not find by itself. */
export async function runLine(
  command: 'resume' | 'retry',
  { id, target }: Pick<RunHeader, 'id' | 'target'>,
  context: CommandContext,
): Promise<string> {
  const { globals, io } = context;
  const settings = await context.settings();
  const runDir = settings.resolved('runDir')!;
  const baseUrl = settings.resolved('baseUrl');
  // Nothing that is set, the run's own target is taken; what is set must not lead elsewhere.
  const needsTarget = baseUrl !== undefined && (baseUrl.source.kind === 'flag' || baseUrl.value !== target);
  const caFile = settings.resolved('caFile');
  const flags = [
    ['--run-dir', runDir.source.kind === 'flag' ? relative(io.cwd, runDir.value) || '.' : undefined],
    ['--ca-file', caFile?.source.kind === 'flag' ? relative(io.cwd, caFile.value) : undefined],
    ['--base-url', needsTarget ? target : undefined],
    ['--profile', globals.profile],
    ['--config', globals.config],
  ] as const;
  const given = flags.flatMap(([flag, value]) => (value === undefined ? [] : [flag, shellWord(value)]));
  return ['dataimport', command, id, ...given].join(' ');
}
