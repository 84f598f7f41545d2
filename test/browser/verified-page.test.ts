import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, describe, expect, test } from 'vitest';
import type { Verification } from '../../src/cli/verify/verification-schema.ts';
import { headlessBrowser } from '../support/browser.ts';
import { migration } from '../support/migration.ts';
import { GOOD, HEADER, REFUSED, SEED } from '../support/refused-account.ts';
import { verified } from '../support/verified.ts';

const INVALID = 'ACME,1001,t-2,2026-02-30,CREDIT,3.00';
const COHORT = [
  'version: 1',
  'supplier: ACME',
  'on_reject: skip',
  'resources:',
  '  notes: { files: [n.csv] }',
  '  transactions: { files: [t.csv], map: t.csv.map.yaml }',
];

const NAMES = HEADER.split(',').map((name) => `  ${name}: ${name}`);
const FILTER = '  - { column: transaction_id, in: [left-out] }';
const MAPPING = ['version: 1', 'resource: transactions', 'filter:', FILTER, 'fields:', ...NAMES];

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const browser: Browser | undefined = await headlessBrowser();
afterAll(() => browser?.close());

/** A cohort with every part of a page: refused, invalid and left-out rows, a retried request, and notes beside it. */
async function makePage(): Promise<Made> {
  const site = await migration(SEED);
  const rows = Array.from({ length: 1_200 }, (_, index) => GOOD.replace('t-1', `g-${index}`));
  site.csv('t.csv', HEADER, GOOD, ...rows, REFUSED, INVALID, GOOD.replace('t-1', 'left-out'));
  site.csv('t.csv.map.yaml', ...MAPPING);
  site.csv('n.csv', 'import_supplier,external_account_number,body', 'ACME,1001,hello');
  site.csv('night.yaml', ...COHORT);
  await site.faults('transactions after-commit reset nth=2');
  await site.cliIn({ maxWaits: 5, chance: 0.5 }, 'migrate', 'night.yaml', '--skip-invalid');
  const { found } = await verified(site, '--html', 'page.html');
  return { page: readFileSync(join(site.cwd, 'page.html'), 'utf8'), found };
}

interface Made {
  readonly page: string;
  readonly found: Verification;
}

let made: Promise<Made> | undefined;

/** The page that all tests look at, made by the first of them. */
const madePage = (): Promise<Made> => (made ??= makePage());

/** How a page is looked at. */
const VIEWS = {
  light: { colorScheme: 'light', viewport: { width: 1_100, height: 900 } },
  'on a phone': { colorScheme: 'light', viewport: { width: 390, height: 800 } },
} as const;

let page: Promise<Page> | undefined;

/** The page, which no script changes. Its policy would keep axe out, too. The test of the policy opens the page as it is. */
async function newPage(): Promise<Page> {
  const made = await (await browser!.newContext({ bypassCSP: true })).newPage();
  await made.setContent((await madePage()).page);
  return made;
}

/** The page, looked at in one of these ways. */
async function opened(view: keyof typeof VIEWS): Promise<Page> {
  const shown = await (page ??= newPage());
  const { viewport, colorScheme } = VIEWS[view];
  await shown.setViewportSize(viewport);
  await shown.emulateMedia({ colorScheme, media: 'screen' });
  return shown;
}

describe.skipIf(browser === undefined)('the page of verify in a browser', () => {
  test.each(Object.keys(VIEWS) as (keyof typeof VIEWS)[])(
    '%s: axe finds nothing, and nothing is wider than the window',
    async (view) => {
      const shown = await opened(view);
      await shown.evaluate(AXE);
      const { violations, passes } = (await shown.evaluate(
        `axe.run(${JSON.stringify({ resultTypes: ['violations'] })})`,
      )) as {
        violations: { id: string; nodes: { html: string }[] }[];
        passes: object[];
      };
      expect(violations.map(({ id, nodes }) => [id, nodes.map((node) => node.html)])).toEqual([]);
      expect(passes.length).toBeGreaterThan(10);
      expect(
        await shown.evaluate('document.documentElement.scrollWidth - window.innerWidth'),
      ).toBeLessThanOrEqual(0);
    },
  );

  test('its numbers are those of the document', async () => {
    const { found } = await madePage();
    const shown = (await (await opened('light')).evaluate(READ_TABLES)) as Tables;
    const bare = (caption: string) =>
      shown
        .filter((table) => table.caption.startsWith(caption))
        .map(({ rows }) => rows.map((row) => row.map((cell) => cell.replaceAll(',', ''))));
    const { rows } = found.parts.find(({ resource }) => resource === 'transactions')!;
    const [total] = found.parts.flatMap(({ control_totals: totals }) => totals.filter(({ type }) => type));
    const { type, count, read, accepted } = total!;
    const missing = ((Number(read) * 100 - Number(accepted) * 100) / 100).toFixed(2);
    expect(bare('Rows that were to be imported')[0]!.slice(-2)).toEqual([
      [
        'transactions (t.csv)',
        ...[rows.read - rows.filtered, rows.created + rows.existing].map(String),
        '2',
        '',
        '',
        '',
      ],
      [`– ${type}`, String(count), '', '', read, accepted, missing],
    ]);
    expect(bare('Rows by how they ended').map((rows) => rows.at(-1)!.at(-1))).toEqual(
      found.parts.map(({ rows }) => String(rows.read)),
    );
    for (const [index, rows] of bare('Rows by how they ended').entries()) {
      const ends = Object.entries(found.parts[index]!.rows).filter(
        ([end, count]) => end !== 'read' && count > 0,
      );
      const shownCounts = rows.slice(0, -1).map((row) => String(row.at(-1)));
      const counts = ends.map(([, count]) => String(count));
      expect(new Set(shownCounts)).toEqual(new Set(counts));
      expect(shownCounts).toHaveLength(counts.length);
    }
  });

  test('needs no network and no script, and its own policy lets its style in', async () => {
    const context = await browser!.newContext({ javaScriptEnabled: false, offline: true });
    const shown = await context.newPage();
    const said: string[] = [];
    const asked: string[] = [];
    shown.on('console', (message) => said.push(message.text()));
    shown.on('request', (request) => asked.push(request.url()));
    await shown.setContent((await madePage()).page);
    expect(said).toEqual([]);
    expect(asked).toEqual([]);
    expect((await shown.locator('main').boundingBox())!.width).toBe(832);
    await context.close();
  });
});

type Tables = readonly { readonly caption: string; readonly rows: readonly (readonly string[])[] }[];

/** Runs in the page. */
const READ_TABLES = `[...document.querySelectorAll('table')].map((table) => ({
  caption: table.caption.textContent.trim(),
  rows: [...table.querySelectorAll('tbody tr, tfoot tr')].map((row) => [...row.cells].map((cell) => cell.textContent.trim())),
}))`;
