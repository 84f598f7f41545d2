import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { execa } from 'execa';
import type { Browser } from 'playwright-core';
import { startServer } from '../../src/server/public.ts';

// What the front page shows: a terminal with the output of a real run, and pictures of the platform's page and of a report.

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const FILE = 'fixtures/quickstart/transactions.csv';
const WIDTH = 1_280;
const HEIGHT = 800;

/**
 * Migrates the sample file, and writes `terminal.svg`, `page.png` and `report.png` into a folder. Without a browser the two pictures
 * are empty.
 */
export async function drawPictures(folder: string, browser: Browser | undefined): Promise<void> {
  const work = mkdtempSync(join(tmpdir(), 'dataimport-site-'));
  const server = await startServer({ seeds: [join(ROOT, 'fixtures/quickstart/seed.yaml')] });
  try {
    const env = { DATAIMPORT_BASE_URL: server.url, DATAIMPORT_API_KEY: 'local-key', NO_COLOR: '1' };
    const run = async (...args: readonly string[]): Promise<string> => {
      const command = [join(ROOT, 'bin/dataimport.js'), ...args, '--run-dir', join(work, 'runs')];
      const { stdout, stderr } = await execa(process.execPath, command, { cwd: ROOT, env });
      return [stderr, stdout].join('\n').trim();
    };
    const shown: string[] = [];
    for (const [args, hidden] of [
      [['check', 'transactions', FILE], []],
      [['push', 'transactions', FILE], []],
      [
        ['verify', 'transactions', FILE],
        ['--ledger', server.url],
      ],
    ] as const) {
      const noRuns = args[0] === 'check';
      const output = noRuns
        ? (await execa(process.execPath, [join(ROOT, 'bin/dataimport.js'), ...args], { cwd: ROOT, env }))
            .stdout
        : await run(...args, ...hidden);
      shown.push(`$ dataimport ${[...args, ...hidden].join(' ')}`, ...output.split('\n'), '');
    }
    writeFileSync(join(folder, 'terminal.svg'), terminal(shown.slice(0, -1)));
    const report = join(work, 'report.html');
    await run('report', '--html', report);
    await picture(browser, server.url, join(folder, 'page.png'));
    await picture(browser, pathToFileURL(report).href, join(folder, 'report.png'));
  } finally {
    await server.close();
    rmSync(work, { recursive: true });
  }
}

const CHARACTER = 7.83;
const LINE = 19;
const MOST_CHARACTERS = 110;

/** A terminal as a picture that needs no font, no script and no network. */
function terminal(lines: readonly string[]): string {
  const wrapped = lines.flatMap((line) => line.match(new RegExp(`.{1,${MOST_CHARACTERS}}`, 'gu')) ?? ['']);
  const [width, height] = [Math.ceil(MOST_CHARACTERS * CHARACTER) + 32, wrapped.length * LINE + 40];
  const texts = wrapped.map((line, index) => {
    const colour = line.startsWith('$ ') ? '#9ecbff' : '#e6edf3';
    const text = line.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
    return `<text x="16" y="${index * LINE + 34}" fill="${colour}" xml:space="preserve">${text}</text>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" font-family="ui-monospace, Menlo, Consolas, monospace" font-size="13">`,
    `<rect width="100%" height="100%" rx="8" fill="#0d1117"/>`,
    ...texts,
    '</svg>',
    '',
  ].join('\n');
}

/** A picture of a page. */
async function picture(browser: Browser | undefined, url: string, file: string): Promise<void> {
  if (!browser) {
    writeFileSync(file, EMPTY_PNG);
    return;
  }
  const page = await browser.newPage({ viewport: { width: WIDTH, height: HEIGHT } });
  await page.goto(url);
  await page.locator('h1').waitFor();
  await page.screenshot({ path: file });
  await page.close();
}

/** One transparent pixel. */
const EMPTY_PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABh6FO1AAAAABJRU5ErkJggg==',
  'base64',
);
