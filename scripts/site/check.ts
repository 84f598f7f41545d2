import { readFileSync, existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';

const AXE = fileURLToPath(new URL('../../node_modules/axe-core/axe.min.js', import.meta.url));
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.json': 'application/json',
};
/** A telephone. */
const NARROW = { width: 390, height: 844 };
/** Pages of codes are alike, so one of them is looked at. */
const CODE = 'account_not_found';

/** Looks at every page of a built site with a browser. Returns what is wrong, one sentence each. */
export async function checkSite(site: string, browser: Browser): Promise<readonly string[]> {
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url!, 'http://site').pathname);
    const file = [path, `${path}.html`, join(path, 'index.html')]
      .map((each) => join(site, normalize(each)))
      .find((each) => existsSync(each) && extname(each) !== '');
    response.writeHead(file ? 200 : 404, {
      'content-type': TYPES[extname(file ?? '')] ?? 'application/octet-stream',
    });
    response.end(file ? readFileSync(file) : '');
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const problems: string[] = [];
  const page = await browser.newPage({ viewport: NARROW });
  page.on('request', (request) => {
    if (!request.url().startsWith(origin) && !request.url().startsWith('data:'))
      problems.push(`${page.url()} asks elsewhere: ${request.url()}`);
  });
  page.on('response', (response) => {
    if (response.status() >= 400)
      problems.push(`${page.url()} asks for ${response.url()}, which is not there`);
  });
  page.on('pageerror', (error) => problems.push(`${page.url()}: ${error.message}`));
  try {
    const seen = new Set<string>();
    for (const waiting = ['/']; waiting.length > 0;) {
      const path = waiting.pop()!;
      if (seen.has(path)) continue;
      seen.add(path);
      await page.goto(origin + path);
      problems.push(...(await problemsOf(page, path)));
      waiting.push(...(await linksOf(page, origin)).filter((link) => !isCode(link) || link.endsWith(CODE)));
    }
    problems.push(...(await searchProblems(page, origin)));
  } finally {
    await page.close();
    server.close();
  }
  return problems;
}

const isCode = (link: string): boolean => link.startsWith('/codes/');

async function linksOf(page: Page, origin: string): Promise<readonly string[]> {
  const links = await page.$$eval('a[href]', (all) => all.map((each) => (each as { href: string }).href));
  return links
    .filter((link) => link.startsWith(`${origin}/`))
    .map((link) => new URL(link).pathname.replace(/\.html$/, ''));
}

/** Width, anchors, and accessibility in light and dark. */
async function problemsOf(page: Page, path: string): Promise<readonly string[]> {
  const problems: string[] = [];
  const width = await page.evaluate('document.documentElement.scrollWidth');
  if (Number(width) > NARROW.width) problems.push(`${path} is ${String(width)} pixels wide on a telephone`);
  await page.addScriptTag({ path: AXE });
  for (const scheme of ['light', 'dark'] as const) {
    await page.evaluate(`document.documentElement.classList.toggle('dark', ${scheme === 'dark'})`);
    await page.evaluate('Promise.allSettled(document.getAnimations().map((each) => each.finished))');
    const found = (await page.evaluate(
      `axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa'] }).then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.slice(0, 3).map(({ target, any }) => target + ' ' + (any[0]?.message ?? '')).join(' | ')))`,
    )) as readonly string[];
    problems.push(...found.map((each) => `${path} (${scheme}): ${each}`));
  }
  return problems;
}

/** Whether the search finds a code and leads to its page. */
async function searchProblems(page: Page, origin: string): Promise<readonly string[]> {
  await page.goto(origin);
  await page.keyboard.press('Control+k');
  await page.fill('.search-input', CODE);
  try {
    await page.waitForSelector(`.result[href*="/codes/${CODE}"]`, { timeout: 20_000 });
    return [];
  } catch {
    return [`the search does not find ${CODE}`];
  }
}
