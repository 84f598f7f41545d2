import { expect, test } from 'vitest';
import { accountRows } from '../../../../src/cli/verify/accounts-csv.ts';
import { csvCell, csvLine } from '../../../../src/cli/output/formats/csv.ts';
import { reasonRows } from '../../../../src/cli/output/formats/reasons-csv.ts';
import { unresolvedCells } from '../../../../src/cli/runs/unresolved-csv.ts';
import { problemWith } from '../../../support/run-report.ts';

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
  const side = { count: 1, sum: '5.00', sha256: 'aa' };
  const account = { import_supplier: formula, external_account_number: formula };
  const other = { count: 0, sum: null, sha256: '' };
  const types = [{ type: formula, source: side, found: side, other }];
  const problem = problemWith({ file: formula, header: formula, detail: formula });
  const copied = { rejectsLine: 3, file: formula, fileSha256: 'abc', line: 7 };
  const unresolved = { id: formula, type: formula, date: null, amount: '1', file: formula, line: 2 };
  const lines = [
    accountRows('run', { ...account, types }),
    reasonRows(copied, [problem]),
    reasonRows(copied, []),
    csvLine(unresolvedCells({ ...account, ...unresolved, outcome: 'verify' })),
  ];
  const shown = lines.map((line) => line.split(',').filter((cell) => cell.includes(formula)));
  expect(shown).toEqual([3, 3, 1, 5].map((count) => Array.from({ length: count }, () => `'${formula}`)));
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
