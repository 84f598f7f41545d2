import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { documentBlocks } from '../support/document-blocks.ts';
import { playPage } from '../support/played-page.ts';
import { projectRoot } from '../support/source-tree.ts';

test('README.md: the two commands are scripts of the package', () => {
  const { scripts } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  const commands = documentBlocks('README.md', 'sh').map(({ text }) => text.trim());
  expect(commands.slice(0, 2)).toEqual(['npm run demo', 'npm test']);
  expect(Object.keys(scripts)).toEqual(expect.arrayContaining(['demo', 'test']));
});

test('README.md: the rehearsal prints what the page shows', async () => {
  await playPage('README.md');
});

test.each(['docs/mapping.md', 'docs/night.md', 'docs/operating.md', 'docs/replay.md', 'docs/verify.md'])(
  '%s: its commands print what the page shows',
  async (page) => {
    await playPage(page);
  },
);
