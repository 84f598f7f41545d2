import { readFileSync } from 'node:fs';
import { refusal, Refusal, Text, type Answer } from '../http/answer.ts';
import type { Route } from './route.ts';

const PAGE = '/_local/ui';

/** Paths that a link on a page of another site may open. Neither shows data nor changes any, and no frame may contain the page. */
export const LINKED_PATHS: ReadonlySet<string> = new Set(['/', PAGE]);

/** Sends who opens the address of the server to the page, and serves the files of the page. */
export const pageRoutes: readonly Route[] = [
  served('/', () => ({ status: 302, body: new Text('', null), headers: { location: PAGE } })),
  served(PAGE, () => fileAnswer('index.html')),
  served(`${PAGE}/:file`, ({ file = '' }) => fileAnswer(file)),
];

function served(path: string, answer: (segments: Readonly<Record<string, string>>) => Answer): Route {
  return {
    method: 'GET',
    path,
    access: 'loopback',
    answer: ({ segments }) => answer(segments),
  };
}

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
};

const HEADERS = {
  // No inline script or style, and nothing of another origin. The page inserts data as text only.
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-cache',
};

/** Preact and htm in one file. scripts/build.mjs puts it beside the files of the page; a checkout has it as a package. */
const LIBRARY = 'htm.js';

/** One file of the page, read when it is asked for, so that a start reads none of them. */
function fileAnswer(name: string): Answer {
  const type = TYPES[name.split('.').at(-1) ?? ''];
  // A name without a path cannot leave the folder.
  const text = type !== undefined && /^[a-z-]+\.[a-z]+$/.test(name) ? textOfFile(name) : undefined;
  if (type === undefined || text === undefined) throw new Refusal(refusal('not_found'));
  return { status: 200, body: new Text(text, type), headers: HEADERS };
}

function textOfFile(name: string): string | undefined {
  const places = [new URL(`../ui/${name}`, import.meta.url)];
  if (name === LIBRARY)
    places.push(new URL('../../../node_modules/htm/preact/standalone.module.js', import.meta.url));
  for (const place of places) {
    try {
      return readFileSync(place, 'utf8');
    } catch {
      // The next place.
    }
  }
  return undefined;
}
