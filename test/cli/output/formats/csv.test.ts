import { expect, test } from 'vitest';
import { accountRows } from '../../../../src/cli/verify/accounts-csv.ts';
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

test('a negative sum of an account is a number', () => {
  const side = { count: 1, sum: '-5.00', sha256: 'aa' };
  const row = accountRows('run', {
    import_supplier: 'ACME',
    external_account_number: '-7',
    types: [{ type: 'CREDIT', source: side, found: side, other: { count: 0, sum: null, sha256: '' } }],
  } as unknown as Parameters<typeof accountRows>[1]);
  expect(row).toBe("run,ACME,'-7,CREDIT,1,1,-5.00,-5.00,aa,aa,yes\n");
});
