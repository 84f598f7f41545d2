import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { COMMANDS } from '../../src/cli/program/command-list.ts';
import { family, wholeProgram } from '../support/command-flags.ts';

function flagsOf(command: Command): readonly string[] {
  return command.options.flatMap(({ short, long }) => [short, long]).filter((flag) => flag !== undefined);
}

function helpOf(command: Command): string {
  let text = '';
  command.configureOutput({ writeOut: (part) => void (text += part) });
  command.outputHelp();
  return text;
}

test('the surface that scripts rely on has not changed', async () => {
  const pages = family(await wholeProgram()).map(helpOf);
  await expect(pages.join(`\n${'-'.repeat(100)}\n\n`)).toMatchFileSnapshot('surface.txt');
});

test('the texts of help contain no line breaks of their own', async () => {
  const texts = family(await wholeProgram()).flatMap((command) => [
    command.description(),
    ...command.options.map(({ description }) => description),
    ...command.registeredArguments.map(({ description }) => description),
  ]);
  expect(texts.filter((text) => text.includes('\n'))).toEqual([]);
});

test('only the help of the program names the folder of the pages', async () => {
  const telling = family(await wholeProgram()).filter((command) =>
    helpOf(command).includes('/opt/dataimport/docs'),
  );
  expect(telling.map((command) => command.name())).toEqual(['dataimport']);
});

test('no two commands have the same name', () => {
  const names = COMMANDS.map((command) => command.name);
  expect(names).toEqual([...new Set(names)]);
});

test('no flag of a command has the name of a flag of the program', async () => {
  const [program, ...commands] = family(await wholeProgram());
  const shared = new Set(flagsOf(program!));
  expect(commands.flatMap(flagsOf).filter((flag) => shared.has(flag))).toEqual([]);
});

test('no flag takes a key or token of the platform', async () => {
  // `serve` takes the key of the local platform, which has rehearsal data only, and `parity` starts one.
  const commands = family(await wholeProgram()).filter(
    (command) => command.name() !== 'serve' && command.name() !== 'parity',
  );
  // A public key is no secret.
  const flags = commands.flatMap(flagsOf).filter((flag) => flag !== '--public-key');
  expect(flags.filter((flag) => /key|token|secret|password/.test(flag))).toEqual([]);
});
