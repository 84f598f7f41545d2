import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { EXITS } from '../../src/cli/output/exit-codes.ts';
import { documentBlocks } from '../support/document-blocks.ts';
import { playPage } from '../support/played-page.ts';
import { projectRoot } from '../support/source-tree.ts';

test('README.md: the two commands are scripts of the package', () => {
  const { scripts } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  const commands = documentBlocks('README.md', 'sh').map(({ text }) => text.trim());
  expect(commands).toEqual(expect.arrayContaining(['npm run demo', 'npm test']));
  expect(Object.keys(scripts)).toEqual(expect.arrayContaining(['demo', 'test']));
});

/** A command that gets the package by its name, which anybody may claim while it is not published. */
const BY_NAME =
  /\b(?:npx|bunx|npm (?:exec|x|install|i|add)|(?:pnpm|yarn|bun) (?:add|dlx|x)) (?:-{1,2}[\w-]+ )*dataimport(?![-\w./])/;

test('nothing gets the package by its name, which is not published', () => {
  expect(BY_NAME.test('npx dataimport replay')).toBe(true);
  expect(BY_NAME.test('npm install --global dataimport@0.3.0')).toBe(true);
  expect(BY_NAME.test('npm install --global ./release/dataimport-0.3.0.tgz')).toBe(false);
  const folders = ['docs', 'examples', 'src', 'bin', 'fixtures', 'completions', '.github'];
  const files = [
    'README.md',
    'CONTRIBUTING.md',
    'action.yml',
    ...folders.flatMap((folder) =>
      readdirSync(join(projectRoot, folder), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => relative(projectRoot, join(entry.parentPath, entry.name))),
    ),
  ];
  expect(files.filter((file) => BY_NAME.test(readFileSync(join(projectRoot, file), 'utf8')))).toEqual([]);
});

test('README.md: its table of exits has the codes of the product that stop a migration', () => {
  const text = readFileSync(join(projectRoot, 'README.md'), 'utf8');
  const shown = [...text.matchAll(/^\| (\d[\d, ]*?) +\|/gm)].flatMap(([, codes]) =>
    codes!.split(', ').map(Number),
  );
  const NOT_OF_MIGRATIONS = [EXITS.OK, EXITS.BUG, EXITS.DIFFERENT, EXITS.TERMINATED];
  const known = Object.values(EXITS).filter((exit) => !NOT_OF_MIGRATIONS.some((other) => other === exit));
  // A kill has the exit code of the shell.
  expect(shown).toEqual([...known.map(({ code }) => code), 137]);
});

test.each([
  'README.md',
  'docs/mapping.md',
  'docs/night.md',
  'docs/operating.md',
  'docs/pilot.md',
  'docs/replay.md',
  'docs/runs.md',
  'docs/verify.md',
])('%s: its commands print what the page shows', async (page) => {
  await playPage(page);
});
