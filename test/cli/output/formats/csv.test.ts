import { expect, test } from 'vitest';
import { csvCell } from '../../../../src/cli/output/formats/csv.ts';

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
