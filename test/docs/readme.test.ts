import { readFileSync } from 'node:fs';
import { join } from 'node:path';
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

test('README.md: its table of exits has the codes of the product that stop a migration', () => {
  const text = readFileSync(join(projectRoot, 'README.md'), 'utf8');
  const shown = [...text.matchAll(/^\| (\d[\d, ]*?) +\|/gm)].flatMap(([, codes]) =>
    codes!.split(', ').map(Number),
  );
  const NOT_OF_MIGRATIONS = [EXITS.OK, EXITS.BUG, EXITS.DIFFERENT, EXITS.NOTHING_TO_DO, EXITS.TERMINATED];
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
