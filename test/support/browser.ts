import { execFileSync } from 'node:child_process';
import chromium from '@sparticuz/chromium';
import { chromium as playwright, type Browser } from 'playwright-core';

/** A test may run as root, and needs no graphics card. The packed browser's own flags would end it with its first page. */
const ARGS = ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'];

/** Programs that are looked for where the packed browser does not run. */
const ON_THE_PATH = ['chromium', 'chromium-browser', 'google-chrome', 'chrome'];

/**
 * A headless Chromium: the packed one on Linux x64, else one on the PATH. Undefined without one, which is said on standard error.
 * In continuous integration (`CI` is set) a missing browser is an error.
 */
export async function headlessBrowser(): Promise<Browser | undefined> {
  const failures: string[] = [];
  for (const find of [packed, onThePath]) {
    try {
      const found = await find();
      if (found) return await playwright.launch({ ...found, headless: true });
    } catch (error) {
      failures.push(String(error));
    }
  }
  const reason = ['no Chromium starts here', ...failures].join('\n');
  if (process.env['CI']) throw new Error(reason);
  console.warn(`SKIPPED: no page is looked at, because ${reason}`);
  return undefined;
}

async function packed() {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined;
  return { executablePath: await chromium.executablePath(), args: ARGS };
}

/** An installed Chromium; undefined without one. */
async function onThePath() {
  for (const name of ON_THE_PATH) {
    try {
      const path = execFileSync('which', [name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
      return { executablePath: path.trim(), args: ARGS };
    } catch {
      // The next name.
    }
  }
  return undefined;
}
