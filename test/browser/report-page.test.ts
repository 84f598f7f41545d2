import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, describe, expect, test } from 'vitest';
import { migrationReport, type MigrationReport } from '../../src/cli/report/page/migration-report.ts';
import { headlessBrowser } from '../support/browser.ts';
import { migration } from '../support/migration.ts';
import { reportPageOf } from '../support/report-page.ts';
import { GOOD, HEADER, REFUSED, SEED } from '../support/refused-account.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const browser: Browser | undefined = await headlessBrowser();
afterAll(() => browser?.close());

/** A run with every part of a report: refused, invalid and left-out rows, a retried request, and notes beside it. */
async function makeReport(): Promise<MadeReport> {
  const site = await migration(SEED);
  const rows = Array.from({ length: 1_200 }, (_, index) => GOOD.replace('t-1', `g-${index}`));
  site.csv('t.csv', HEADER, GOOD, ...rows, REFUSED, 'ACME,1001,t-2,2026-02-30,CREDIT,3.00');
  await site.faults('transactions after-commit reset nth=2');
  const flags = ['--skip-invalid', '--on-reject', 'skip', '--max-records', '1202'];
  await site.cliIn({ maxWaits: 5, chance: 0.5 }, 'push', 'transactions', 't.csv', ...flags);
  site.csv('n.csv', 'import_supplier,external_account_number,body', 'ACME,1001,hello');
  await site.cli('push', 'notes', 'n.csv');
  const runs = join('.dataimport', 'journal');
  const page = await reportPageOf(site, runs);
  const report = migrationReport.parse((await site.cli('report', runs, '--json')).json());
  return { page, report };
}

interface MadeReport {
  readonly page: string;
  readonly report: MigrationReport;
}

let made: Promise<MadeReport> | undefined;

/** The report that all tests look at, made by the first of them. */
const madeReport = (): Promise<MadeReport> => (made ??= makeReport());

/** How a page is looked at. */
const VIEWS = {
  light: { colorScheme: 'light', viewport: { width: 1_100, height: 900 } },
  dark: { colorScheme: 'dark', viewport: { width: 1_100, height: 900 } },
  'on a phone': { colorScheme: 'light', viewport: { width: 390, height: 800 } },
} as const;

let page: Promise<Page> | undefined;

/** The page with the report, which no script changes. Its policy would keep axe out, too. The test of the policy opens the page as it is. */
async function newPage(): Promise<Page> {
  const made = await (await browser!.newContext({ bypassCSP: true })).newPage();
  await made.setContent((await madeReport()).page);
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

/** The rules of axe that colours decide; the parts of the page are those of the light one. */
const RULES_OF_COLOURS = ['color-contrast'];

describe.skipIf(browser === undefined)('the page of a report in a browser', () => {
  test.each(Object.keys(VIEWS) as (keyof typeof VIEWS)[])(
    '%s: axe finds nothing, and nothing is wider than the window',
    async (view) => {
      const shown = await opened(view);
      await shown.evaluate(AXE);
      const only = view === 'dark' ? { runOnly: RULES_OF_COLOURS } : {};
      const { violations, passes } = (await shown.evaluate(
        `axe.run(${JSON.stringify({ ...only, resultTypes: ['violations'] })})`,
      )) as {
        violations: { id: string; nodes: { html: string }[] }[];
        passes: object[];
      };
      expect(violations.map(({ id, nodes }) => [id, nodes.map((node) => node.html)])).toEqual([]);
      expect(passes.length).toBeGreaterThan(view === 'dark' ? 0 : 10);
      expect(
        await shown.evaluate('document.documentElement.scrollWidth - window.innerWidth'),
      ).toBeLessThanOrEqual(0);
    },
  );

  test('the palettes of light and dark differ', async () => {
    const colour = async (view: keyof typeof VIEWS) =>
      (await opened(view)).evaluate('getComputedStyle(document.body).backgroundColor');
    expect(await colour('light')).toBe('rgb(255, 255, 255)');
    expect(await colour('dark')).toBe('rgb(20, 24, 31)');
  });

  test('its numbers are those of the document', async () => {
    const { report } = await madeReport();
    const shown = (await (await opened('light')).evaluate(READ_TABLES)) as Tables;
    const bare = (caption: string) =>
      shown
        .filter((table) => table.caption.startsWith(caption))
        .map(({ rows }) => rows.map((row) => row.map((cell) => cell.replaceAll(',', ''))));
    const withAmounts = report.parts.filter(({ amount_unit: unit }) => unit !== null);
    expect(bare('Exact sums')).toEqual(
      withAmounts.map((part) =>
        part.control_totals.map(({ type, count, read, accepted }) => [type, String(count), read, accepted]),
      ),
    );
    expect(bare('Rows by how they ended').map((rows) => rows.at(-1)!.at(-1))).toEqual(
      report.parts.map(({ rows }) => String(rows.read)),
    );
    for (const [index, rows] of bare('Rows by how they ended').entries()) {
      const ends = Object.entries(report.parts[index]!.rows).filter(
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
    await shown.setContent((await madeReport()).page);
    expect(said).toEqual([]);
    expect(asked).toEqual([]);
    expect((await shown.locator('main').boundingBox())!.width).toBe(832);
    await context.close();
  });

  test('printed it is light', async () => {
    const shown = await opened('dark');
    await shown.emulateMedia({ media: 'print', colorScheme: 'dark' });
    const pdf = await shown.pdf({ preferCSSPageSize: true });
    const colour = await shown.evaluate('getComputedStyle(document.body).backgroundColor');
    expect(colour).toBe('rgb(255, 255, 255)');
    // A4 in points.
    expect(pdf.toString('latin1')).toMatch(/\/MediaBox \[0 0 59[45](\.\d+)? 84[12](\.\d+)?\]/);
  });

  test('every part that scrolls can be reached with the keyboard', async () => {
    const unreachable = await (
      await opened('on a phone')
    ).evaluate(`[...document.querySelectorAll('*')].filter((element) =>
        element.scrollWidth > element.clientWidth + 1 && getComputedStyle(element).overflowX === 'auto' && element.tabIndex < 0).length`);
    expect(unreachable).toBe(0);
  });
});

type Tables = readonly { readonly caption: string; readonly rows: readonly (readonly string[])[] }[];

/** Runs in the page. */
const READ_TABLES = `[...document.querySelectorAll('table')].map((table) => ({
  caption: table.caption.textContent.trim(),
  rows: [...table.querySelectorAll('tbody tr, tfoot tr')].map((row) => [...row.cells].map((cell) => cell.textContent.trim())),
}))`;
