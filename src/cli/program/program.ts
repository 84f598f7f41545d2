import { join } from 'node:path';
import { Command, Help, InvalidArgumentError, Option, type Argument, type CommanderError } from 'commander';
import { AppError } from '../../core/app-error.ts';
import { RESOURCES } from '../../core/contract/resources.ts';
import { suggestion } from '../../core/suggestion.ts';
import {
  COMMAND_GROUPS,
  OPTION_GROUPS,
  type CommandGroup,
  type CommandTitle,
  type LoadedCommand,
  type OptionGroup,
} from '../command/command.ts';
import { collect } from '../command/flags.ts';
import type { Io } from '../outside/io.ts';
import { removedWord } from './removed-words.ts';
import { SETTINGS, type SettingName } from '../settings/schema.ts';

export interface ParserCallbacks {
  /** A command was typed, and its line is parsed. */
  parsed(command: LoadedCommand, parsed: Command): void;
  /** The program, or a family of commands, was typed without one of its commands. */
  commandMissing(family: Command): void;
}

const NO_CALLBACKS: ParserCallbacks = { parsed: () => undefined, commandMissing: () => undefined };

/** The parts of the outside world that the surface shows or writes to. */
type SurfaceIo = Pick<Io, 'stdout' | 'version' | 'packageFolder'>;

/** The surface for commander. A command that is not loaded has its title only. */
export function buildProgram(
  io: SurfaceIo,
  commands: readonly CommandTitle[],
  callbacks: ParserCallbacks = NO_CALLBACKS,
): Command {
  const program = withUsageErrors(new Command('dataimport'), io, callbacks);
  program
    .description(
      'Imports notes, transactions, statements and payment instructions from CSV files into the platform, and plays the platform locally.',
    )
    .version(io.version(), '--version', 'print the version')
    .addHelpOption(HELP_OPTION)
    .commandsGroup('Help:')
    .helpCommand('help [command]', 'print help for a command')
    .configureHelp({
      showGlobalOptions: true,
      // Only the options of the program: `runs show` has its own --run-dir, whatever options `runs` has.
      visibleGlobalOptions: (command) =>
        command === program
          ? []
          : [...program.options.filter(({ long }) => long !== '--version'), HELP_OPTION],
      visibleOptions(command) {
        const visible = Help.prototype.visibleOptions.call(this, command);
        return command === program ? visible : visible.filter((option) => option !== HELP_OPTION);
      },
      groupItems: (_, visible, groupOf) =>
        new Map(
          [...Map.groupBy(visible, groupOf)].toSorted(
            ([one], [other]) => rankOfGroup(one) - rankOfGroup(other),
          ),
        ),
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

const HELP_OPTION = new Option('-h, --help', 'print help');

/** Options without a heading of ours come first, and commands keep their order. */
function rankOfGroup(heading: string): number {
  const known = heading.startsWith(ONLY_WITH) ? headingOf('Pace') : heading;
  return OPTION_GROUPS.findIndex((group) => headingOf(group) === known);
}

/** Begins the heading of the pace of a command that seldom sends. */
const ONLY_WITH = 'Only with ';

const headingOf = (group: OptionGroup): string => `${group}:`;

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
    new Option('--profile <name>', 'named set of settings in the configuration files'),
    new Option('--json', 'print exactly one JSON document'),
    new Option('-q, --quiet', 'print results and errors only'),
    new Option('-v, --verbose', 'also print each request'),
    new Option('--no-color', 'no colours'),
    new Option('--no-progress', 'no progress line'),
    new Option('--no-input', 'never ask anything'),
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
  for (const taking of [...command.options, ...command.registeredArguments]) suggestChoice(taking);
  command.addHelpText(
    'after',
    `\nExamples:\n${declaration.examples.map((line) => `  $ ${line}`).join('\n')}`,
  );
  command.action(() => callbacks.parsed(declaration, command));
}

/** Adds the choice that was probably meant to what commander says about a wrong one. */
function suggestChoice(taking: Option | Argument): void {
  const { argChoices, parseArg } = taking;
  if (!argChoices || !parseArg) return;
  taking.argParser<unknown>((text, earlier) => {
    const near = argChoices.includes(text) ? '' : suggestion(text, argChoices);
    if (near !== '') throw new InvalidArgumentError(`Allowed choices are ${argChoices.join(', ')}${near}`);
    return parseArg(text, earlier);
  });
}

/** Help of commands that only have other commands under them. */
const FAMILY_SUMMARIES: Readonly<Record<string, string>> = {
  admin: 'Operate a local platform that is running',
  contract: "Import, show and compare an operator's own rules",
};

/** The command above others (`runs` of `runs show`), made when the first of them needs it. */
function newFamily(parent: Command, name: string, group: CommandGroup): Command {
  const made = parent.command(name).helpGroup(`${group}:`).helpCommand(false);
  return made.summary(FAMILY_SUMMARIES[name] ?? `${name} commands`);
}

/** The words typed for a command after `dataimport`: `admin account`; empty for the program itself. */
export function typedName(command: Command): string {
  const { parent } = command;
  return parent ? `${typedName(parent)} ${command.name()}`.trimStart() : '';
}

/** The flag of a setting. Commander gets no default, so that a typed value and a default can be distinguished. */
function settingOption(name: SettingName, { sendsWith, repeated }: LoadedCommand): Option {
  const { flag, says, group, ...setting } = SETTINGS[name];
  if (flag === null) throw new TypeError(`the setting ${name} has no flag`);
  const heading =
    group === 'Pace' && sendsWith !== undefined ? `${ONLY_WITH}${sendsWith}:` : headingOf(group);
  const isRepeated = name === repeated;
  const option = new Option(flag, isRepeated ? `${says}; may be repeated` : says).helpGroup(heading);
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
  if (code === 'commander.excessArguments') {
    const expected = command.registeredArguments.length;
    return `too many arguments for '${command.name()}'. Expected ${expected} argument${expected === 1 ? '' : 's'} but got ${command.args.length}`;
  }
  if (code === 'commander.unknownOption') return unknownOption(command);
  const order = code === 'commander.missingArgument' || code === 'commander.invalidArgument';
  if (order && isFileFirst(command)) return fileFirst(command);
  return message.replace('error: ', '').replaceAll(/\s*\n\s*/g, ' ');
}

/** Whether a file is where the resource of its rows belongs. */
function isFileFirst({ args, registeredArguments }: Command): boolean {
  const [first = ''] = args;
  if (registeredArguments[0]?.name() !== 'resource' || first === '' || namesResource(first)) return false;
  return /[./\\]/.test(first) || args.some(namesResource);
}

const namesResource = (word: string): boolean => RESOURCES.some((resource) => resource === word);

function fileFirst(command: Command): string {
  const named = command.args.find(namesResource);
  const choices = named === undefined ? `; RESOURCE is one of ${RESOURCES.join(', ')}` : '';
  return `the resource of the rows comes before the file: dataimport ${typedName(command)} ${named ?? 'RESOURCE'} FILE${choices}`;
}

/** Says where keys go, if the flag looks as if its value were one. The value is not repeated. */
function unknownOption(command: Command): string {
  // Commander leaves in `args` what it does not know, after the operands. Of those only numbers begin with a dash.
  const typed = command.args.filter((word) => /^-./.test(word));
  const word = typed.find((flag) => !/^-[\d.]/.test(flag)) ?? typed[0]!;
  const flag = word.startsWith('--') ? word.split('=')[0]! : word.slice(0, 2);
  const removed = removedWord(typedName(command), flag);
  if (removed !== undefined) return removed;
  const help = command.createHelp();
  const known = [...help.visibleOptions(command), ...help.visibleGlobalOptions(command)];
  const hint = /key|token|secret|password/i.test(flag)
    ? ': no flag takes a key or token; set DATAIMPORT_API_KEY or DATAIMPORT_TOKEN'
    : suggestion(
        flag,
        known.flatMap(({ long }) => long ?? []),
      );
  return `unknown option '${flag}'${hint}`;
}
