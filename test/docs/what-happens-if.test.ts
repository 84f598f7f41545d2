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

describe('docs/what-happens-if.md prints what is printed', () => {
  const played = sections.filter(({ text }) => blocksOf(text, 'console').length > 0);

  test.each(played)('$heading', async ({ text }) => {
    const port = await tlsServer('self-signed', (_, response) => response.end());
    const addresses = { 'platform.example:8443': `localhost:${port}` };
    await playBlocks(blocksOf(text, ...PLAYED_LANGUAGES), { files: FILES, env: ENV, addresses });
  });

  test('its table leads to every one of them', () => {
    const linked = [...start!.text.matchAll(/^\| \[.*?\]\(#([\w-]+)\)/gm)].map(([, anchor]) => anchor);
    expect(linked).toEqual(played.map(({ heading }) => heading.toLowerCase().replaceAll(' ', '-')));
  });
});

test('a page that shows something else than what is printed is told apart', async () => {
  const block = { language: 'console', title: '', text: '$ echo "1 row read"\n2 rows read\n' };
  await expect(playBlocks([block], {})).rejects.toThrow('echo "1 row read"');
});
