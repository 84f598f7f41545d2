import { expect, test } from 'vitest';
import { csvCell } from '../../../../src/cli/output/formats/csv.ts';
import { unresolvedLine } from '../../../../src/cli/runs/runs-confirm.ts';

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
  const row = {
    ...account,
    id: formula,
    type: formula,
    payload: null,
    amount: '1',
    file: formula,
    line: 2,
    outcome: 'verify',
  };
  const header = { resource: 'notes' };
  const line = unresolvedLine({ reading: { header }, row } as never);
  const shown = line.split(',').filter((cell) => cell.includes(formula));
  expect(shown).toEqual(Array.from({ length: 5 }, () => `'${formula}`));
});
