import type { Command } from 'commander';
import { loaded } from '../../src/cli/command/command.ts';
import { COMMANDS } from '../../src/cli/program/command-list.ts';
import { buildProgram, typedName } from '../../src/cli/program/program.ts';

/** Columns of the text of a man page. */
const WIDTH = 76;

/**
 * A man page for the program and for each command, by its file name: `dataimport-runs-show.1`. The text is that of `--help`.
 * @param docs the folder docs of the installed package
 */
export async function manPages(version: string, packageFolder: string): Promise<ReadonlyMap<string, string>> {
  const stdout = {
    columns: WIDTH,
    isTTY: false,
    write: () => undefined,
    settled: () => Promise.resolve(undefined),
  };
  const commands = await Promise.all(COMMANDS.map(loaded));
  const program = buildProgram({ stdout, version: () => version, packageFolder }, commands);
  return new Map(
    everyCommand(program).map((command) => {
      const name = ['dataimport', ...typedName(command).split(' ')].filter(Boolean).join('-');
      return [`${name}.1`, manPage(command, name, version)];
    }),
  );
}

function everyCommand(command: Command): readonly Command[] {
  return [command, ...command.commands.flatMap(everyCommand)];
}

function manPage(command: Command, name: string, version: string): string {
  const lines = helpOf(command).trimEnd().split('\n');
  const body = lines.flatMap((line) => {
    // A heading of help is alone on its line, and the usage begins its own.
    const [, heading, rest = ''] = /^([A-Z][\w ,()-]*):(?: (.*))?$/.exec(line) ?? [];
    if (heading === undefined || (rest !== '' && heading !== 'Usage')) return [roffLine(line)];
    const title = heading === 'Usage' ? 'SYNOPSIS' : heading.toUpperCase();
    const after = rest === '' ? [] : [roffLine(rest)];
    return ['.fi', `.SH "${title}"`, '.nf', ...after];
  });
  const summary = roffText(command.summary() || command.description().split('.')[0]!);
  const head = [
    `.TH "${name.toUpperCase()}" "1" "" "dataimport ${version}" "User Commands"`,
    '.SH NAME',
    `${roffText(name)} \\- ${summary}`,
    '.nf',
  ];
  return [...head, ...body, '.fi', ''].join('\n');
}

function helpOf(command: Command): string {
  let text = '';
  command.configureOutput({ writeOut: (part) => void (text += part) });
  command.outputHelp();
  return text;
}

/** A line that begins with a dot or an apostrophe would be a request of roff. */
function roffLine(line: string): string {
  const text = roffText(line);
  return /^[.']/.test(text) ? `\\&${text}` : text;
}

function roffText(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll("'", '\\(aq')
    .replaceAll('…', '\\[u2026]');
}
