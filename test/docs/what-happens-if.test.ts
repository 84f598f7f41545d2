import { describe, expect, test } from 'vitest';
import { blocksOf, documentSections } from '../support/document-blocks.ts';
import { playBlocks, PLAYED_LANGUAGES } from '../support/played-page.ts';
import { tlsServer } from '../support/platform-behind-tls.ts';

const [start, ...sections] = documentSections('docs/what-happens-if.md');
const examples = sections.find(({ heading }) => heading === 'The examples')!;
const FILES = Object.fromEntries(
  blocksOf(examples.text, 'csv', 'yaml').map(({ title, text }) => [title, text]),
);
const ENV = { DATAIMPORT_BASE_URL: 'http://127.0.0.1:4010', DATAIMPORT_API_KEY: 'local-key' };

/** Exits that a section names and does not show: of a shell, after a wait of minutes, without a token, by another limit. */
const UNSHOWN: Readonly<Record<string, readonly string[]>> = {
  'the-process-died': ['137'],
  'the-platform-has-trouble': ['5'],
  'an-answer-was-lost': ['5'],
  'something-else-answers': ['7'],
  'a-limit-was-reached': ['4'],
};

describe('docs/what-happens-if.md prints what is printed', () => {
  const played = sections.filter(({ text }) => blocksOf(text, 'console').length > 0);

  test.each(played)('$heading', async ({ text }) => {
    const port = await tlsServer('self-signed', (_, response) => response.end());
    // A reader types more slowly than a test.
    const real = { 'platform.example:8443': `localhost:${port}`, 'delay=10000': 'delay=2000' };
    await playBlocks(blocksOf(text, ...PLAYED_LANGUAGES), { files: FILES, env: ENV, real });
  });

  test.each(exitsOfTable())('its table has the exits of #$anchor', ({ anchor, exits }) => {
    const { text } = played.find(({ heading }) => anchorOf(heading) === anchor)!;
    const shown = [...text.matchAll(/^\$ echo \$\?\n(\d+)$/gm)].map(([, code]) => code!);
    const unshown = ['0', '143', ...(UNSHOWN[anchor] ?? [])];
    expect(exits).toEqual(expect.arrayContaining(shown.filter((code) => code !== '0')));
    expect(shown).toEqual(expect.arrayContaining(exits.filter((code) => !unshown.includes(code))));
  });

  test('its table leads to every one of them', () => {
    const linked = [...start!.text.matchAll(/^\| \[.*?\]\(#([\w-]+)\)/gm)].map(([, anchor]) => anchor);
    expect(linked).toEqual(played.map(({ heading }) => anchorOf(heading)));
  });
});

function anchorOf(heading: string): string {
  return heading.toLowerCase().replaceAll(' ', '-');
}

/** The numbers of the second column of the table, by the section that the first one leads to. */
function exitsOfTable(): readonly { readonly anchor: string; readonly exits: readonly string[] }[] {
  return [...start!.text.matchAll(/^\| \[.*?\]\(#([\w-]+)\) +\| (.*?) \|/gm)].map(([, anchor, cell]) => ({
    anchor: anchor!,
    exits: cell!.match(/\d+/g) ?? [],
  }));
}

test('a page that shows something else than what is printed is told apart', async () => {
  const block = { language: 'console', title: '', text: '$ echo "1 row read"\n2 rows read\n' };
  await expect(playBlocks([block], {})).rejects.toThrow('echo "1 row read"');
});
