import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { buildProgram, COMMANDS } from '../../src/cli/program.ts';
import { fakeIo } from '../support/cli-io.ts';

/** The help of a command and of everything below it, in the order in which help lists them. */
function helpOf(command: Command): string {
  let text = '';
  command.configureOutput({ writeOut: (part) => void (text += part) });
  command.outputHelp();
  return [text, ...command.commands.map(helpOf)].join(`\n${'-'.repeat(100)}\n\n`);
}

test('the surface that scripts rely on is what it was', async () => {
  await expect(helpOf(buildProgram(fakeIo()))).toMatchFileSnapshot('surface.txt');
});

test('no two commands have one name', () => {
  const names = COMMANDS.map((command) => command.name);
  expect(names).toEqual([...new Set(names)]);
});

test('no flag of a command means something else than the same flag of the program', () => {
  const program = buildProgram(fakeIo());
  const flagsOf = (command: Command) => command.options.flatMap(({ short, long }) => [short, long]).filter((flag) => flag !== undefined);
  const all = (command: Command): Command[] => command.commands.flatMap((child) => [child, ...all(child)]);
  const global = new Set(flagsOf(program));
  expect(all(program).flatMap((command) => flagsOf(command).filter((flag) => global.has(flag)))).toEqual([]);
});

test('no flag takes a key or token of the platform', () => {
  // That of `serve` is the key of the local platform, which holds nothing but rehearsals.
  expect(COMMANDS.flatMap(({ name }) => (name === 'serve' ? [] : secretFlags(name)))).toEqual([]);
});

function secretFlags(name: string): string[] {
  const command = name.split(' ').reduce<Command>((parent, part) => parent.commands.find((child) => child.name() === part)!, buildProgram(fakeIo()));
  return command.options.map((option) => option.long ?? '').filter((flag) => /key|token|secret|password/.test(flag));
}
