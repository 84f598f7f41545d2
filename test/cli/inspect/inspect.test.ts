import { mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { inspectionDocument } from '../../support/json-documents.ts';
import { fakeIo, runCli } from '../../support/cli-io.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const CONTENT =
  'Konto;Datum;Betrag;Name\n0012;31.12.2024;1.234,56;Hansen\n0013;25.12.2024;2,00;Petersen\nSUMME;2;1.236,56;\n';

function folderWith(content: Buffer | string, name = 'export.csv'): string {
  const folder = temporaryFolder();
  writeFileSync(join(folder, name), content);
  return folder;
}

test('the text shows the findings about the file, their reasons and the next command', async () => {
  const cwd = folderWith(Buffer.from(CONTENT.replace('Name', 'Straße'), 'latin1'));
  const { exitCode, stdout, stderr } = await runCli(['inspect', 'export.csv'], fakeIo({ cwd }));
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(stdout).toContain('encoding      OPEN: byte 23 on line 1 is no UTF-8\n');
  expect(stdout).toContain('              windows-1252 reads Straße\n');
  expect(stdout).toContain(
    '              none of these: convert the file, `iconv -f CP850 -t UTF-8 export.csv >\n',
  );
  expect(stdout).toContain('delimiter     ";" (assumed, to be confirmed): 4 of 4 rows have 4 cells with it');
  expect(stdout).toContain('cell 1 says SUMME; cell 2 is the number of rows; cell 3');
  expect(stdout).toContain('   3  Betrag: 2 filled, 0 empty, all different\n');
  expect(stdout).toContain('dd.MM.yyyy reads 2, all of them');
  expect(stdout.endsWith('next: dataimport map init transactions export.csv\n')).toBe(true);
  expect(stdout.split('\n').filter((line) => line.length > 100)).toEqual([]);
});

test('values are shown with --show-values only', async () => {
  const cwd = folderWith(CONTENT);
  for (const flags of [[], ['--json']]) {
    const hidden = await runCli(['inspect', 'export.csv', ...flags], fakeIo({ cwd }));
    expect(hidden.stdout).not.toMatch(/Hansen|0012|31\.12|1\.234,56/);
    const shown = await runCli(['inspect', 'export.csv', '--show-values', ...flags], fakeIo({ cwd }));
    expect(shown.stdout).toMatch(/Hansen/);
  }
});

test('--json is one document of the published shape', async () => {
  const { exitCode, stdout } = await runCli(
    ['inspect', 'export.csv', '--json'],
    fakeIo({ cwd: folderWith(CONTENT) }),
  );
  expect(exitCode).toBe(0);
  const document = inspectionDocument.parse(JSON.parse(stdout));
  expect(document).toMatchObject({
    bytes: CONTENT.length,
    content: { table: { rows: 2, trailer: { count_cells: [2] } } },
  });
  expect(document.content!.columns.map(({ name }) => name)).toEqual(['Konto', 'Datum', 'Betrag', 'Name']);
});

test('a compressed file is inspected unpacked', async () => {
  const cwd = folderWith(gzipSync(CONTENT), 'export.csv.gz');
  const { stdout } = await runCli(['inspect', 'export.csv.gz'], fakeIo({ cwd }));
  expect(stdout).toContain(`size          ${CONTENT.length} bytes when unpacked\n`);
  expect(stdout).toContain('rows          2\n');
});

test.each([
  ['[C012] a workbook', 'PK\u0003\u0004', 'a ZIP archive or an .xlsx workbook, no CSV'],
  ['[C013] HTML', '<html></html>', 'it begins like HTML'],
  ['[C001] nothing', '', 'the file is empty'],
])('%s is told, ends with 0 and is not sent to `map init`', async (_, content, says) => {
  const { exitCode, stdout } = await runCli(['inspect', 'export.csv'], fakeIo({ cwd: folderWith(content) }));
  expect(exitCode).toBe(0);
  expect(stdout).toContain(says);
  expect(stdout).toContain('next: export the data again as CSV');
});

test.each(['missing.csv', 'folder'])('[C004] a file that cannot be opened ends with 2: %s', async (name) => {
  const cwd = temporaryFolder();
  mkdirSync(join(cwd, 'folder'));
  const { exitCode, stderr } = await runCli(['inspect', name], fakeIo({ cwd }));
  expect(exitCode).toBe(2);
  expect(stderr).toContain(name);
});

test('a name that a shell would split is quoted in the next step', async () => {
  const cwd = folderWith(CONTENT, "it's here.csv");
  const { stdout } = await runCli(['inspect', "it's here.csv"], fakeIo({ cwd }));
  expect(stdout).toContain(String.raw`next: dataimport map init transactions 'it'\''s here.csv'`);
});

test('a file that names each account only once is called that, with what to do', async () => {
  const rows = Array.from({ length: 12 }, (_, at) => `${at % 3 === 0 ? `77${at}` : ''};B${at};5,00\n`);
  const cwd = folderWith(`Kundennummer;Beleg;Betrag\n${rows.join('')}`);
  const { exitCode, stdout } = await runCli(['inspect', 'export.csv'], fakeIo({ cwd }));
  expect(exitCode).toBe(0);
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
    'odd 8 of 12 records have no account number and follow one that has: the file may name each account only once (Kundennummer, line 3). Fill the column down before the import',
  );
  const { stdout: json } = await runCli(['inspect', 'export.csv', '--json'], fakeIo({ cwd }));
  expect(inspectionDocument.parse(JSON.parse(json)).content!.table.warnings).toMatchObject([
    { code: 'account_in_first_row_only', line: 3, column: 1 },
  ]);
});

describe('the data files of a folder', () => {
  const FILES = {
    'bookings.csv': CONTENT.replace('Name', 'Buchungstext'),
    'notes.csv': 'external_account_number,body,created_at\n1,x,2026-01-01T00:00:00Z\n',
    'odd.csv': 'a,b\n1,2\n',
    'picture.csv': Buffer.from([0, 1, 2, 3, 0, 255]),
    'bookings.csv.map.yaml': 'version: 1\n',
    'notes.rejects.csv': 'a\n',
    'read.me': 'x',
  };

  function folder(): string {
    const cwd = temporaryFolder();
    for (const [name, content] of Object.entries(FILES)) writeFileSync(join(cwd, name), content);
    return cwd;
  }

  test('each gets its next command, and `dataimport` alone on a terminal shows the same', async () => {
    const cwd = folder();
    const { exitCode, stdout } = await runCli(['inspect', '--json'], fakeIo({ cwd }));
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      files: [
        { file: 'bookings.csv', looks: 'transactions', next: 'dataimport check transactions bookings.csv' },
        { file: 'notes.csv', looks: 'notes', next: 'dataimport check notes notes.csv' },
        { file: 'odd.csv', looks: 'not sure', next: 'dataimport inspect odd.csv' },
        { file: 'picture.csv', looks: 'not sure', next: 'dataimport inspect picture.csv' },
      ],
      left: 0,
    });
    const typed = await runCli([], fakeIo({ cwd, isTTY: true }));
    expect(typed).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining(
        '  bookings.csv  transactions  dataimport check transactions bookings.csv\n',
      ),
    });
    expect(typed.stdout.endsWith('All commands: dataimport --help\n')).toBe(true);
  });

  test('a pipe, and a folder without data, get the help as before', async () => {
    const piped = await runCli([], fakeIo({ cwd: folder() }));
    expect(piped.stdout).toMatch(/^Usage: dataimport/);
    const empty = await runCli([], fakeIo({ cwd: temporaryFolder(), isTTY: true }));
    expect(empty.stdout).toMatch(/^Usage: dataimport/);
    const named = await runCli(['inspect'], fakeIo({ cwd: temporaryFolder() }));
    expect([named.exitCode, named.stderr]).toEqual([
      2,
      expect.stringContaining('this folder has no data file'),
    ]);
  });

  test('a large file is named and not read', async () => {
    const cwd = folder();
    truncateSync(join(cwd, 'odd.csv'), 20_000_001);
    const { stdout } = await runCli(['inspect'], fakeIo({ cwd }));
    expect(stdout).toContain('  odd.csv       a large file  dataimport inspect odd.csv\n');
  });

  test('a file whose headers say little names a command that works with each resource', async () => {
    const { stdout } = await runCli(['inspect', 'odd.csv'], fakeIo({ cwd: folder() }));
    expect(stdout).toContain(
      'next: dataimport map init notes odd.csv (or transactions, statements, payment-instructions in place of notes)',
    );
  });
});
