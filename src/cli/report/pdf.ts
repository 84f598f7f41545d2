import { existsSync, mkdtempSync, renameSync, rmSync, chmodSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { AppError } from '../../core/app-error.ts';
import { assertReplaceable, assertWritable, notWritten } from '../command/typed-file.ts';
import type { Io } from '../outside/io.ts';

/** Names of Chromium and its relatives on the PATH. */
const NAMES = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chrome',
  'microsoft-edge',
  'msedge',
] as const;

/** Where installers put them when they are not on the PATH. */
const USUAL_PLACES: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ['Google Chrome', 'Chromium', 'Microsoft Edge'].map(
    (name) => `/Applications/${name}.app/Contents/MacOS/${name}`,
  ),
  linux: ['/snap/bin/chromium', '/opt/google/chrome/chrome'],
  win32: ['C:\\Program Files', 'C:\\Program Files (x86)'].flatMap((folder) => [
    `${folder}\\Google\\Chrome\\Application\\chrome.exe`,
    `${folder}\\Microsoft\\Edge\\Application\\msedge.exe`,
  ]),
};

/** How long a browser may take for a page, in milliseconds. */
const MOST_MS = 120_000;

/**
 * Finds a browser for a PDF, and makes sure that the PDF can be written. Returns the function that makes it of a page.
 * @throws AppError `browser_missing`, `file_not_writable`, `file_not_ours`, `usage` for standard output
 */
export function pdfPrinter(file: string, io: Io): (page: string) => Promise<void> {
  if (file === '-')
    throw new AppError('usage', { reason: '--pdf takes a file, not standard output', command: 'report' });
  const browser = browserIn(io);
  if (browser === undefined) throw new AppError('browser_missing', { file });
  assertWritable(file, io.cwd, { kind: 'pdf' });
  return (page) => print(page, { file, browser, io });
}

function browserIn({ env, platform }: Pick<Io, 'env' | 'platform'>): string | undefined {
  const names = NAMES.map((name) => (platform === 'win32' ? `${name}.exe` : name));
  const folders = (env['PATH'] ?? env['Path'] ?? '').split(delimiter).filter((folder) => folder !== '');
  const onPath = names.flatMap((name) => folders.map((folder) => join(folder, name)));
  return [...onPath, ...(USUAL_PLACES[platform] ?? [])].find((path) => existsSync(path));
}

/** Prints a page. Its folder is beside the PDF, because a browser from a snap reads no other temporary folder. @throws AppError `pdf_not_made` */
async function print(
  page: string,
  { file, browser, io }: { file: string; browser: string; io: Io },
): Promise<void> {
  const path = resolve(io.cwd, file);
  let folder: string | undefined;
  try {
    folder = mkdtempSync(join(dirname(path), 'report-pdf-'));
    const [html, pdf] = [join(folder, 'report.html'), join(folder, 'report.pdf')];
    writeFileSync(html, page, { mode: 0o600 });
    const { exitCode, stderr } = await io.runProgram(
      browser,
      [
        '--headless',
        // The page has no script and loads nothing. As root no browser starts with its sandbox.
        ...(io.userId === 0 ? ['--no-sandbox'] : []),
        '--disable-gpu',
        '--disable-dev-shm-usage',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-extensions',
        '--no-first-run',
        '--no-pdf-header-footer',
        `--user-data-dir=${join(folder, 'profile')}`,
        `--print-to-pdf=${pdf}`,
        pathToFileURL(html).href,
      ],
      MOST_MS,
    );
    if (!existsSync(pdf)) {
      const reason = stderr.trim().split('\n').at(-1) || `it ended with ${exitCode ?? 'no exit code'}`;
      throw new AppError('pdf_not_made', { file, browser, reason });
    }
    chmodSync(pdf, 0o600);
    assertReplaceable(file, io.cwd, 'pdf');
    renameSync(pdf, path);
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw notWritten(file, error);
  } finally {
    // The processes of a browser may end a moment later than the browser.
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  }
}
