import { describe, expect, test } from 'vitest';
import { openSourceFile } from '../../../../src/cli/csv/source-file.ts';
import { LISTED, unclearValues } from '../../../../src/cli/mapping/compile/unclear-values.ts';
import { needMapping } from '../../../../src/cli/mapping/file/load-mapping.ts';
import { folderWith } from '../../../support/mapping-files.ts';

type Seen = readonly [text: string | typeof LISTED | undefined, isLeftOut?: boolean];

/** The warnings about the column `S`, the seventh of the file, after these rows from line 2 on. */
async function warningsOf(rest: string, seen: readonly Seen[]) {
  const text = `version: 1\nresource: notes\nfields: { external_account_number: K }\n${rest}`;
  const folder = folderWith({ 'm.yaml': text });
  const unclear = unclearValues(await needMapping('m.yaml', (name) => openSourceFile(name, folder)));
  const column = { index: 6, header: 'S' };
  for (const [at, [value, isLeftOut = false]] of seen.entries())
    unclear.see(column, value, { line: at + 2, isLeftOut });
  return unclear.warnings().map(({ problem: { code, severity, path, facts }, cell }) => {
    expect([code, severity, path]).toEqual(['condition_value_unclear', 'warning', []]);
    expect([cell!.file, cell!.column, cell!.header]).toEqual([null, 7, 'S']);
    return `${cell!.line} ${String(facts['what'])} ${String(facts['count'])} of ${String(facts['rows'])}${String(facts['left_out'])}`;
  });
}

const listed = (count: number): readonly Seen[] => Array.from({ length: count }, () => [LISTED]);
const FILTER = 'filter: [{ column: S, in: [void] }]\n';

describe('a cell that says nothing, where conditions look for texts', () => {
  test.each<readonly [Seen[0], string]>([
    [undefined, 'are empty'],
    ['', 'are empty'],
    ['  ', 'are empty'],
    ['?', 'have a text that means "no value"'],
    [' n/a ', 'have a text that means "no value"'],
    ['#N/A', 'have what a spreadsheet shows for a lost value'],
    ['########', 'have what a spreadsheet shows for a lost value'],
  ])('is a warning at the first of them: %j', async (value, what) => {
    expect(await warningsOf(FILTER, [...listed(19), [value]])).toEqual([`21 ${what} 1 of 20`]);
  });

  test.each<readonly [string, readonly Seen[], readonly string[]]>([
    ['in a few rows', [...listed(18), ['']], []],
    ['in three of a few rows', [...listed(17), [''], [''], ['']], ['19 are empty 3 of 20']],
    ['in four of a few rows', [...listed(16), [''], [''], [''], ['']], []],
    ['in four of two hundred rows', [...listed(196), [''], [''], [''], ['']], ['198 are empty 4 of 200']],
    ['in five of two hundred rows', [...listed(195), [''], [''], [''], [''], ['']], []],
    ['lost in every row', [['#N/A'], ['#N/A']], ['2 have what a spreadsheet shows for a lost value 2 of 2']],
    ['that is listed', listed(20), []],
    ['of another text', [...listed(19), ['open']], []],
    [
      'that the filter leaves out',
      [...listed(18), ['', true], ['']],
      ['20 are empty 2 of 20; the filter leaves out 1 of them'],
    ],
  ])('is judged by its share: %s', async (_, seen, expected) => {
    expect(await warningsOf(FILTER, seen)).toEqual(expected);
  });

  test.each<readonly [string, readonly string[]]>([
    [
      'filter: [{ column: S, in: [void] }, { column: S, is: empty }]\n',
      ['22 have a text that means "no value" 1 of 21'],
    ],
    [
      'filter: [[{ column: S, in: [void] }, { column: S, is: present }]]\n',
      ['22 have a text that means "no value" 1 of 21'],
    ],
    [
      'filter: [{ column: S, in: [void] }, { column: K, is: empty }]\n',
      ['21 are empty 1 of 21', '22 have a text that means "no value" 1 of 21'],
    ],
    [`${FILTER}expect: [{ column: S, in: [open] }]\n`, []],
    [
      `${FILTER}expect: [{ column: S, in: [open], when: { column: K, is: present } }]\n`,
      ['21 are empty 1 of 21', '22 have a text that means "no value" 1 of 21'],
    ],
  ])('may be said to be right by the mapping: %s', async (rest, expected) => {
    expect(await warningsOf(rest, [...listed(19), [''], ['?']])).toEqual(expected);
  });

  test('is not refused by an expectation, where the filter leaves it out', async () => {
    const rest = `${FILTER}expect: [{ column: S, in: [open] }]\n`;
    expect(await warningsOf(rest, [...listed(19), ['', true]])).toEqual([
      '21 are empty 1 of 20; the filter leaves out 1 of them',
    ]);
  });
});
