import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { blocksOf, documentSections } from '../support/document-blocks.ts';
import { playBlocks, PLAYED_LANGUAGES } from '../support/played-page.ts';
import { projectRoot } from '../support/source-tree.ts';
import { tlsServer } from '../support/platform-behind-tls.ts';

const [, ...sections] = documentSections('test/docs/failures.md');
const page = readFileSync(join(projectRoot, 'docs', 'exit-codes.md'), 'utf8');
const examples = sections.find(({ heading }) => heading === 'The examples')!;
const FILES = Object.fromEntries(
  blocksOf(examples.text, 'csv', 'yaml').map(({ title, text }) => [title, text]),
);
const ENV = { DATAIMPORT_BASE_URL: 'http://127.0.0.1:4010', DATAIMPORT_API_KEY: 'local-key' };

/** Exits that a section names and does not show: of a shell, after a wait of minutes, without a token, by another limit. */
const UNSHOWN: Readonly<Record<string, readonly string[]>> = {
  'The process died': ['137'],
  'The platform has trouble': ['5'],
  'An answer was lost': ['5'],
  'Something else answers': ['7'],
  'A limit was reached': ['4'],
};

describe('a failure prints what test/docs/failures.md shows', () => {
  const played = sections.filter(({ text }) => blocksOf(text, 'console').length > 0);

  test.each(played)('$heading', async ({ text }) => {
    const port = await tlsServer('self-signed', (_, response) => response.end());
    // A reader types more slowly than a test.
    const real = { 'platform.example:8443': `localhost:${port}`, 'delay=10000': 'delay=2000' };
    await playBlocks(blocksOf(text, ...PLAYED_LANGUAGES), { files: FILES, env: ENV, real });
  });

  test.each(failuresOfPage())('docs/exit-codes.md has the exits of: $failure', ({ failure, exits }) => {
    const { text } = played.find(({ heading }) => heading === failure)!;
    const shown = [...text.matchAll(/^\$ echo \$\?\n(\d+)$/gm)].map(([, code]) => code!);
    const unshown = ['0', '143', ...(UNSHOWN[failure] ?? [])];
    expect(exits).toEqual(expect.arrayContaining(shown.filter((code) => code !== '0')));
    expect(shown).toEqual(expect.arrayContaining(exits.filter((code) => !unshown.includes(code))));
  });

  test('docs/exit-codes.md has every one of them', () => {
    expect(failuresOfPage().map(({ failure }) => failure)).toEqual(played.map(({ heading }) => heading));
  });
});

/** The first two columns of the table of failures. */
function failuresOfPage(): readonly { readonly failure: string; readonly exits: readonly string[] }[] {
  const [, rows] = page.split('\n| what happened | exit | what to do |\n');
  return [...rows!.split('\n\n')[0]!.matchAll(/^\| ([A-Z].*?) \| (.*?) \|/gm)].map(([, failure, cell]) => ({
    failure: failure!,
    exits: cell!.match(/\d+/g) ?? [],
  }));
}

test('a page that shows something else than what is printed is told apart', async () => {
  const block = { language: 'console', title: '', text: '$ echo "1 row read"\n2 rows read\n' };
  await expect(playBlocks([block], {})).rejects.toThrow('echo "1 row read"');
});
