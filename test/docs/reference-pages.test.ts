import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { mappingReferencePage } from '../../scripts/mapping-reference.ts';
import { codesPage, withExitTable, withSettingsTable } from '../../scripts/reference-pages.ts';
import { ERROR_CODES } from '../../src/core/error-codes/table.ts';
import { EXITS } from '../../src/cli/output/exit-codes.ts';
import { SETTING_NAMES, SETTINGS, variableOf } from '../../src/cli/settings/schema.ts';
import { projectRoot } from '../support/source-tree.ts';

const doc = (name: string) => readFileSync(join(projectRoot, 'docs', name), 'utf8');

/** The first cells of the table rows of a page, without what marks them as code. */
const firstCells = (text: string) =>
  [...text.matchAll(/^\| ([^|]+) \|/gm)]
    .map(([, cell]) => cell!.replaceAll('`', ''))
    .filter((cell) => !['key', 'code', 'exit'].includes(cell));

test.each([
  ['codes.md', codesPage],
  ['mapping-reference.md', mappingReferencePage],
])('docs/%s is what the source says; `npm run generate:codes` writes it anew', (name, page) => {
  expect(doc(name)).toBe(page());
});

test.each([
  ['exit-codes.md', withExitTable],
  ['settings.md', withSettingsTable],
])('docs/%s has the table that the source says', (name, withItsTable) => {
  expect(doc(name)).toBe(withItsTable(doc(name)));
});

test('the pages name everything there is, and nothing that there is not', () => {
  expect(firstCells(doc('codes.md'))).toEqual(Object.keys(ERROR_CODES).toSorted());
  const [exits] = /^\| exit [^]*?\n\n/m.exec(doc('exit-codes.md'))!;
  expect(firstCells(exits)).toEqual(Object.values(EXITS).map(({ code }) => String(code)));
  expect(firstCells(doc('settings.md'))).toEqual(Object.keys(SETTINGS));
});

test('flags and variables that settings.md talks about exist', () => {
  const known = new Set(SETTING_NAMES.map(variableOf));
  const others = [
    'DATAIMPORT_JSON',
    'DATAIMPORT_NO_PROGRESS',
    'DATAIMPORT_PROFILE',
    'DATAIMPORT_CONFIG',
    'DATAIMPORT_TOKEN',
    'DATAIMPORT_API_KEY',
    'DATAIMPORT_SERVE_API_KEY',
    'DATAIMPORT_',
  ];
  const named = doc('settings.md').match(/DATAIMPORT_[A-Z_]*/g) ?? [];
  expect(named.filter((name) => !known.has(name) && !others.includes(name))).toEqual([]);
});
