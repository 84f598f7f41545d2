import { relative } from 'node:path';
import type { CommandContext } from '../command.ts';
import { RunsFolder } from '../run-file/runs-folder.ts';

/** The folder of the run files that the settings name. */
export async function runsFolder(context: CommandContext): Promise<RunsFolder> {
  return new RunsFolder((await context.settings()).need('runDir'));
}

/** The command that goes on with a run, as it has to be typed here. */
export async function resumeLine(run: string, context: CommandContext): Promise<string> {
  const { value, source } = (await context.settings()).resolved('runDir')!;
  const folder = relative(context.io.cwd, value) || '.';
  return `dataimport resume ${run}${source.kind === 'flag' ? ` --run-dir ${folder}` : ''}`;
}
