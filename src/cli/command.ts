import type { Command } from 'commander';
import type { ExitName } from './exit-codes.ts';
import type { Io } from './io.ts';
import type { Log } from './log-file.ts';
import type { JsonDocument } from './render/json-output.ts';
import type { SettingName } from './settings/schema.ts';
import type { Settings } from './settings/settings.ts';

/** Headings under which `dataimport --help` lists the commands. */
export const COMMAND_GROUPS = ['Migrate', 'Look', 'Rehearse', 'Help'] as const;
export type CommandGroup = (typeof COMMAND_GROUPS)[number];

/** Flags that every command takes. */
export interface GlobalFlags {
  readonly config?: string;
  readonly profile?: string;
  /** Standard output is one JSON document. */
  readonly json: boolean;
  readonly quiet: boolean;
  readonly verbose: boolean;
  /** False with --no-color; whether colours are shown on a stream is `CommandContext.color`. */
  readonly color: boolean;
  readonly progress: boolean;
  /** False with --no-input: nothing may be asked. */
  readonly input: boolean;
  readonly logFile?: string;
}

/** What a run function has beside its options. */
export interface CommandContext {
  readonly io: Io;
  readonly globals: GlobalFlags;
  /** Whether colours may be written, on each stream by itself. */
  readonly color: { readonly stdout: boolean; readonly stderr: boolean };
  readonly log: Log;
  /**
   * The settings, from flags, environment, files and defaults; read once, on the first call.
   * @throws AppError `setting_invalid` when any that is given is wrong, used or not
   */
  settings(): Promise<Settings>;
  /** Gives THE document of --json, written when everything is closed; without --json it is not asked for again. */
  document<D extends JsonDocument>(document: D): void;
  /** Registers a closing step; the last registered runs first, after the run, however it ended. */
  onClose(close: () => void | Promise<void>): void;
}

/** What the list of commands shows of one. */
export interface CommandTitle {
  /** As it is typed: `status`, or `auth check` for a command of a family. */
  readonly name: string;
  readonly group: CommandGroup;
  /** One line for the list of commands. */
  readonly summary: string;
}

/** One command: its flags and help (no logic), and its run function (no flags). */
export interface CommandDeclaration<Options> extends CommandTitle {
  /** More for `--help` of the command; the summary when left out. */
  readonly description?: string;
  /** A real command line or several. */
  readonly examples: readonly [string, ...string[]];
  /** Settings that the command takes as flags; they reach it through `context.settings()`. */
  readonly settings: readonly SettingName[];
  /**
   * Adds arguments and the command's own flags. `Options` has one property for each: arguments by name, flags in camelCase.
   */
  declare(command: Command): void;
  /** @throws AppError what ends the command; whatever else it throws is reported as a bug */
  run(options: Options, context: CommandContext): Promise<ExitName>;
}

/** A declaration in a list of different ones; the program hands each run function what its own flags gave. */
export type AnyCommand = CommandDeclaration<object>;

/** A command in the list of the program: its title, and its module for when it is typed. */
export interface ListedCommand extends CommandTitle {
  load(): Promise<AnyCommand>;
}
