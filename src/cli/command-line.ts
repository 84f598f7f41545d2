import { CommanderError, type Command, type Option } from 'commander';
import { AppError } from '../core/app-error.ts';
import type { AnyCommand, CommandTitle, GlobalFlags, ListedCommand } from './command.ts';
import { applyEnvironment } from './flag-environment.ts';
import type { Io } from './io.ts';
import { buildProgram, COMMANDS } from './program.ts';
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
  const program = buildProgram(io, await loadTyped(argv, familyOf(argv, commands)), (command, used) => {
    takeFlagsFromFamily(command, used);
    applyEnvironment(program, io.env);
    applyEnvironment(used, io.env);
    parsed = { command, ...splitOptions(command, used), globals: globalsOf(program) };
  });
  refuseUnknownName(program, argv);
  try {
    program.parse(argv, { from: 'user' });
  } catch (error) {
    // Typed alone, the program or a group of commands is a question for its help, not a mistake.
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

/**
 * Beside --help commander takes no offence at a command that does not exist, and shows the help of the one above.
 * @throws AppError `usage`
 */
function refuseUnknownName(program: Command, argv: readonly string[]): void {
  if (!argv.some((word) => word === '--help' || word === '-h')) return;
  let command = program;
  for (let at = 0; at < argv.length && argv[at] !== '--'; at++) {
    const word = argv[at]!;
    const option = optionOf(word, command);
    if (option?.required && !word.includes('=')) at++;
    if (word.startsWith('-')) continue;
    if (command.commands.length === 0) return;
    const next = command.commands.find((candidate) => candidate.name() === word);
    if (!next && command === program && word === 'help') return;
    if (!next) throw new AppError('usage', { reason: `unknown command '${word}'`, command: '' });
    command = next;
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
