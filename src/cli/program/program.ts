import { join } from 'node:path';
import { Command, Help, Option, type CommanderError } from 'commander';
import { AppError } from '../../core/app-error.ts';
import { suggestion } from '../../core/suggestion.ts';
import {
  COMMAND_GROUPS,
  type CommandGroup,
  type CommandTitle,
  type LoadedCommand,
} from '../command/command.ts';
import { collect } from '../command/flags.ts';
import type { Io } from '../outside/io.ts';
import { removedWord } from './removed-words.ts';
import { SETTINGS, type SettingName } from '../settings/schema.ts';

export interface ParserCallbacks {
  /** Whether help lists every flag of a command. Without it those of an ordinary day are listed. */
  readonly asksForAll: boolean;
  /** A command was typed, and its line is parsed. */
  parsed(command: LoadedCommand, parsed: Command): void;
  /** The program, or a family of commands, was typed without one of its commands. */
  commandMissing(family: Command): void;
}

const WHOLE: ParserCallbacks = { asksForAll: true, parsed: () => undefined, commandMissing: () => undefined };

/** The parts of the outside world that the surface shows or writes to. */
type SurfaceIo = Pick<Io, 'stdout' | 'version' | 'packageFolder'>;

/** Flags that few people need, and seldom: `--help --all` lists them. */
const SELDOM: ReadonlySet<string> = new Set(
  `again batchSize caFile checkPreviouslyAdded concurrency documents exitWithParent
  forceAddToCurrentStatement maxErrors maxRecords onExisting rateLimit record retryFor runDir
  shard showValues timeout`.split(/\s+/),
);

/** The surface for commander. A command that is not loaded has its title only. */
export function buildProgram(
  io: SurfaceIo,
  commands: readonly CommandTitle[],
  callbacks: ParserCallbacks = WHOLE,
): Command {
  const program = withUsageErrors(new Command('dataimport'), io, callbacks);
  program
    .description(
      'Imports notes, transactions, statements and payment instructions from CSV files into the platform, and plays the platform locally.',
    )
    .version(io.version(), '--version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .commandsGroup('Help:')
    .helpCommand('help [command]', 'print help for a command')
    .configureHelp({
      visibleOptions(command) {
        const visible = Help.prototype.visibleOptions.call(this, command);
        if (command === program) return visible;
        const own = visible.filter(({ long }) => long !== '--help');
        return callbacks.asksForAll ? own : own.filter((option) => !SELDOM.has(option.attributeName()));
      },
      optionDescription: describedOption,
      argumentDescription: ({ description }) => description,
      subcommandTerm: (command) => command.name(),
    })
    .showSuggestionAfterError(false);
  for (const option of globalOptions()) program.addOption(option);
  program.addHelpText(
    'after',
    `\nExit codes: docs/exit-codes.md. What a code means: \`dataimport explain <code>\`.\nThe folder docs: ${join(io.packageFolder, 'docs')}`,
  );

  // Commander lists groups in the order in which it meets them.
  for (const group of COMMAND_GROUPS) {
    for (const command of commands) if (command.group === group) addCommand(program, io, command, callbacks);
  }
  return program;
}

/** The description with the choices and the default in one pair of parentheses. */
function describedOption({ description, argChoices, ...option }: Option): string {
  const takesValue = option.required && option.defaultValue !== undefined;
  const byDefault = option.defaultValueDescription ?? (takesValue ? String(option.defaultValue) : undefined);
  const facts = [
    ...(argChoices ? [`choices: ${argChoices.join(', ')}`] : []),
    ...(byDefault === undefined ? [] : [`default: ${byDefault}`]),
  ];
  return facts.length === 0 ? description : `${description} (${facts.join('; ')})`;
}

function globalOptions(): readonly Option[] {
  return [
    new Option('--config <file>', 'configuration file, in place of the nearest dataimport.config.yaml'),
    new Option('--json', 'print exactly one JSON document'),
    new Option('-q, --quiet', 'print results and errors only'),
    new Option('-v, --verbose', 'also print each request'),
    new Option('--no-progress', 'no progress line'),
    new Option('--log-file <file>', 'append events to a file, as NDJSON'),
  ];
}

function addCommand(program: Command, io: SurfaceIo, title: CommandTitle, callbacks: ParserCallbacks): void {
  const names = title.name.split(' ');
  const parent = names.slice(0, -1).reduce((above, name) => {
    const family = above.commands.find((command) => command.name() === name);
    return family ?? withUsageErrors(newFamily(above, name, title.group), io, callbacks);
  }, program);
  const command = withUsageErrors(parent.command(names.at(-1)!), io, callbacks)
    .helpGroup(`${title.group}:`)
    .helpCommand(false)
    .summary(title.summary);
  if (isLoaded(title)) declare(command, title, callbacks);
}

const isLoaded = (title: CommandTitle): title is LoadedCommand => 'declare' in title;

function declare(command: Command, declaration: LoadedCommand, callbacks: ParserCallbacks): void {
  command.description(declaration.description ?? `${declaration.summary}.`);
  declaration.declare(command);
  for (const name of declaration.settings) command.addOption(settingOption(name, declaration));
  const { name, examples } = declaration;
  const more = command.options.some((option) => SELDOM.has(option.attributeName()))
    ? `\`dataimport ${name} --help --all\` lists every flag. `
    : '';
  command.addHelpText(
    'after',
    `\nExamples:\n${examples.map((line) => `  $ ${line}`).join('\n')}\n\n${more}\`dataimport --help\` has the flags that every command takes.`,
  );
  command.action(() => callbacks.parsed(declaration, command));
}

/** Help of commands that only have other commands under them. */
const FAMILY_SUMMARIES: Readonly<Record<string, string>> = {
  admin: 'Operate a local platform that is running',
  contract: "Import, show and compare an operator's own rules",
};

/** The command above others (`runs` of `runs show`), made when the first of them needs it. */
function newFamily(parent: Command, name: string, group: CommandGroup): Command {
  const made = parent.command(name).helpGroup(`${group}:`).helpCommand(false);
  const says = FAMILY_SUMMARIES[name] ?? `${name} commands`;
  return made.summary(says).description(`${says}.`);
}

/** The words typed for a command after `dataimport`: `admin account`; empty for the program itself. */
export function typedName(command: Command): string {
  const { parent } = command;
  return parent ? `${typedName(parent)} ${command.name()}`.trimStart() : '';
}

/** The flag of a setting. Commander gets no default, so that a typed value and a default can be distinguished. */
function settingOption(name: SettingName, { repeated }: LoadedCommand): Option {
  const { flag, says, group, ...setting } = SETTINGS[name];
  if (flag === null) throw new TypeError(`the setting ${name} has no flag`);
  const isRepeated = name === repeated;
  const option = new Option(flag, isRepeated ? `${says}; may be repeated` : says).helpGroup(`${group}:`);
  if (isRepeated) option.argParser(collect);
  return setting.default === null
    ? option
    : option.default(undefined, setting.defaultSays ?? setting.default);
}

/** Turns usage errors into AppErrors that name the command. Commander itself prints nothing but help and the version. */
function withUsageErrors(command: Command, io: SurfaceIo, callbacks: ParserCallbacks): Command {
  return command
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      // Help that nobody asked for. `commandMissing` decides about it.
      writeErr: () => undefined,
      outputError: () => undefined,
      getOutHelpWidth: () => io.stdout.columns ?? 100,
      getErrHelpWidth: () => io.stdout.columns ?? 100,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .exitOverride((error) => {
      if (error.code === 'commander.help') callbacks.commandMissing(command);
      if (error.exitCode === 0 || error.code === 'commander.help') throw error;
      throw new AppError('usage', {
        reason: usageReason(error, command),
        command: typedName(command),
      });
    });
}

/** What is wrong with a command line: on one line, and without words that were typed in the wrong place. They may be keys. */
function usageReason({ code, message }: CommanderError, command: Command): string {
  const [word = '', next] = command.args;
  const removed = word === '' ? undefined : removedWord(typedName(command), word, next);
  if (removed !== undefined) return removed;
  if (code === 'commander.unknownOption') return unknownOption(command);
  const names = command.commands.map((known) => known.name());
  const meant = suggestion(word, names);
  if (code === 'commander.unknownCommand' || (code === 'commander.excessArguments' && meant !== ''))
    return meant === ''
      ? `unknown command; the commands are: ${names.join(', ')}`
      : `unknown command '${word}'${meant}`;
  const said = message.replace(/^error: (?:command-argument value )?/, '').replaceAll(/\s*\n\s*/g, ' ');
  return code === 'commander.excessArguments' ? said.replace(/(but got \d+): .*/, '$1') : said;
}

/** Says where keys go, if the flag looks as if its value were one. The value is not repeated. */
function unknownOption(command: Command): string {
  // Commander leaves in `args` what it does not know, after the operands. Of those only numbers begin with a dash.
  const typed = command.args.filter((word) => /^-./.test(word));
  const word = typed.find((flag) => !/^-[\d.]/.test(flag)) ?? typed[0]!;
  const flag = word.startsWith('--') ? word.split('=')[0]! : word.slice(0, 2);
  const removed = removedWord(typedName(command), flag);
  if (removed !== undefined) return removed;
  let program = command;
  while (program.parent) program = program.parent;
  const known = [...command.options, ...program.options].flatMap(({ long }) => long ?? []);
  const meant = suggestion(flag, known);
  const hint = /key|token|secret|password/i.test(flag)
    ? ': no flag takes a key or token; set DATAIMPORT_API_KEY or DATAIMPORT_TOKEN'
    : meant === '' && command.name() === 'resume'
      ? ': type the command itself with the flag; `dataimport runs` shows its words'
      : meant;
  return `unknown option '${flag}'${hint}`;
}
