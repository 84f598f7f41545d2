import { relative } from 'node:path';
import type { CommandContext } from '../command.ts';
import { shellWord } from '../render/text.ts';
import type { RunFile } from '../run-file/run-file.ts';
import type { RunHeader } from '../run-file/run-header.ts';
import { RunsFolder } from '../run-file/runs-folder.ts';
import type { LinesAfter } from './run-ending.ts';

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
  const { io } = context;
  const settings = await context.settings();
  const baseUrl = settings.resolved('baseUrl');
  // Nothing that is set, the run's own target is taken; what is set must not lead elsewhere.
  const needsTarget = baseUrl !== undefined && (baseUrl.source.kind === 'flag' || baseUrl.value !== target);
  const caFile = settings.resolved('caFile');
  return wordsOf(`dataimport ${command} ${id}`, [
    await runDirFlag(context),
    ['--ca-file', caFile?.source.kind === 'flag' ? relative(io.cwd, caFile.value) : undefined],
    ['--base-url', needsTarget ? target : undefined],
    ...configFlags(context),
  ]);
}

/** The command that shows a run, as it has to be typed here. */
export async function showLine({ id }: Pick<RunHeader, 'id'>, context: CommandContext): Promise<string> {
  return wordsOf(`dataimport runs show ${id}`, [await runDirFlag(context), ...configFlags(context)]);
}

/** What to type about a run once nothing is left to do. */
export async function linesAfter(run: RunFile, context: CommandContext): Promise<LinesAfter> {
  const { header, retrying, state } = run;
  // Records whose texts are gone, or that another run has, are not there to be sent again.
  const isWhole = state !== 'cleared' && retrying.takers().length === 0;
  const retry = isWhole ? `${await runLine('retry', header, context)} --only rejected` : null;
  return { retry, show: await showLine(header, context) };
}

/** A flag and its value; undefined where the next command line finds it by itself. */
type Flag = readonly [flag: string, value: string | undefined];

async function runDirFlag(context: CommandContext): Promise<Flag> {
  const runDir = (await context.settings()).resolved('runDir')!;
  const isFlag = runDir.source.kind === 'flag';
  return ['--run-dir', isFlag ? relative(context.io.cwd, runDir.value) || '.' : undefined];
}

function configFlags({ globals }: CommandContext): readonly Flag[] {
  return [
    ['--profile', globals.profile],
    ['--config', globals.config],
  ];
}

function wordsOf(command: string, flags: readonly Flag[]): string {
  const given = flags.flatMap(([flag, value]) => (value === undefined ? [] : [flag, shellWord(value)]));
  return [command, ...given].join(' ');
}
