import { expect, test } from 'vitest';
import { FINDINGS } from '../../src/cli/try/findings.ts';
import { documentBlocks } from '../support/document-blocks.ts';
import { playPage } from '../support/played-page.ts';
import { projectRoot } from '../support/source-tree.ts';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const PAGE = 'docs/try.md';

test('the client of the page is found out as the page shows', async () => {
  const [client] = documentBlocks(PAGE, 'mjs');
  await playPage(PAGE, { files: { [client!.title]: client!.text } });
});

test('the page explains each finding', () => {
  const text = readFileSync(join(projectRoot, PAGE), 'utf8');
  for (const { title } of Object.values(FINDINGS)) expect(text).toContain(`- ${title}: `);
});
