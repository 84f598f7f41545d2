import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { REMOVED_WORDS, removedWord } from '../../../src/cli/program/removed-words.ts';
import { typedName } from '../../../src/cli/program/program.ts';
import { SETTING_NAMES, type SettingName } from '../../../src/cli/settings/schema.ts';
import { isErrorCode } from '../../../src/core/error-codes/table.ts';
import { family, wholeProgram } from '../../support/command-flags.ts';
import { fakeIo, runCli } from '../../support/cli-io.ts';

/** Words of sentences in backticks that are neither ours nor commands of `dataimport`. */
const OTHER_PROGRAMS = ['jq', 'openssl'];

const rows = Object.entries(REMOVED_WORDS).map(([key, now]) => {
  const flag = /(?:^| )(--[a-z0-9-]+)$/.exec(key)?.[1];
  return { key, now, flag, command: key.replace(flag ?? '', '').trim() };
});

const flagsOf = (command: Command | undefined): readonly string[] =>
  command?.options.flatMap(({ short, long }) => [short, long].filter((flag) => flag !== undefined)) ?? [];

/** Every command by its name, and the flags of all of them. */
async function surface() {
  const commands = new Map(family(await wholeProgram()).map((command) => [typedName(command), command]));
  return { commands, allFlags: [...commands.values()].flatMap(flagsOf) };
}

/** `--max-batch-bytes` and DATAIMPORT_MAX_BATCH_BYTES → maxBatchBytes. */
const settingOf = (word: string): string =>
  word
    .replace(/^(--|DATAIMPORT_)/, '')
    .toLowerCase()
    .replaceAll(/[-_]([a-z])/g, (_, letter: string) => letter.toUpperCase());
const isSetting = (name: string): name is SettingName => SETTING_NAMES.some((known) => known === name);

test('every removed word is gone from the surface', async () => {
  const { commands, allFlags } = await surface();
  const there = rows.filter(({ key, flag, command }) => {
    if (flag === undefined) return commands.has(key);
    return command === '' ? allFlags.includes(flag) : flagsOf(commands.get(command)).includes(flag);
  });
  expect(there.map(({ key }) => key)).toEqual([]);
});

test('every flag, command, setting and code that does now what a removed word did is there', async () => {
  const { commands, allFlags } = await surface();
  const commandIn = (words: readonly string[]): string =>
    words.map((_, at) => words.slice(0, words.length - at).join(' ')).find((name) => commands.has(name)) ??
    '';
  const isKnown = (words: readonly string[]): boolean => {
    const [first = ''] = words;
    if (first.startsWith('-')) return allFlags.includes(first);
    if (OTHER_PROGRAMS.includes(first) || isSetting(first) || isErrorCode(first)) return true;
    const typed = first === 'dataimport' ? words.slice(1) : words;
    const command = commandIn(typed);
    const known = [...flagsOf(commands.get(command)), ...flagsOf(commands.get(''))];
    const isOurs = command !== '' || typed[0]?.startsWith('-') === true;
    return isOurs && typed.every((word) => !word.startsWith('-') || known.includes(word));
  };
  const unknown = rows.flatMap(({ key, now }) =>
    [...now.matchAll(/`([^`]+)`/g)]
      .filter(([, text]) => !isKnown(text!.split(' ')))
      .map(([text]) => [key, text]),
  );
  expect(unknown).toEqual([]);
});

test('the end of a sentence says it, on one line and without a full stop', () => {
  expect(rows.filter(({ now }) => !/^\S[^\n]*[^\s.]$/.test(now))).toEqual([]);
});

test('a removed command answers with the line of the table, with words after it and without', async () => {
  for (const { key, now, flag } of rows) {
    if (flag !== undefined) continue;
    for (const more of [[], ['x', '--json']]) {
      const { exitCode, stdout, stderr } = await runCli([...key.split(' '), ...more]);
      const said = more.includes('--json') ? stdout : stderr;
      expect([key, exitCode, said]).toEqual([
        key,
        2,
        expect.stringContaining(`there is no ${key} any more: `),
      ]);
      expect(said).toContain(more.includes('--json') ? JSON.stringify(now).slice(1, -1) : now);
    }
  }
});

test('a removed flag answers with the line of the table after every command that had it', async () => {
  const { commands } = await surface();
  for (const { key, now, flag, command } of rows) {
    if (flag === undefined || !commands.has(command)) continue;
    const after = command === '' ? 'check' : command;
    for (const typed of [[flag], [flag, 'x'], [`${flag}=x`]]) {
      const { exitCode, stdout, stderr } = await runCli([...after.split(' '), ...typed]);
      expect([key, exitCode, stdout]).toEqual([key, 2, '']);
      expect(stderr.split('\n')[0]).toBe(`dataimport: error usage there is no ${flag} any more: ${now}`);
    }
  }
});

test('the variable of a removed flag answers with the same line', async () => {
  const { commands } = await surface();
  for (const { now, flag, command } of rows) {
    if (flag === undefined) continue;
    const name = `DATAIMPORT_${flag.slice(2)}`.toUpperCase().replaceAll('-', '_');
    if (isSetting(settingOf(name)) || !commands.has(command)) continue;
    const after = command === '' ? ['config'] : command.split(' ');
    const inEnvironment = await runCli(after, fakeIo({ env: { [name]: '1' } }));
    // A command that needs words asks for these first.
    if (!/missing required|required option/.test(inEnvironment.stderr))
      expect(inEnvironment.stderr).toContain(`there is no ${name} any more: ${now}`);
  }
});

test.each(['push', 'retr', '', 'toString', '__proto__'])('%j was never removed', (word) => {
  expect(removedWord('', word)).toBeUndefined();
});
