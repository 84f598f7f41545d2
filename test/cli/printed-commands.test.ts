import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { nextCommands, sameCommand } from '../../src/cli/ending/next-commands.ts';
import { defaultSettings } from '../../src/cli/settings/settings.ts';
import { nextStepOf, sentenceOf } from '../../src/core/error-codes/sentence.ts';
import { entryOf, ERROR_CODES, type ErrorCode } from '../../src/core/error-codes/table.ts';
import { fakeIo, runCli } from '../support/cli-io.ts';
import { SMALL_FIXTURE, writeFixture } from '../support/replay-fixture.ts';
import { projectRoot, sourceFiles } from '../support/source-tree.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const HOSTILE = [`it's "two" words;\n$(touch pwned) \u202E\\`, '--rejects=x y'];

/** The words of each command line, as a shell takes them in which the program only counts and repeats them. */
function wordsOf(commands: readonly string[], cwd: string): readonly (readonly string[])[] {
  const script = 'dataimport() { printf "%s\\0" "$#" "$@"; }; for each; do eval "$each"; done';
  const repeated = execFileSync('bash', ['--norc', '-c', script, '-', ...commands], {
    cwd,
    env: { PATH: process.env['PATH'], LC_ALL: 'C.UTF-8' },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  }).split('\0');
  return commands.map(() => repeated.splice(0, Number(repeated.shift())));
}

/** Command lines in a message, each run by a shell in which the program only repeats its words. */
function printedCommands(shown: string, cwd: string): readonly (readonly string[])[] {
  const commands = [...shown.matchAll(/(?:`|next: +|^ +)(dataimport [^`\n]*)/gm)];
  return wordsOf(
    commands.map(([, command]) => command!.replaceAll(/<(\w+)>/g, '$1')),
    cwd,
  );
}

test.each(HOSTILE)('every next command about files named %j can be typed', async (stem) => {
  const cwd = temporaryFolder();
  const csv = `${stem}.csv`;
  const dashed = (name: string): string => (name.startsWith('-') ? `./${name}` : name);
  mkdirSync(join(cwd, stem));
  writeFileSync(join(cwd, csv), SMALL_FIXTURE['transactions.csv']);
  writeFixture(join(cwd, stem, 'f'), {
    'seed.yaml': `${SMALL_FIXTURE['seed.yaml']}# other\n`,
    'transactions.csv': 'x\n1\n',
  });
  copyFileSync(join(projectRoot, 'fixtures/contracts/ostrelle/openapi.yaml'), join(cwd, `${stem}.yaml`));
  const lines: readonly (readonly [string[], string])[] = [
    [['inspect', '--', csv], dashed(csv)],
    [['init', '--resource', 'transactions', '--', csv], dashed(csv)],
    [['contract', 'import', '--out', `${stem}.json`, '--', `${stem}.yaml`], dashed(`${stem}.json`)],
    [['replay', '--', join(stem, 'f')], dashed(join(stem, 'f'))],
  ];
  for (const [words, name] of lines) {
    const { stdout, stderr } = await runCli(words, fakeIo({ cwd }));
    const commands = printedCommands(stdout + stderr, cwd);
    expect(commands.flat(), `${words.join(' ')}\n${stdout}${stderr}`).toContain(name);
  }
  expect(existsSync(join(cwd, 'pwned'))).toBe(false);
});

/** A command with facts in the sentence or the next step of a code: the code and the command as a template. */
const WITH_FACTS = (Object.keys(ERROR_CODES) as ErrorCode[]).flatMap((code) => {
  const { sentence, next } = entryOf(code);
  return [...`${sentence}\n${next}`.matchAll(/`(dataimport [^`]*\{[^`]*)`/g)].map(
    ([, template]) => [code, template!] as const,
  );
});

test('some codes have commands with facts', () => expect(WITH_FACTS.length).toBeGreaterThan(5));

test.each(WITH_FACTS)('%s prints %s with hostile facts as single words', (code, template) => {
  const cwd = temporaryFolder();
  const names = [...template.matchAll(/\{(\w+)/g)].map(([, name]) => name!);
  for (const hostile of HOSTILE) {
    // The fact `command` has the words of a command.
    const facts = Object.fromEntries(names.map((name) => [name, name === 'command' ? 'runs' : hostile]));
    const shown = `${sentenceOf(code, facts)}\n${nextStepOf(code, facts)}`;
    const whole = [...shown.matchAll(/`(dataimport (?:'(?:[^']|'\\'')*'|\$'(?:[^'\\]|\\.)*'|[^`])*)`/g)];
    const words = wordsOf(
      whole.map(([, command]) => command!),
      cwd,
    ).flat();
    const expected = names.filter((name) => name !== 'command');
    const asFile = hostile.startsWith('-') ? `./${hostile}` : hostile;
    expect(words.filter((word) => word === asFile).length, shown).toBe(expected.length);
  }
  expect(readdirSync(cwd)).toEqual([]);
});

test.each(HOSTILE)('the commands about a run keep a folder and a file named %j', async (name) => {
  const cwd = temporaryFolder();
  const flags = {
    runDir: join(cwd, `it's "a" $(touch pwned)`),
    baseUrl: `https://a.example/${encodeURIComponent(name)}`,
  };
  const settings = defaultSettings({ flags, cwd, homeDir: cwd });
  const commands = nextCommands(settings, { config: name }, cwd);
  const run = { id: name, target: flags.baseUrl };
  const about = [
    commands.show(run),
    commands.verify(name),
    commands.unresolved(run),
    commands.confirm(run, name),
  ];
  for (const [index, words] of wordsOf(about, cwd).entries()) {
    expect(words).toContain(name.startsWith('-') ? `./${name}` : name);
    if (!about[index]!.includes(' report '))
      expect(words.join(' ')).toContain(flags.runDir.slice(cwd.length + 1));
    expect(words.slice(words.indexOf('--config'), words.indexOf('--config') + 2)).toEqual(['--config', name]);
  }
  const typed = ['push', 'notes', '--', `${name}.csv`];
  const [whole, part] = wordsOf([sameCommand(typed), sameCommand(typed, { index: 1, count: 2 })], cwd);
  expect(whole).toEqual(typed);
  expect(part).toEqual(['push', 'notes', '--shard', '1/2', '--', `${name}.csv`]);
  expect(wordsOf([commands.resume(flags.baseUrl)], cwd)[0]).toContain(flags.baseUrl);
  expect(readdirSync(cwd)).toEqual([]);
});

/** Texts with a command and a value in them, none of which a user or a file has chosen. */
const MADE_BY_HAND = [
  'dataimport ${name} ${example}',
  'dataimport ${found.tool_version}',
  'The folder docs: ${',
  'dataimport ${name} --help --all',
  'dataimport serve is ready at ${url}',
  'it was written by dataimport (version ${',
];

test('no other text of the sources puts a value into a command by hand', () => {
  // The page of `serve` has its own `quoted`, because it imports nothing of the program.
  const sources = sourceFiles('src').filter(({ path }) => path.endsWith('.ts'));
  const texts = sources.flatMap(({ text }) =>
    text.split('\n').filter((line) => /dataimport [^'"]*\$\{/.test(line)),
  );
  expect(texts.filter((line) => !MADE_BY_HAND.some((known) => line.includes(known)))).toEqual([]);
  expect(MADE_BY_HAND.filter((known) => !texts.some((line) => line.includes(known)))).toEqual([]);
});
