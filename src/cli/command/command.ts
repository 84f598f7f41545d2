import type { Command } from 'commander';
import type { ExitName } from '../output/exit-codes.ts';
import type { CommandPorts } from './command-ports.ts';
import type { Io } from '../outside/io.ts';
import type { OutputFlags, Result } from '../output/result.ts';
import type { SettingName } from '../settings/schema.ts';
import type { Settings } from '../settings/settings.ts';

/** Headings under which `dataimport --help` lists the commands. */
export const COMMAND_GROUPS = ['Migrate', 'Look', 'Rehearse', 'Help'] as const;
export type CommandGroup = (typeof COMMAND_GROUPS)[number];

export interface GlobalFlags extends OutputFlags {
  readonly config?: string;
  readonly logFile?: string;
}

/** What the run function of a command works with. It reads what it needs and passes values down; no other function takes this. */
export interface CommandContext extends CommandPorts {
  readonly globals: GlobalFlags;
  /** The words of the command line, without the name of the program. */
  readonly words: readonly string[];
  /**
   * The settings, from flags, environment, files and defaults; resolved on the first call.
   * @throws AppError `setting_invalid` when any given setting is wrong, used or not
   */
  settings(): Promise<Settings>;
  /** Runs a command line with an outside world of its own, and resolves with its exit code. */
  runCommandLine(argv: readonly string[], io: Io): Promise<number>;
  /** Every command and flag, with the commands loaded that the words of a command line name. */
  surface(words: readonly string[]): Promise<Command>;
}

export interface CommandEnd {
  readonly exit: ExitName;
  /** Undefined for a command that shows events only. */
  readonly result?: Result;
}

export interface CommandTitle {
  /** As it is typed: `status`, or `runs show` for a command of a family. */
  readonly name: string;
  readonly group: CommandGroup;
  readonly summary: string;
}

/** One command: its flags and help (no logic), and its run function (no flags). */
export interface CommandDeclaration<Options> {
  /** More for `--help` of the command; the summary when left out. */
  readonly description?: string;
  /** One real command line or several. */
  readonly examples: readonly [string, ...string[]];
  /** Settings that the command takes as flags. Their values are in `context.settings()`. */
  readonly settings: readonly SettingName[];
  /** The setting of `settings` whose flag may be typed several times. Its first value is the setting, and `Options` has all of them. */
  readonly repeated?: SettingName;
  /** Adds arguments and the command's own flags. `Options` has a property for each: arguments by name, flags in camelCase. */
  declare(command: Command): void;
  /** @throws AppError what ends the command; anything else it throws is reported as a bug */
  run(options: Options, context: CommandContext): Promise<CommandEnd>;
}

/** A command with its declaration loaded. Its run function gets the options that its own `declare` defined. */
export type LoadedCommand = CommandTitle & CommandDeclaration<object>;

/** A command in the list of the program. Its declaration is loaded when its name is typed. */
export type ListedCommand = CommandTitle & { load(): Promise<CommandDeclaration<object>> };

export async function loaded({ load, ...title }: ListedCommand): Promise<LoadedCommand> {
  return { ...title, ...(await load()) };
}
