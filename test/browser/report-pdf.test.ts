import { chmodSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { onThePath } from '../support/browser.ts';
import { migration } from '../support/migration.ts';
import { GOOD, HEADER, IMPORTED } from '../support/refused-account.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** A report of a push, made where this program is the only browser. `bin`: a folder with it. */
async function printed(bin: string, ...flags: readonly string[]) {
  const site = await migration(IMPORTED);
  site.csv('t.csv', HEADER, GOOD);
  expect((await site.cli('push', 'transactions', 't.csv')).exitCode).toBe(0);
  const report = (...more: readonly string[]) =>
    site.cliIn({ env: { PATH: bin }, userId: 0 }, 'report', '--pdf', 'report.pdf', ...flags, ...more);
  return { site, report, ended: await report() };
}

test('the page is printed as a PDF by an installed browser, and replaces a PDF of ours only', async (context) => {
  const browser = await onThePath();
  if (browser === undefined) return context.skip('no Chromium is installed');
  const bin = temporaryFolder();
  symlinkSync(browser.executablePath, join(bin, 'chromium'));
  const { site, ended, report } = await printed(bin);
  expect([ended.exitCode, ended.stderr]).toEqual([0, '']);
  const file = join(site.cwd, 'report.pdf');
  expect(readFileSync(file).toString('latin1')).toMatch(/^%PDF-.*%%EOF\s*$/s);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(site.cwd).filter((name) => name.startsWith('report'))).toEqual(['report.pdf']);
  expect((await report()).exitCode).toBe(0);
  writeFileSync(file, '%PDF-1.7 a contract');
  expect((await report()).stderr).toContain('file_not_ours');
});

test('a browser that fails leaves no file, and its own words are shown', async () => {
  const bin = temporaryFolder();
  writeFileSync(
    join(bin, 'chromium'),
    '#!/bin/sh\necho "cannot open display $DATAIMPORT_API_KEY." >&2\nexit 1\n',
  );
  chmodSync(join(bin, 'chromium'), 0o755);
  const { site, ended } = await printed(bin);
  expect([ended.exitCode, ended.stderr]).toEqual([
    2,
    expect.stringContaining(
      `error pdf_not_made ${join(bin, 'chromium')} made no report.pdf: cannot open display .`,
    ),
  ]);
  expect(readdirSync(site.cwd).filter((name) => name.startsWith('report'))).toEqual([]);
});

test('a machine without a browser says what to do before anything is read', async () => {
  const { pdfPrinter } = await import('../../src/cli/report/pdf.ts');
  const { fakeIo } = await import('../support/cli-io.ts');
  const io = { ...fakeIo({ env: { PATH: temporaryFolder() } }), platform: 'aix' as const };
  expect(() => pdfPrinter('report.pdf', io)).toThrow(expect.objectContaining({ code: 'browser_missing' }));
  expect(() => pdfPrinter('-', io)).toThrow(expect.objectContaining({ code: 'usage' }));
});
