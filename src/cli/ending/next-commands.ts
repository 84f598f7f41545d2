import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { commandLine, shellWord, type FlagWords } from '../../core/command-line.ts';
import { AppError } from '../../core/app-error.ts';
import { shardText, type Shard } from '../push/ports/run.ts';
import type { RunFile } from '../run-file/run-file.ts';
import type { RunHeader } from '../run-file/database/run-header.ts';
import type { Settings } from '../settings/settings.ts';

type NamedRun = Pick<RunHeader, 'id' | 'target'>;

/** Commands about a run as they have to be typed here: with every flag that the next command line would not find by itself. */
export type NextCommands = ReturnType<typeof nextCommands>;

/** Flags of the present command line that the next one has to repeat. */
export type RepeatedFlags = { readonly profile?: string; readonly config?: string };

export function nextCommands(settings: Pick<Settings, 'resolved'>, flags: RepeatedFlags, cwd: string) {
  const baseUrl = settings.resolved('baseUrl');
  const typed = (name: 'runDir' | 'caFile' | 'contract'): string | undefined => {
    const found = settings.resolved(name);
    return found?.source.kind === 'flag' ? relative(cwd, found.value) || '.' : undefined;
  };
  const folder: FlagWords = ['--run-dir', typed('runDir')];
  const configuration: readonly FlagWords[] = [
    ['--profile', flags.profile],
    ['--config', flags.config],
  ];
  const show = (id: string): string => commandLine('runs show', [id], [folder, ...configuration]);
  const reaching = (target: string, needsTarget: boolean): readonly FlagWords[] => [
    ['--ca-file', typed('caFile')],
    ['--contract', typed('contract')],
    ['--base-url', needsTarget || baseUrl?.source.kind === 'flag' ? target : undefined],
    ...configuration,
  ];
  return {
    /** Goes on with a run, or with its cohort, from its run file. */
    resume({ id, target }: NamedRun) {
      // Without the setting the run's own target is used. A setting must not lead elsewhere.
      const needsTarget = baseUrl !== undefined && baseUrl.value !== target;
      return commandLine('resume', [id], [folder, ...reaching(target, needsTarget)]);
    },
    /** Lists the accounts of a supplier that are not imported. */
    pending: ({ target }: Pick<RunHeader, 'target'>, supplier: string) =>
      commandLine(
        'accounts --pending',
        [],
        [['--supplier', supplier], ...reaching(target, baseUrl?.value !== target)],
      ),
    show: ({ id }: Pick<RunHeader, 'id'>) => show(id),
    /** Shows the report of a cohort. */
    report: (cohort: string) => commandLine('report', [cohort], [folder, ...configuration]),
    /** The beginning of the command that settles the rows of such a list. */
    confirm: ({ id }: Pick<RunHeader, 'id'>, rows: string) =>
      commandLine('runs confirm', [id], [folder, ['--rows', rows], ...configuration]),
    /** Lists the rows of a run that only a person can settle. */
    unresolved: ({ id }: Pick<RunHeader, 'id'>) =>
      `${show(id)} --unresolved --csv ${shellWord(newList(id, cwd))}`,
  };
}

/** The name of the list of a run that is not there yet: an earlier one may have been handed over. */
function newList(id: string, cwd: string, number = 1): string {
  const name = `unresolved-${id}${number === 1 ? '' : `-${number}`}.csv`;
  return existsSync(join(cwd, name)) ? newList(id, cwd, number + 1) : name;
}

/** The commands of an ending. `again`: goes on with the work. */
export function endingCommands(
  commands: NextCommands,
  { header, choice }: Pick<RunFile, 'header' | 'choice'>,
  again?: string,
) {
  return {
    pending: (supplier: string) => commands.pending(header, supplier),
    again: again ?? commands.resume(header),
    withFiles: sameCommand(choice.words, header.options.selection.shard),
    unresolved: commands.unresolved(header),
  };
}

/** The command that goes on with a run: the same one, or one that needs no files, because standard input is read only once. */
export function goingOn(run: RunHeader, again: string, commands: NextCommands): string {
  return run.sources.some(({ place }) => place === null) ? commands.resume(run) : again;
}

/** The words of the present command as they can be typed again. `shard`: because `--shard auto` means nothing in the shell of a person. */
export function sameCommand(words: readonly string[], shard: Shard | undefined): string {
  return ['dataimport', ...withShard(words, shard)].map(shellWord).join(' ');
}

function withShard(words: readonly string[], shard: Shard | undefined): readonly string[] {
  if (shard === undefined) return words;
  const at = words.findIndex((word) => word === '--shard' || word.startsWith('--shard='));
  // The shard came from a variable.
  if (at < 0) return [...words, '--shard', shardText(shard)];
  return words.toSpliced(at, words[at] === '--shard' ? 2 : 1, '--shard', shardText(shard));
}

/** Names `command` in the failure of a disk, which knows no flags. @throws AppError `run_write_failed` */
export async function namingCommand<T>(command: string, act: () => Promise<T> | T): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'run_write_failed') throw error;
    throw new AppError(error.code, { ...error.facts, resume: command }, error);
  }
}

/** Another target would get the rest of the records. @throws AppError `run_other_target` */
export function assertSameTarget(header: NamedRun, settings: Settings, commands: NextCommands): void {
  const given = settings.get('baseUrl');
  if (given === undefined || given === header.target) return;
  const facts = { run: header.id, expected: header.target, given, resume: commands.resume(header) };
  throw new AppError('run_other_target', facts);
}
