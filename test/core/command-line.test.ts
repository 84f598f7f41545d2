import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { commandLine, fileWord, shellWord } from '../../src/core/command-line.ts';
import { nextStepOf } from '../../src/core/error-codes/sentence.ts';
import { ERROR_CODES, type ErrorCode } from '../../src/core/error-codes/table.ts';
import { sourceFiles } from '../support/source-tree.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

test.each([
  ['.dataimport/journal', '.dataimport/journal'],
  ['https://platform.example/a', 'https://platform.example/a'],
  ['my runs', `'my runs'`],
  [`it's`, `'it'\\''s'`],
  ['$HOME', `'$HOME'`],
  ['', `''`],
  ['=ls', `'=ls'`],
  ['a\nb', String.raw`$'a\u000ab'`],
  ['\nb', String.raw`$'\u000ab'`],
  [`it's\u202E\\`, String.raw`$'it\'s\u202e\\'`],
])('%j is written in a command line as %s', (text, word) => {
  expect(shellWord(text)).toBe(word);
});

test('a path of Windows is a quoted word', () => {
  const path = String.raw`C:\exports\a.csv`;
  expect(shellWord(path)).toBe(`'${path}'`);
});

test('a command has the flags that have a value', () => {
  expect(commandLine('runs', [])).toBe('dataimport runs');
  const flags = [
    ['--run', undefined],
    ['--map', 'my map'],
  ] as const;
  expect(commandLine('check', ['a.csv'], flags)).toBe("dataimport check a.csv --map 'my map'");
});

test.each([
  ['-x', './-x'],
  ['a-x', 'a-x'],
  ['-', '-'],
])('the file %s is the word %s', (name, word) => {
  expect(fileWord(name)).toBe(word);
});

/** Names that a shell would take for something else. */
const HOSTILE = [
  'two words.csv',
  `it's "quoted".csv`,
  'line\nfeed.csv',
  '--rejects=t.csv',
  '-x',
  '$(touch pwned)',
  '`touch pwned`',
  '; touch pwned;',
  '*',
  '~',
  '\u202Evsc.txt',
  'back\\slash',
  '!event',
];

/** The words that bash passes on for each command. */
function wordsOf(commands: readonly string[]): readonly (readonly string[])[] {
  const script =
    'dataimport() { printf "%s\\0" "$@"; printf "\\0"; }; for each in "$@"; do eval "$each"; done';
  const shown = execFileSync('bash', ['--norc', '-c', script, '-', ...commands], {
    cwd: temporaryFolder(),
    env: { PATH: process.env['PATH'], LC_ALL: 'C.UTF-8' },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return shown
    .split('\0\0')
    .slice(0, -1)
    .map((words) => words.split('\0'));
}

const asFile = (name: string): string => (name.startsWith('-') ? `./${name}` : name);

test('a shell reads the words of a command back', () => {
  const commands = HOSTILE.map((name) => commandLine('contract show', [name], [['--config', name]]));
  expect(commands.join('')).not.toMatch(/\n/);
  expect(wordsOf(commands)).toEqual(
    HOSTILE.map((name) => ['contract', 'show', asFile(name), '--config', name]),
  );
});

const COMMANDS_OF_CODES = Object.entries(ERROR_CODES).flatMap(([code, { next }]) =>
  [...next.matchAll(/`dataimport [^`]*\{\w+\}[^`]*`/g)].map(([template]) => ({ code, template })),
);

test('a shell reads the facts back in the commands of every code', () => {
  expect(COMMANDS_OF_CODES.length).toBeGreaterThan(3);
  for (const { code, template } of COMMANDS_OF_CODES) {
    const names = [...template.matchAll(/\{(\w+)\}/g)]
      .map(([, name]) => name!)
      .filter((name) => name !== 'command');
    const hostile = HOSTILE.filter((name) => !name.includes('`'));
    const commands = hostile.map((name) => {
      const facts = Object.fromEntries(names.map((fact) => [fact, name]));
      const next = nextStepOf(code as ErrorCode, { command: 'check', ...facts });
      return /`(dataimport [^`]*)`/.exec(next)![1]!;
    });
    const read = wordsOf(commands).map(
      (words, at) => words.filter((word) => word === asFile(hostile[at]!)).length,
    );
    expect(read, code).toEqual(hostile.map(() => names.length));
  }
});

/** Templates whose words are of this program, or that are no commands. */
const KNOWN = [
  'verify/page/page',
  'admin/admin',
  'runs/run-list',
  'program/program',
  'serve/serve',
  'commands/schema',
];

test('no other code joins words to a command', () => {
  const joined = sourceFiles('src/cli').filter(
    ({ path, text }) => /dataimport [a-z -]*\$\{/.test(text) && !KNOWN.includes(path.replace('.ts', '')),
  );
  expect(joined.map(({ path }) => path)).toEqual([]);
});
