import { readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { expect, test } from 'vitest';
import { startPlatform } from '../../support/server-platform.ts';
import { rawRequest } from '../../support/server-raw-http.ts';

test('the address of the server leads to the page', async () => {
  const { url } = await startPlatform();
  const answer = await fetch(url, { redirect: 'manual' });
  expect([answer.status, answer.headers.get('location')]).toEqual([302, '/_local/ui']);
  const page = await fetch(url);
  expect([page.url, page.headers.get('content-type')]).toEqual([
    `${url}/_local/ui`,
    'text/html; charset=utf-8',
  ]);
  expect(await page.text()).toContain('<script type="module" src="/_local/ui/app.js"></script>');
});

test.each([
  ['app.js', 'text/javascript; charset=utf-8'],
  ['htm.js', 'text/javascript; charset=utf-8'],
  ['base.css', 'text/css; charset=utf-8'],
  ['icon.svg', 'image/svg+xml'],
])('%s is served as %s, and may use nothing but this server', async (file, type) => {
  const { url } = await startPlatform();
  const { status, headers } = await fetch(`${url}/_local/ui/${file}`);
  expect([status, headers.get('content-type'), headers.get('x-content-type-options')]).toEqual([
    200,
    type,
    'nosniff',
  ]);
  const policy = headers.get('content-security-policy')!.split('; ');
  expect(policy).toContain("default-src 'none'");
  for (const rule of policy.slice(1)) expect(rule).toMatch(/^[a-z-]+ '(self|none)'$/);
});

test('every file that the page links to is served, and it links to every style sheet', async () => {
  const { url } = await startPlatform();
  const html = await (await fetch(`${url}/_local/ui`)).text();
  const links = [...html.matchAll(/(?:href|src)="(.*?)"/g)].map(([, path]) => path!);
  for (const path of links) expect((await fetch(url + path)).status, path).toBe(200);
  const linked = links.flatMap((path) => (path.endsWith('.css') ? [basename(path)] : []));
  const sheets = readdirSync('src/server/ui').filter((name) => name.endsWith('.css'));
  expect(linked.toSorted()).toEqual(sheets.toSorted());
});

test('the page has no inline script and no inline style, and names no other origin', async () => {
  const { url } = await startPlatform();
  const html = await (await fetch(`${url}/_local/ui`)).text();
  expect(html).not.toMatch(/<script(?![^>]* src=)|<style|\sstyle=|\son\w+=|https?:/);
});

test.each(['%2e%2e%2fstart.ts', '..', 'page-routes.ts', 'app.js.map', 'App.js', 'app.mjs', 'x', 'a/b.js'])(
  'there is no file %s of the page',
  async (file) => {
    const { url } = await startPlatform();
    const { status } = await rawRequest(url, { path: `/_local/ui/${file}` });
    expect(status).toBe(404);
  },
);

test.each([
  [{ 'sec-fetch-site': 'cross-site' }, 403],
  [{ origin: 'http://127.0.0.1:9' }, 403],
  [{ host: 'rebound.example' }, 421],
])('a foreign page (%j) cannot read the page, and cannot act', async (headers, status) => {
  const { url } = await startPlatform();
  for (const [method, path] of [
    ['GET', '/'],
    ['GET', '/_local/ui'],
    ['GET', '/_local/figures'],
    ['GET', '/_local/requests/newest'],
    ['POST', '/_local/reset'],
  ] as const) {
    const sent = {
      method,
      path,
      headers: { 'content-type': 'application/json', ...headers },
      ...(method === 'POST' && { body: '{}' }),
    };
    expect((await rawRequest(url, sent)).status, path).toBe(status);
  }
});

/** The headers of a browser that follows a link on a page of another site. */
const LINK = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };

test('a link on a page of another site opens the page, and nothing else', async () => {
  const { url } = await startPlatform();
  const opened = async (path: string, headers: Record<string, string> = LINK, method = 'GET') =>
    (await rawRequest(url, { method, path, headers })).status;
  expect([await opened('/'), await opened('/_local/ui')]).toEqual([302, 200]);
  for (const path of ['/_local/figures', '/_local/ledger', '/_local/ui/app.js', '/_local/requests/newest'])
    expect(await opened(path), path).toBe(403);
  for (const other of [
    { ...LINK, 'sec-fetch-dest': 'iframe' },
    { ...LINK, 'sec-fetch-mode': 'no-cors' },
    { ...LINK, origin: 'http://elsewhere.example' },
  ])
    expect(await opened('/_local/ui', other)).toBe(403);
});
