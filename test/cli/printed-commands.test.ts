import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fakeIo, runCli } from '../support/cli-io.ts';
import { SMALL_FIXTURE, writeFixture } from '../support/replay-fixture.ts';
import { projectRoot } from '../support/source-tree.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const HOSTILE = [`it's "two" words;\n$(touch pwned) \u202E\\`, '--rejects=x y'];

/** Command lines in a message, each run by a shell in which the program only repeats its words. */
function printedCommands(shown: string, cwd: string): readonly (readonly string[])[] {
  const script = 'dataimport() { printf "%s\\0" "$@"; }; eval "$1"';
  const commands = [...shown.matchAll(/(?:`|next: |^ +)(dataimport [^`\n]*)/gm)].map(
    ([, command]) => command!,
  );
  return commands.map((command) =>
    execFileSync('bash', ['--norc', '-c', script, '-', command.replaceAll(/<(\w+)>/g, '$1')], {
      cwd,
      env: { PATH: process.env['PATH'], LC_ALL: 'C.UTF-8' },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    })
      .split('\0')
      .slice(0, -1),
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
  writeFixture(join(cwd, stem, 'g'), { 'expected.yaml': null });
  copyFileSync(join(projectRoot, 'fixtures/contracts/ostrelle/openapi.yaml'), join(cwd, `${stem}.yaml`));
  const lines: readonly (readonly [string[], string])[] = [
    [['inspect', '--', csv], dashed(csv)],
    [['map', 'init', 'transactions', '--', csv], dashed(csv)],
    [['contract', 'import', '--out', `${stem}.json`, '--', `${stem}.yaml`], dashed(`${stem}.json`)],
    [['replay', '--', join(stem, 'f')], dashed(join(stem, 'f'))],
    [['replay', '--', join(stem, 'g')], dashed(join(stem, 'g'))],
  ];
  for (const [words, name] of lines) {
    const { stdout, stderr } = await runCli(words, fakeIo({ cwd }));
    const commands = printedCommands(stdout + stderr, cwd);
    expect(commands.flat(), `${words.join(' ')}\n${stdout}${stderr}`).toContain(name);
  }
  expect(existsSync(join(cwd, 'pwned'))).toBe(false);
});
