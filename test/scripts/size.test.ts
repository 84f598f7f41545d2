import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { projectRoot } from '../support/source-tree.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** A project of four lines in src, exactly as large as its budgets. */
const PROJECT = {
  'scripts/size.yaml': `
rooms:
  core: { most: 1, in: [src/core] }
  reading: { most: 3, in: [src/cli/csv, src/cli/main.ts] }
lines:
  test: { most: 2, in: [test], endings: [.ts] }
words:
  pages: { most: 4, in: [pages], endings: [.txt] }
interface: { commands: 2, flags: 2, codes: 2 }
`,
  'src/core/error-codes/table.ts': 'export const ERROR_CODES = { first: 1, second: 2 };\n',
  'src/cli/csv/rows.ts': '// 1\n// 2\n',
  'src/cli/csv/notes.txt': 'not TypeScript\n',
  'src/cli/main.ts': '// 1\n',
  'test/cli/surface.txt':
    'Usage: a\n  -h, --help  print help\n\nUsage: a b\n  --base-url <url>\n  -h, --help\n',
  'test/a.test.ts': '// 1\n// 2\n',
  'pages/page.txt': 'two words,\n\ntwo more',
};

async function size(changes: Readonly<Record<string, string>>) {
  const folder = temporaryFolder();
  for (const [path, text] of Object.entries({ ...PROJECT, ...changes })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const script = join(projectRoot, 'scripts', 'size.mjs');
  return execa(process.execPath, [script, folder], { reject: false });
}

test('a project within its budgets passes and gets a table of them', async () => {
  const { exitCode, stdout, stderr } = await size({});
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(stdout.split('\n').map((line) => line.split(/ {2,}/).join(' '))).toEqual([
    ' is at most',
    'core 1 1',
    'reading 3 3',
    'test 2 2',
    'words of pages 4 4',
    'commands 2 2',
    'flags 2 2',
    'codes 2 2',
    'all rooms of src 4 4',
  ]);
});

test.each([
  ['a line', 'src/cli/csv/more.ts', '// 1\n// 2\n', 'reading: 2 above its budget of 3'],
  ['a word', 'pages/more.txt', 'one', 'words of pages: 1 above its budget of 4'],
  ['a flag', 'test/cli/surface.txt', 'Usage: a\n  --a\n  --b\n  --c <n>\n', 'flags: 1 above its budget of 2'],
  ['a folder', 'src/cli/more/a.ts', '', 'src/cli/more/a.ts belongs to no room of scripts/size.yaml'],
])('%s too many fails and names the place', async (_, path, text, problem) => {
  const { exitCode, stderr } = await size({ [path]: text });
  expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: `size: ${problem}` });
});
