import { expect, test } from 'vitest';
import { csvCell, csvLine } from '../../../../src/cli/output/formats/csv.ts';
import { unresolvedCells } from '../../../../src/cli/runs/unresolved-csv.ts';

test.each([
  ['=HYPERLINK("x")', `'=HYPERLINK("x")`],
  ['+1', "'+1"],
  ['-1', "'-1"],
  ['@SUM(1)', "'@SUM(1)"],
  ['＝1+1', "'＝1+1"],
  ['a\nb', String.raw`a\nb`],
  ['1-1', '1-1'],
  [null, ''],
])('%j is %j in a file that a spreadsheet may open', (text, cell) => {
  expect(csvCell(text)).toBe(cell);
});

test('no text of a supplier or of the platform is a formula in a file that we write', () => {
  const formula = '=1+1';
  const account = { import_supplier: formula, external_account_number: formula };
  const unresolved = { id: formula, type: formula, date: null, amount: '1', file: formula, line: 2 };
  const line = csvLine(unresolvedCells({ ...account, ...unresolved, outcome: 'verify' }));
  const shown = line.split(',').filter((cell) => cell.includes(formula));
  expect(shown).toEqual(Array.from({ length: 5 }, () => `'${formula}`));
});
