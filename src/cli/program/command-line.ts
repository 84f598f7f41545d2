import { CommanderError, type Command, type Option, InvalidArgumentError } from 'commander';
import { AppError } from '../../core/app-error.ts';
import { homePath } from '../../files/home-path.ts';
import {
  loaded,
  type CommandTitle,
  type GlobalFlags,
  type ListedCommand,
  type LoadedCommand,
} from '../command/command.ts';
import { COMMANDS } from './command-list.ts';
import type { Io } from '../outside/io.ts';
import { wantsJson } from './typed-flags.ts';
import { buildProgram, typedName } from './program.ts';
import { removedVariable } from './removed-words.ts';
import type { SettingFlags } from '../settings/layer.ts';
import { type SettingName, SETTING_NAMES, variableOf } from '../settings/schema.ts';

export interface CommandLine {
  readonly command: LoadedCommand;
  /** Arguments by name and the command's own flags in camelCase. */
  readonly options: Readonly<Record<string, unknown>>;
  /** The flags that are settings, as texts. */
  readonly settingFlags: SettingFlags;
  readonly globals: GlobalFlags;
}

/**
 * Parses a command line. Undefined when it asked for help or the version, which is written then.
 * `commands`: the commands of the program, unless a test has its own.
 * @throws AppError `usage`
 */
export async function parseCommandLine(
  argv: readonly string[],
  io: Io,
  commands: readonly ListedCommand[] = COMMANDS,
): Promise<CommandLine | undefined> {
  let line: CommandLine | undefined;
  // Commander's own `help` goes one command deep.
  const words = argv[0] === 'help' ? [...argv.filter((word) => word !== 'help'), '--help'] : argv;
  const asksForAll = words.includes('--all') && words.some((word) => word === '--help' || word === '-h');
  const loaded = await loadTyped(words, familyOf(words, commands));
  const program = buildProgram(io, loaded, {
    asksForAll,
    parsed(command, parsed) {
      takeFlagsFromFamily(command, parsed);
      applyEnvironment([program, parsed], io.env);
      line = { command, ...splitOptions(command, parsed, io), globals: globalsOf(program, io) };
    },
    commandMissing(family) {
      // A family typed alone asks for its help. A script with --json gets an error, because help is no document.
      if (!wantsJson(argv, io)) return family.outputHelp();
      const known = family.commands.map((command) => command.name()).join(', ');
      const reason = `a command is missing; the commands are: ${known}`;
      throw new AppError('usage', { reason, command: typedName(family) });
    },
  });
  try {
    program.parse(
      words.filter((word) => !asksForAll || word !== '--all'),
      { from: 'user' },
    );
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return undefined;
  }
  return line;
}

/** Every command and flag, with the commands loaded that the words name. */
export async function surfaceOf(
  words: readonly string[],
  io: Io,
  commands: readonly ListedCommand[] = COMMANDS,
): Promise<Command> {
  return buildProgram(io, await loadTyped(words, familyOf(words, commands)));
}

/** After the name of a command no other command matters, not even one whose name is the value of a flag. */
function familyOf(argv: readonly string[], commands: readonly ListedCommand[]): readonly ListedCommand[] {
  const family = commands.filter(({ name }) => name.split(' ')[0] === argv[0]);
  return family.length > 0 ? family : commands;
}

/** Loads every command whose name occurs in the line. Only those can be meant. */
function loadTyped(argv: readonly string[], commands: readonly ListedCommand[]): Promise<CommandTitle[]> {
  return Promise.all(
    commands.map(async (listed) => (argv.includes(listed.name.split(' ')[0]!) ? loaded(listed) : listed)),
  );
}

function globalsOf(program: Command, io: Io): GlobalFlags {
  const given = program.opts<Omit<GlobalFlags, 'json' | 'quiet' | 'verbose'>>();
  return { json: false, quiet: false, verbose: false, ...withHome(given, io) };
}

/** The values of flags and arguments, those of variables among them, with the home folder in place of `~`. @throws AppError `usage` */
function withHome<T extends object>(values: T, { homeDir }: Io): T {
  const text = (value: unknown): unknown => (typeof value === 'string' ? homePath(value, homeDir) : value);
  const entries = Object.entries(values).map(([name, value]: [string, unknown]) => [
    name,
    Array.isArray(value) ? value.map(text) : text(value),
  ]);
  return Object.fromEntries(entries) as T;
}

/**
 * Commander gives a flag to the outermost command that declares it: in `runs show --run-dir x` to `runs`.
 * @throws AppError `usage` for a flag that only the outer command has
 */
function takeFlagsFromFamily({ name }: LoadedCommand, parsed: Command): void {
  const above = parsed.parent;
  for (const option of above?.parent ? above.options : []) {
    const attribute = option.attributeName();
    if (above!.getOptionValueSource(attribute) !== 'cli') continue;
    if (!parsed.options.some((own) => own.attributeName() === attribute))
      throw new AppError('usage', { reason: `unknown option '${option.long}'`, command: name });
    parsed.setOptionValueWithSource(attribute, above!.getOptionValue(attribute), 'cli');
  }
}

function splitOptions(
  declaration: LoadedCommand,
  parsed: Command,
  io: Io,
): Pick<CommandLine, 'options' | 'settingFlags'> {
  const options: Record<string, unknown> = {};
  const settingFlags: Partial<Record<SettingName, string>> = {};
  for (const [index, argument] of parsed.registeredArguments.entries()) {
    options[argument.name()] = parsed.processedArgs[index];
  }
  for (const [name, value] of Object.entries(parsed.opts())) {
    const setting = declaration.settings.find((key) => key === name);
    const isRepeated = setting === declaration.repeated;
    if (setting) settingFlags[setting] = String(isRepeated ? (value as readonly string[])[0] : value);
    if (!setting || isRepeated) options[name] = value;
  }
  return { options: withHome(options, io), settingFlags };
}

// The variable of a setting never sets a flag of the same name.
const SETTING_VARIABLES: ReadonlySet<string> = new Set(SETTING_NAMES.map(variableOf));

// Credentials of the platform. `serve --api-key` is the key of the local platform and has a variable of its own.
const CREDENTIAL_VARIABLES: ReadonlySet<string> = new Set(['DATAIMPORT_API_KEY', 'DATAIMPORT_TOKEN']);

/** The variable of a flag: `--no-progress` → `DATAIMPORT_NO_PROGRESS`, `serve --api-key` → `DATAIMPORT_SERVE_API_KEY`. */
function variableOfFlag(command: Command, longFlag: string): string {
  const name = longFlag.replace(/^--/, '').replaceAll('-', '_').toUpperCase();
  const variable = `DATAIMPORT_${name}`;
  return CREDENTIAL_VARIABLES.has(variable) ? `DATAIMPORT_${command.name().toUpperCase()}_${name}` : variable;
}

/**
 * Gives the flags that were not typed their values from the environment, one variable for each flag. `settings/` reads
 * the variables of settings, because it remembers where a value came from.
 * @throws AppError `usage` when the value of a variable is wrong, and for a variable that did something before and does nothing now
 */
function applyEnvironment(commands: readonly Command[], env: Io['env']): void {
  const read = new Set(SETTING_VARIABLES);
  for (const command of commands) {
    for (const option of command.options) {
      const variable = variableOfFlag(command, option.long!);
      if (SETTING_VARIABLES.has(variable)) continue;
      read.add(variable);
      const attribute = option.attributeName();
      const isTyped = command.getOptionValueSource(attribute) === 'cli';
      const text = env[variable];
      if (text === undefined || isTyped || attribute === 'version') continue;
      command.setOptionValueWithSource(attribute, valueOf(option, text, variable), 'env');
    }
  }
  const command = typedName(commands.at(-1)!);
  for (const variable of Object.keys(env)) {
    if (!variable.startsWith('DATAIMPORT_') || read.has(variable)) continue;
    const reason = removedVariable(command, variable);
    if (reason !== undefined) throw new AppError('usage', { reason, command });
  }
}

function valueOf(option: Option, text: string, variable: string): unknown {
  if (option.isBoolean() || option.negate) return booleanOf(text, variable) !== option.negate;
  try {
    return option.parseArg ? option.parseArg(text, undefined) : text;
  } catch (error) {
    if (!(error instanceof InvalidArgumentError)) throw error;
    throw new AppError('usage', { reason: `${variable}: ${error.message}`, command: '' }, error);
  }
}

function booleanOf(text: string, variable: string): boolean {
  if (['1', 'true', 'yes', 'on'].includes(text.toLowerCase())) return true;
  if (['0', 'false', 'no', 'off', ''].includes(text.toLowerCase())) return false;
  throw new AppError('usage', { reason: `${variable} must be true or false`, command: '' });
}
