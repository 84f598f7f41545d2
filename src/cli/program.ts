import { Command, CommanderError, Option } from 'commander';
import { AppError } from '../core/app-error.ts';
import { COMMAND_GROUPS, type AnyCommand, type GlobalFlags } from './command.ts';
import { accounts } from './commands/accounts.ts';
import { authCheck } from './commands/auth.ts';
import { check } from './commands/check.ts';
import { demo } from './commands/demo.ts';
import { explain } from './commands/explain.ts';
import { push } from './commands/push.ts';
import { resume } from './commands/resume.ts';
import { runs } from './commands/runs.ts';
import { runsForget } from './commands/runs-forget.ts';
import { runsShow } from './commands/runs-show.ts';
import { serve } from './commands/serve.ts';
import { status } from './commands/status.ts';
import { applyEnvironment } from './flag-environment.ts';
import type { Io } from './io.ts';
import { SETTINGS, type SettingName } from './settings/schema.ts';
import type { SettingFlags } from './settings/settings.ts';

/** Every command, in the order in which help lists them. */
export const COMMANDS: readonly AnyCommand[] = [
  demo, check, push, resume, runs, runsShow, runsForget, status, accounts, authCheck, serve, explain,
];

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
 * @throws AppError `usage`
 */
export function parseCommandLine(
  argv: readonly string[],
  io: Io,
  commands: readonly AnyCommand[] = COMMANDS,
): CommandLine | undefined {
  let parsed: CommandLine | undefined;
  const program = buildProgram(io, commands, (command, used) => {
    applyEnvironment(program, io.env);
    applyEnvironment(used, io.env);
    parsed = { command, ...splitOptions(command, used), globals: globalsOf(program) };
  });
  try {
    program.parse(argv, { from: 'user' });
  } catch (error) {
    // Typed alone, the program or a group of commands is a question for its help, not a mistake.
    if (error instanceof CommanderError) return undefined;
    throw error;
  }
  return parsed;
}

/** Told which command was typed, once its line is read. */
type Used = (command: AnyCommand, parsed: Command) => void;

/** The whole surface as commander knows it. */
export function buildProgram(
  io: Pick<Io, 'stdout' | 'version'>,
  commands: readonly AnyCommand[] = COMMANDS,
  used: Used = () => undefined,
): Command {
  const program = withUsageErrors(new Command('dataimport'), io);
  program
    .description('Imports notes, transactions, statements and payment instructions from CSV files into the platform,\nand plays the platform locally.')
    .version(io.version(), '--version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .commandsGroup('Help:')
    .helpCommand('help [command]', 'print help for a command')
    .configureHelp({ showGlobalOptions: true })
    .showSuggestionAfterError(true);
  for (const option of globalOptions()) program.addOption(option);
  program.addHelpText('after', '\nExit codes: docs/exit-codes.md. What a code means: `dataimport explain <code>`.');

  // Commander lists groups in the order in which it meets them.
  for (const group of COMMAND_GROUPS) {
    for (const command of commands) if (command.group === group) addCommand(program, io, command, used);
  }
  return program;
}

function globalOptions(): readonly Option[] {
  return [
    new Option('--config <file>', 'configuration file, in place of the nearest dataimport.config.yaml'),
    new Option('--profile <name>', 'named set of settings in the configuration files'),
    new Option('--json', 'print exactly one JSON document'),
    new Option('-q, --quiet', 'print results and errors only'),
    new Option('-v, --verbose', 'print more of what happens'),
    new Option('--no-color', 'no colours'),
    new Option('--no-progress', 'no progress line'),
    new Option('--no-input', 'never ask anything'),
    new Option('--log-file <file>', 'append what happens to a file, as NDJSON'),
  ];
}

function globalsOf(program: Command): GlobalFlags {
  return { json: false, quiet: false, verbose: false, ...program.opts<Omit<GlobalFlags, 'json' | 'quiet' | 'verbose'>>() };
}

function addCommand(program: Command, io: Pick<Io, 'stdout'>, declaration: AnyCommand, used: Used): void {
  const names = declaration.name.split(' ');
  const parent = names.slice(0, -1).reduce((above, name) => groupIn(above, io, name, declaration.group), program);
  const command = withUsageErrors(parent.command(names.at(-1)!), io, declaration.name)
    .helpGroup(`${declaration.group}:`)
    .helpCommand(false)
    .summary(declaration.summary)
    .description(declaration.description ?? `${declaration.summary}.`);
  declaration.declare(command);
  for (const name of declaration.settings) command.addOption(settingOption(name));
  command.addHelpText('after', `\nExamples:\n${declaration.examples.map((line) => `  $ ${line}`).join('\n')}`);
  command.action(() => used(declaration, command));
}

/** What help says of commands that only have others under them. */
const FAMILY_SUMMARIES: Readonly<Record<string, string>> = { auth: 'Check the credentials' };

/** The command that others stand under (`auth` of `auth check`), made when the first of them asks for it. */
function groupIn(parent: Command, io: Pick<Io, 'stdout'>, name: string, group: string): Command {
  const existing = parent.commands.find((command) => command.name() === name);
  if (existing) return existing;
  const made = withUsageErrors(parent.command(name), io, name).helpGroup(`${group}:`).helpCommand(false);
  return made.summary(FAMILY_SUMMARIES[name] ?? `${name} commands`);
}

/** The flag of a setting. No default here: what was typed has to stay apart from what was not. */
function settingOption(name: SettingName): Option {
  const setting = SETTINGS[name];
  if (setting.flag === null) throw new TypeError(`the setting ${name} has no flag`);
  return new Option(setting.flag, setting.default === null ? setting.says : `${setting.says} (default: ${setting.default})`);
}

function splitOptions(declaration: AnyCommand, parsed: Command): Pick<CommandLine, 'options' | 'settingFlags'> {
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

/** Usage errors become AppErrors that know the command; commander itself prints nothing but help and the version. */
function withUsageErrors(command: Command, io: Pick<Io, 'stdout'>, name = ''): Command {
  return command
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stdout.write(text),
      outputError: () => undefined,
      getOutHelpWidth: () => io.stdout.columns ?? 100,
      getErrHelpWidth: () => io.stdout.columns ?? 100,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .exitOverride((error) => {
      if (error.exitCode === 0 || error.code === 'commander.help') throw error;
      const reason = error.message.replace(/^error: /, '').replaceAll(/\s*\n\s*/g, ' ');
      throw new AppError('usage', { reason, command: name });
    });
}

function camelCase(name: string): string {
  return name.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
