// npm run site [-- --check]
//
// Builds the static site of docs/ in the folder `site`: `npx serve site`, or any web server, shows it. The first build installs
// VitePress in tools/site. With --check a browser looks at every page afterwards: links, requests to elsewhere, accessibility,
// a width of 390 pixels, and the search.

import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { headlessBrowser } from '../test/support/browser.ts';
import { checkSite } from './site/check.ts';
import { STAGE, stagePages } from './site/pages.ts';
import { drawPictures } from './site/pictures.ts';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const TOOLS = join(ROOT, 'tools', 'site');
const SITE = join(ROOT, 'site');
const VITEPRESS = join(TOOLS, 'node_modules', 'vitepress', 'bin', 'vitepress.js');

if (!existsSync(VITEPRESS))
  await execa('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: TOOLS });
const { pages, words } = stagePages(STAGE);
const browser = await headlessBrowser();
try {
  await drawPictures(join(STAGE, 'public'), browser);
  await execa(process.execPath, [VITEPRESS, 'build', STAGE, '--outDir', SITE], {
    cwd: TOOLS,
    stdio: 'inherit',
  });
  console.log(`site: ${pages} pages, ${words} words, ${(sizeOf(SITE) / 1e6).toFixed(1)} MB`);
  if (process.argv.includes('--check')) {
    if (!browser) throw new Error('--check needs a browser');
    const problems = await checkSite(SITE, browser);
    for (const problem of problems) console.error(problem);
    console.log(`${problems.length} problems`);
    process.exitCode = problems.length === 0 ? 0 : 1;
  }
} finally {
  await browser?.close();
}

/** Bytes of all files below a folder. */
function sizeOf(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}
