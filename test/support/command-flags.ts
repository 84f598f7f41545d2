import type { Command } from 'commander';
import { loaded } from '../../src/cli/command/command.ts';
import { COMMANDS } from '../../src/cli/program/command-list.ts';
import { buildProgram } from '../../src/cli/program/program.ts';
import { fakeIo } from './cli-io.ts';

/** The program with every command loaded. */
export async function wholeProgram(): Promise<Command> {
  const commands = await Promise.all(COMMANDS.map(loaded));
  return buildProgram({ ...fakeIo(), packageFolder: '/opt/dataimport' }, commands);
}

/** A command and everything below it, in the order in which help lists them. */
export function family(command: Command): readonly Command[] {
  return [command, ...command.commands.flatMap(family)];
}

/** One flag of one command. */
export interface CommandFlag {
  readonly command: string;
  /** The command with arguments that are accepted. */
  readonly words: readonly string[];
  /** In camelCase. */
  readonly name: string;
  readonly flag: string;
  /** What the flag takes: `<file>`. */
  readonly takes: string;
}

/** Accepted values of arguments that do not accept every text. */
const ARGUMENTS: Readonly<Record<string, string>> = { duration: '1h', resource: 'notes' };

/** All flags that take a value, of all commands, with those of the program. */
export async function commandFlags(): Promise<readonly CommandFlag[]> {
  const program = await wholeProgram();
  return COMMANDS.flatMap(({ name }) => {
    const command = family(program).find((candidate) => nameOf(candidate) === name)!;
    const given = command.registeredArguments.map(
      (argument) => ARGUMENTS[argument.name()] ?? argument.argChoices?.[0] ?? '1',
    );
    const required = command.options.flatMap(({ mandatory, long }) => (mandatory && long ? [long, '1'] : []));
    const words = [...name.split(' '), ...given, ...required];
    return [...command.options, ...program.options].flatMap((option) => {
      const takes = /<.*>/.exec(option.flags)?.[0];
      if (takes === undefined || option.long === undefined) return [];
      return [{ command: name, words, name: option.attributeName(), flag: option.long, takes }];
    });
  });
}

function nameOf(command: Command): string {
  const above = command.parent?.parent ? `${nameOf(command.parent)} ` : '';
  return above + command.name();
}
