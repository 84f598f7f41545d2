import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { commandLine, shellWord, type FlagWords } from '../../core/command-line.ts';
import { AppError } from '../../core/app-error.ts';
import { shardText, type Shard } from '../push/ports/run.ts';
import type { Reading } from '../journal/reading.ts';
import type { RunHeader } from '../journal/database/run-header.ts';
import { typedFlags, type Settings } from '../settings/settings.ts';

/** Commands about a run as they have to be typed here: with every flag that the next command line would not find by itself. */
export type NextCommands = ReturnType<typeof nextCommands>;

/** Flags of the present command line that the next one has to repeat. */
export type RepeatedFlags = { readonly config?: string };

/** The typed flags that another command about the same files has to repeat. */
export const repeatedFlags = (
  settings: Pick<Settings, 'resolved'>,
  { config }: RepeatedFlags,
): readonly FlagWords[] => [
  ...typedFlags(settings, ['supplier', 'contract', 'runDir', 'baseUrl']),
  ['--config', config],
];

/** `folder`: that of the journals, where it is not the one of the settings. */
export function nextCommands(
  settings: Pick<Settings, 'resolved'>,
  flags: RepeatedFlags,
  cwd: string,
  folder?: string,
) {
  const baseUrl = settings.resolved('baseUrl');
  const typed = (name: 'runDir' | 'caFile' | 'contract'): string | undefined => {
    const found = settings.resolved(name);
    return found?.source.kind === 'flag' ? relative(cwd, found.value) || '.' : undefined;
  };
  const isOther = folder !== undefined && folder !== settings.resolved('runDir')?.value;
  const runDir = isOther ? relative(cwd, folder) || '.' : typed('runDir');
  const named: readonly FlagWords[] = [
    ['--run-dir', runDir],
    ['--config', flags.config],
  ];
  const show = ({ id }: Pick<RunHeader, 'id'>): string => commandLine('runs show', [id], named);
  const leadsTo = (target: string): boolean => baseUrl?.value === target && baseUrl.source.kind !== 'flag';
  return {
    /** The command that sent a reading, as it leads here to the same journal and target. */
    again({ header, choice: { words } }: Pick<Reading, 'header' | 'choice'>) {
      const needsTarget = !hasFlag(words, '--base-url') && !leadsTo(header.target);
      const added = [
        ...(hasFlag(words, '--run-dir') || runDir === undefined ? [] : ['--run-dir', runDir]),
        ...(needsTarget ? ['--base-url', header.target] : []),
      ];
      return sameCommand(withFlags(words, added), header.options.selection.shard);
    },
    /** Types the last command of the folder again. `target`: of that command. */
    resume: (target: string) => commandLine('resume', [], [...named, ['--base-url', target]]),
    /** Lists the accounts of a supplier that are not imported. */
    pending: ({ target }: Pick<RunHeader, 'target'>, supplier: string) =>
      commandLine(
        'accounts --state pending',
        [],
        [
          ['--supplier', supplier],
          ['--ca-file', typed('caFile')],
          ['--contract', typed('contract')],
          ['--base-url', leadsTo(target) ? undefined : target],
          ...named.slice(1),
        ],
      ),
    show,
    /** Says what is left of a cohort. `file`: the cohort file as it was typed. */
    verify: (file: string) => commandLine('verify', [file], named),
    /** The beginning of the command that settles the rows of such a list. */
    confirm: ({ id }: Pick<RunHeader, 'id'>, rows: string) =>
      commandLine('runs confirm', [id], [...named, ['--rows', rows]]),
    /** Lists the rows of a run that only a person can settle. */
    unresolved: (run: Pick<RunHeader, 'id'>) =>
      `${show(run)} --unresolved --csv ${shellWord(newList(run.id, cwd))}`,
  };
}

/** The name of the list of a run that is not there yet: an earlier one may have been handed over. */
function newList(id: string, cwd: string, number = 1): string {
  const name = `unresolved-${id}${number === 1 ? '' : `-${number}`}.csv`;
  return existsSync(join(cwd, name)) ? newList(id, cwd, number + 1) : name;
}

/** The words of the present command as they can be typed again. `shard`: because `--shard auto` means nothing in the shell of a person. */
export function sameCommand(words: readonly string[], shard?: Shard): string {
  return ['dataimport', ...withShard(words, shard)].map(shellWord).join(' ');
}

export const hasFlag = (words: readonly string[], flag: string): boolean =>
  words.some((word) => word === flag || word.startsWith(`${flag}=`));

/** Adds flags to the words of a command. A `--` ends the flags, so they go before it. */
export function withFlags(words: readonly string[], flags: readonly string[]): readonly string[] {
  return words.toSpliced(words.includes('--') ? words.indexOf('--') : words.length, 0, ...flags);
}

function withShard(words: readonly string[], shard?: Shard): readonly string[] {
  if (shard === undefined) return words;
  const at = words.findIndex((word) => word === '--shard' || word.startsWith('--shard='));
  // The shard came from a variable.
  if (at < 0) return withFlags(words, ['--shard', shardText(shard)]);
  return words.toSpliced(at, words[at] === '--shard' ? 2 : 1, '--shard', shardText(shard));
}

/** Names `command` in the failure of a disk, which knows no flags. */
export async function namingCommand<T>(command: string, act: () => Promise<T> | T): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'run_write_failed') throw error;
    throw new AppError(error.code, { ...error.facts, resume: command }, error);
  }
}
