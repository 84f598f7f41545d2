import { CommanderError, type Command, type Option } from 'commander';
import { AppError } from '../core/app-error.ts';
import { nearestName } from '../core/suggestion.ts';
import type { AnyCommand, CommandTitle, GlobalFlags, ListedCommand } from './command.ts';
import { applyEnvironment } from './flag-environment.ts';
import type { Io } from './io.ts';
import { wantsJson } from './json-mode.ts';
import { buildProgram, COMMANDS, typedName } from './program.ts';
import type { SettingName } from './settings/schema.ts';
import type { SettingFlags } from './settings/settings.ts';

/** What one command line asks for. */
export interface CommandLine {
  readonly command: AnyCommand;
  /** Arguments by name and the command's own flags in camelCase. */
  readonly options: Readonly<Record<string, unknown>>;
  /** The flags that are settings, as texts. */
  readonly settingFlags: SettingFlags;
  readonly globals: GlobalFlags;
}

/**
 * Reads a command line. Undefined when it asked for help or the version, which is written then.
 * `commands`: those of the program, unless a test has its own.
 * @throws AppError `usage`
 */
export async function parseCommandLine(
  argv: readonly string[],
  io: Io,
  commands: readonly ListedCommand[] = COMMANDS,
): Promise<CommandLine | undefined> {
  let parsed: CommandLine | undefined;
  const program = buildProgram(io, await loadTyped(argv, familyOf(argv, commands)), {
    used(command, used) {
      takeFlagsFromFamily(command, used);
      applyEnvironment(program, io.env);
      applyEnvironment(used, io.env);
      parsed = { command, ...splitOptions(command, used), globals: globalsOf(program) };
    },
    missing(group) {
      // Typed alone it is a question for its help, not a mistake; but a script takes no help for an answer.
      if (wantsJson(argv, io)) throw commandMissing(group);
      group.outputHelp();
    },
  });
  const typed = helpAsFlag(argv, program);
  refuseUnknownName(program, typed);
  try {
    program.parse(typed, { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) return undefined;
    throw error;
  }
  return parsed;
}

/** Behind the name of a command no other is of interest, not even one whose name is the value of a flag. */
function familyOf(argv: readonly string[], commands: readonly ListedCommand[]): readonly ListedCommand[] {
  const family = commands.filter(({ name }) => name.split(' ')[0] === argv[0]);
  return family.length > 0 ? family : commands;
}

/** A command whose name does not occur is not the one that is meant; one whose name does may be. */
function loadTyped(argv: readonly string[], commands: readonly ListedCommand[]): Promise<CommandTitle[]> {
  return Promise.all(
    commands.map(async (listed) => (argv.includes(listed.name.split(' ')[0]!) ? listed.load() : listed)),
  );
}

function commandMissing(group: Command): AppError {
  const known = group.commands.map((command) => command.name()).join(', ');
  const reason = `a command is missing; there are: ${known}`;
  return new AppError('usage', { reason, command: typedName(group) });
}

/**
 * `help admin account` as `admin account --help`: commander's own goes one command deep, and answers a name that does
 * not exist with the help of the program.
 */
function helpAsFlag(argv: readonly string[], program: Command): readonly string[] {
  const first = namesTyped(program, argv).next().value;
  return first?.word === 'help' ? helpAsFlag([...argv.toSpliced(first.at, 1), '--help'], program) : argv;
}

/**
 * Beside --help commander takes no offence at a command that does not exist, and shows the help of the one above.
 * @throws AppError `usage`
 */
function refuseUnknownName(program: Command, argv: readonly string[]): void {
  if (!argv.some((word) => word === '--help' || word === '-h')) return;
  for (const { word, above, command } of namesTyped(program, argv)) {
    if (command) continue;
    const near = nearestName(
      word,
      above.commands.map((known) => known.name()),
    );
    const reason = `unknown command '${word}'${near === undefined ? '' : ` (Did you mean ${near}?)`}`;
    throw new AppError('usage', { reason, command: typedName(above) });
  }
}

/** A word that stands where the name of a command does. */
interface TypedName {
  readonly word: string;
  /** Its index in the command line. */
  readonly at: number;
  /** The command that it would stand under. */
  readonly above: Command;
  /** Undefined where no command has this name. */
  readonly command: Command | undefined;
}

/** The names of a command line, from the outermost inwards, up to the first that no command has. */
function* namesTyped(program: Command, argv: readonly string[]): Generator<TypedName, undefined> {
  let above = program;
  for (let at = 0; at < argv.length && argv[at] !== '--'; at++) {
    const word = argv[at]!;
    const option = optionOf(word, above);
    if (option?.required && !word.includes('=')) at++;
    if (word.startsWith('-')) continue;
    if (above.commands.length === 0) return;
    const command = above.commands.find((candidate) => candidate.name() === word);
    yield { word, at, above, command };
    if (!command) return;
    above = command;
  }
}

/** What a flag means here, in the command or one above it. */
function optionOf(word: string, command: Command): Option | undefined {
  const flag = word.split('=')[0];
  const own = command.options.find(({ long, short }) => flag === long || flag === short);
  return own ?? (command.parent ? optionOf(word, command.parent) : undefined);
}

function globalsOf(program: Command): GlobalFlags {
  return {
    json: false,
    quiet: false,
    verbose: false,
    ...program.opts<Omit<GlobalFlags, 'json' | 'quiet' | 'verbose'>>(),
  };
}

/**
 * Commander gives a flag to the outermost command that has it: in `runs show --run-dir x` to `runs`.
 * @throws AppError `usage` for a flag that only the outer one has
 */
function takeFlagsFromFamily({ name }: AnyCommand, parsed: Command): void {
  const above = parsed.parent;
  for (const option of above?.parent ? above.options : []) {
    const attribute = option.attributeName();
    if (above!.getOptionValueSource(attribute) !== 'cli') continue;
    if (!parsed.options.some((own) => own.attributeName() === attribute)) {
      throw new AppError('usage', { reason: `unknown option '${option.long}'`, command: name });
    }
    parsed.setOptionValueWithSource(attribute, above!.getOptionValue(attribute), 'cli');
  }
}

function splitOptions(
  declaration: AnyCommand,
  parsed: Command,
): Pick<CommandLine, 'options' | 'settingFlags'> {
  const options: Record<string, unknown> = {};
  const settingFlags: Partial<Record<SettingName, string>> = {};
  for (const [index, argument] of parsed.registeredArguments.entries()) {
    options[camelCase(argument.name())] = parsed.processedArgs[index];
  }
  for (const [name, value] of Object.entries(parsed.opts())) {
    const setting = declaration.settings.find((key) => key === name);
    if (setting) settingFlags[setting] = String(value);
    else options[name] = value;
  }
  return { options, settingFlags };
}

function camelCase(name: string): string {
  return name.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
