import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
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
  expect(stdout).toContain('delimiter     ";" (assumed): 4 of 4 rows have 4 cells with it');
  expect(stdout).toContain('cell 1 says SUMME; cell 2 has the number of rows, 2;');
  expect(stdout).toContain('   3  Betrag: 2 filled, 0 empty, all different\n');
  expect(stdout).toContain('dd.MM.yyyy reads all 2 values of "Datum"');
  expect(stdout.endsWith('next: dataimport init export.csv\n')).toBe(true);
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
    content: { table: { rows: 2, trailer: { keys: { count: 2 } } } },
  });
  expect(document.content!.columns.map(({ name }) => name)).toEqual(['Konto', 'Datum', 'Betrag', 'Name']);
});

test('a compressed file is inspected unpacked', async () => {
  const cwd = folderWith(gzipSync(CONTENT), 'export.csv.gz');
  const { stdout } = await runCli(['inspect', 'export.csv.gz'], fakeIo({ cwd }));
  expect(stdout).toContain(`size          ${CONTENT.length} bytes\n`);
  expect(stdout).toContain('rows          2\n');
});

test.each([
  ['[C012] a workbook', 'PK\u0003\u0004', 'no table: it is a workbook'],
  ['[C013] HTML', '<html></html>', 'no table: it is a web page or XML'],
  ['[C001] nothing', '', 'no table: it is empty'],
])('%s is told, ends with 0 and is not sent to `init`', async (_, content, says) => {
  const { exitCode, stdout } = await runCli(['inspect', 'export.csv'], fakeIo({ cwd: folderWith(content) }));
  expect(exitCode).toBe(0);
  expect(stdout).toContain(says);
  expect(stdout).toContain('next: export the data again as CSV');
});

test('a line of JSON with 80,000 keys is refused in seconds', async () => {
  const keys = Array.from({ length: 80_000 }, (_, at) => `"k${at}":${at}`);
  const cwd = folderWith(`{${keys.join(',')}}\n`, 'wide.jsonl');
  const { stdout } = await runCli(['inspect', 'wide.jsonl'], fakeIo({ cwd }));
  expect(stdout).toContain('reading ends at line 1');
}, 20_000);
