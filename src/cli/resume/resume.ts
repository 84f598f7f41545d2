import { AppError } from '../../core/app-error.ts';
import { shellWord } from '../../core/command-line.ts';
import type { CommandContext, CommandDeclaration, CommandEnd, GlobalFlags } from '../command/command.ts';
import { hasFlag, nextCommands, sameCommand, withFlags } from '../ending/next-commands.ts';
import { commandsFile, commandsIn, type ListedCommand } from '../journal/commands-log.ts';
import { JournalsFolder } from '../journal/journals-folder.ts';
import { EXITS, type ExitName } from '../output/exit-codes.ts';
import { assertOwnFolder, foreign } from '../sending/disk-of-runs.ts';
import { otherOwner } from '../settings/file-owner.ts';
import type { Settings } from '../settings/settings.ts';

export const command: CommandDeclaration<object> = {
  description:
    'Types the last push or migrate of this folder again, however it ended: it goes on, and its report is about everything in the files. Ends with the exit code of that command.',
  examples: ['dataimport resume'],
  settings: ['baseUrl', 'runDir'],
  declare: () => undefined,
  run,
};

async function run(_options: object, context: CommandContext): Promise<CommandEnd> {
  const { io, globals, output, runCommandLine } = context;
  const settings = await context.settings();
  const folder = settings.need('runDir');
  const journals = new JournalsFolder(folder);
  // Whoever may write the list says what is typed.
  assertOwnFolder(journals, context);
  const owner = otherOwner(commandsFile(folder), io.userId);
  if (owner !== undefined) throw foreign(commandsFile(folder), owner);
  const [last] = commandsIn(folder, io);
  // A folder that cannot be read is named.
  if (!last) journals.files();
  if (!last) throw new AppError('run_none', { folder });
  assertRepeatable(last, io.cwd);
  assertSameTarget(last, settings, nextCommands(settings, globals, io.cwd).resume);
  const words = withFlags(last.words, addedFlags(last, settings, globals));
  output.emit({ kind: 'notice', text: `typing the last command again: ${sameCommand(words)}` });
  return { exit: exitOf(await runCommandLine(words, io)) };
}

/** @throws AppError `usage` for a command that means something else here, or needs an input that was read */
export function assertRepeatable({ cwd, readsInput, words }: ListedCommand, here: string): void {
  const command = sameCommand(words);
  const refuse = (reason: string, remedy: string): AppError =>
    new AppError('usage', {
      reason: `the last command cannot be typed again here, because ${reason}: ${command}`,
      todo: `${remedy}.`,
    });
  if (readsInput) throw refuse('it read standard input', 'Type the command in full, with the same input');
  if (cwd !== here)
    throw refuse('its files are where it was typed', `Type \`cd ${shellWord(cwd)}\`, then the same again`);
}

/** The records of a command go to one target. @throws AppError `run_other_target` when the settings lead elsewhere now */
function assertSameTarget(
  command: ListedCommand,
  settings: Settings,
  resume: (target: string) => string,
): void {
  const { id, target } = command;
  const given = settings.resolved('baseUrl');
  if (target === null || given === undefined || given.value === target) return;
  if (given.source.kind !== 'flag' && namesTarget(command)) return;
  throw new AppError('run_other_target', {
    run: id,
    expected: target,
    given: given.value,
    resume: resume(target),
  });
}

/** Flags of the present command line that the last one lacks, and its target where the settings do not name it any more. */
function addedFlags(
  command: ListedCommand,
  settings: Settings,
  { json, quiet, verbose, progress, config }: GlobalFlags,
): readonly string[] {
  const { words, target } = command;
  const [runDir, baseUrl] = [settings.resolved('runDir'), settings.resolved('baseUrl')];
  const isLost = !namesTarget(command) && baseUrl === undefined;
  const flags: readonly (readonly [flag: string, value: string | boolean | undefined])[] = [
    ['--json', json],
    ['--quiet', quiet],
    ['--verbose', verbose],
    ['--no-progress', !progress],
    ['--config', config],
    ['--run-dir', runDir?.source.kind === 'flag' ? runDir.text : undefined],
    ['--base-url', isLost || baseUrl?.source.kind === 'flag' ? (target ?? undefined) : undefined],
  ];
  return flags.flatMap(([flag, value]) => {
    if (!value || hasFlag(words, flag)) return [];
    return value === true ? [flag] : [flag, value];
  });
}

/** Whether the words of a command decide where it leads. */
const namesTarget = ({ words }: ListedCommand): boolean =>
  ['--base-url', '--config'].some((flag) => hasFlag(words, flag));

function exitOf(code: number): ExitName {
  return (Object.keys(EXITS) as ExitName[]).find((name) => EXITS[name].code === code) ?? 'BUG';
}
