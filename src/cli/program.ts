import { join } from 'node:path';
import { Command, Option } from 'commander';
import { AppError } from '../core/app-error.ts';
import {
  COMMAND_GROUPS,
  type AnyCommand,
  type CommandGroup,
  type CommandTitle,
  type ListedCommand,
} from './command.ts';
import { ADMIN_TITLES, type AdminName } from './commands/admin-titles.ts';
import type { Io } from './io.ts';
import { SETTINGS, type SettingName } from './settings/schema.ts';
import { usageReason } from './usage-reason.ts';

/**
 * Every command, in the order in which help lists them. Its module is loaded when its name is typed: what a push
 * needs would make `--help` three times as slow.
 */
export const COMMANDS: readonly ListedCommand[] = [
  listed(
    'demo',
    'Rehearse',
    'Run a whole migration of sample data on this machine',
    async () => (await import('./commands/demo.ts')).demo,
  ),
  listed(
    'check',
    'Migrate',
    'Read and check CSV files, send nothing',
    async () => (await import('./commands/check.ts')).check,
  ),
  listed(
    'push',
    'Migrate',
    'Send the records of CSV files to the platform',
    async () => (await import('./commands/push.ts')).push,
  ),
  listed(
    'resume',
    'Migrate',
    'Go on with a run that did not finish',
    async () => (await import('./commands/resume.ts')).resume,
  ),
  listed(
    'retry',
    'Migrate',
    'Send the refused or doubtful records of a run again',
    async () => (await import('./commands/retry.ts')).retry,
  ),
  listed(
    'runs',
    'Look',
    'List the runs on this machine',
    async () => (await import('./commands/runs.ts')).runs,
  ),
  listed(
    'runs show',
    'Look',
    'Show what one run did',
    async () => (await import('./commands/runs-show.ts')).runsShow,
  ),
  listed(
    'runs forget',
    'Look',
    'Erase the payloads of a run',
    async () => (await import('./commands/runs-forget.ts')).runsForget,
  ),
  listed(
    'status',
    'Look',
    'Show how far the import of one account has come',
    async () => (await import('./commands/status.ts')).status,
  ),
  listed(
    'accounts',
    'Look',
    'List the accounts of a supplier and whether they are imported',
    async () => (await import('./commands/accounts.ts')).accounts,
  ),
  listed(
    'auth check',
    'Look',
    'Obtain a token and say who answers, without showing it',
    async () => (await import('./commands/auth.ts')).authCheck,
  ),
  listed(
    'serve',
    'Rehearse',
    'Run the platform on this machine, to rehearse against',
    async () => (await import('./commands/serve.ts')).serve,
  ),
  listed(
    'serve schema',
    'Rehearse',
    'Print the JSON Schema of seed files, for editors',
    async () => (await import('./commands/serve/schema.ts')).serveSchema,
  ),
  listed(
    'replay',
    'Rehearse',
    'Run fixture migrations and compare with what they expect',
    async () => (await import('./commands/replay.ts')).replay,
  ),
  ...Object.entries(ADMIN_TITLES).map(([name, summary]) =>
    listed(name, 'Rehearse', summary, async () =>
      (await import('./commands/admin.ts')).adminCommand(name as AdminName),
    ),
  ),
  listed(
    'inspect',
    'Look',
    'Find out what a file is: encoding, delimiter, columns',
    async () => (await import('./commands/inspect.ts')).inspect,
  ),
  listed(
    'map init',
    'Migrate',
    'Write a mapping for a file, from what the file shows',
    async () => (await import('./commands/map-init.ts')).mapInit,
  ),
  listed(
    'map check',
    'Migrate',
    'Check a mapping file, alone or with a file it is for',
    async () => (await import('./commands/map-check.ts')).mapCheck,
  ),
  listed(
    'map preview',
    'Migrate',
    'Show the exact request that one row becomes',
    async () => (await import('./commands/map-preview.ts')).mapPreview,
  ),
  listed(
    'map schema',
    'Migrate',
    'Print the JSON Schema of mapping files, for editors',
    async () => (await import('./commands/map-schema.ts')).mapSchema,
  ),
  listed(
    'explain',
    'Help',
    'Say what a code means and what to do about it',
    async () => (await import('./commands/explain.ts')).explain,
  ),
];

/** Whoever reads a command line, told what the parser meets. */
export interface Reader {
  /** Which command was typed, once its line is read. */
  used(command: AnyCommand, parsed: Command): void;
  /** The program, or a group of commands, was typed without one of its commands. */
  missing(group: Command): void;
}

const NOBODY: Reader = { used: () => undefined, missing: () => undefined };

/** What of the world the surface shows or writes to. */
type Surroundings = Pick<Io, 'stdout' | 'version' | 'packageFolder'>;

/** The surface as commander knows it; of a command that is not loaded, its title. */
export function buildProgram(
  io: Surroundings,
  commands: readonly CommandTitle[],
  reader: Reader = NOBODY,
): Command {
  const program = withUsageErrors(new Command('dataimport'), io, reader);
  program
    .description(
      'Imports notes, transactions, statements and payment instructions from CSV files into the platform, and plays the platform locally.',
    )
    .version(io.version(), '--version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .commandsGroup('Help:')
    .helpCommand('help [command]', 'print help for a command')
    .configureHelp({
      showGlobalOptions: true,
      // Those of the program alone: `runs show` has its own --run-dir, whatever `runs` has.
      visibleGlobalOptions: (command) => (command === program ? [] : [...program.options]),
      subcommandTerm: (command) => command.name(),
    })
    .showSuggestionAfterError(true);
  for (const option of globalOptions()) program.addOption(option);
  program.addHelpText(
    'after',
    `\nExit codes: docs/exit-codes.md. What a code means: \`dataimport explain <code>\`.\nThe folder docs: ${join(io.packageFolder, 'docs')}`,
  );

  // Commander lists groups in the order in which it meets them.
  for (const group of COMMAND_GROUPS) {
    for (const command of commands) if (command.group === group) addCommand(program, io, command, reader);
  }
  return program;
}

function listed(
  name: string,
  group: CommandGroup,
  summary: string,
  load: () => Promise<AnyCommand>,
): ListedCommand {
  return { name, group, summary, load };
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

function addCommand(program: Command, io: Surroundings, title: CommandTitle, reader: Reader): void {
  const names = title.name.split(' ');
  const parent = names.slice(0, -1).reduce((above, name) => {
    const family = above.commands.find((command) => command.name() === name);
    return family ?? withUsageErrors(newFamily(above, name, title.group), io, reader);
  }, program);
  const command = withUsageErrors(parent.command(names.at(-1)!), io, reader)
    .helpGroup(`${title.group}:`)
    .helpCommand(false)
    .summary(title.summary);
  if (isDeclared(title)) declare(command, title, reader);
}

function declare(command: Command, declaration: AnyCommand, reader: Reader): void {
  command.description(declaration.description ?? `${declaration.summary}.`);
  declaration.declare(command);
  for (const name of declaration.settings) command.addOption(settingOption(name));
  command.addHelpText(
    'after',
    `\nExamples:\n${declaration.examples.map((line) => `  $ ${line}`).join('\n')}`,
  );
  command.action(() => reader.used(declaration, command));
}

/** What help says of commands that only have others under them. */
const FAMILY_SUMMARIES: Readonly<Record<string, string>> = {
  admin: 'Operate a local platform that is running',
  account: 'List accounts, and take them through their import',
  auth: 'Check the credentials',
  map: 'Write, check and try mapping files',
  snapshot: 'Keep everything stored under a name, and bring it back',
  state: 'Write everything stored to a file, and take it back',
};

function isDeclared(title: CommandTitle): title is AnyCommand {
  return 'declare' in title;
}

/** The command that others stand under (`auth` of `auth check`), made when the first of them asks for it. */
function newFamily(parent: Command, name: string, group: CommandGroup): Command {
  const made = parent.command(name).helpGroup(`${group}:`).helpCommand(false);
  return made.summary(FAMILY_SUMMARIES[name] ?? `${name} commands`);
}

/** What is typed for a command behind `dataimport`: `admin account`; for the program nothing. */
export function typedName(command: Command): string {
  const { parent } = command;
  return parent ? `${typedName(parent)} ${command.name()}`.trimStart() : '';
}

/** The flag of a setting. No default here: what was typed has to stay apart from what was not. */
function settingOption(name: SettingName): Option {
  const setting = SETTINGS[name];
  if (setting.flag === null) throw new TypeError(`the setting ${name} has no flag`);
  return new Option(
    setting.flag,
    setting.default === null ? setting.says : `${setting.says} (default: ${setting.default})`,
  );
}

/** Usage errors become AppErrors that know the command; commander itself prints nothing but help and the version. */
function withUsageErrors(command: Command, io: Surroundings, reader: Reader): Command {
  return command
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      // Help that nobody asked for: what becomes of it is the reader's.
      writeErr: () => undefined,
      outputError: () => undefined,
      getOutHelpWidth: () => io.stdout.columns ?? 100,
      getErrHelpWidth: () => io.stdout.columns ?? 100,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .exitOverride((error) => {
      if (error.code === 'commander.help') reader.missing(command);
      if (error.exitCode === 0 || error.code === 'commander.help') throw error;
      throw new AppError('usage', { reason: usageReason(error.message), command: typedName(command) });
    });
}
