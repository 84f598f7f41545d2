import { expect, test } from 'vitest';
import { reasonRows, reasonsHeader } from '../../../../src/cli/output/formats/reasons-csv.ts';
import { problemWith } from '../../../support/run-report.ts';

const ROW = { rejectsLine: 3, file: 't.csv', fileSha256: 'abc', line: 7 };

test('each problem of a row is a line of its own, which names the row, too', () => {
  const problems = [
    problemWith({ line: 7 }),
    problemWith({ line: 8, column: null, header: null, detail: 'a, "b"' }),
  ];
  expect(reasonsHeader() + reasonRows(ROW, problems)).toBe(
    [
      'rejects_line,file,line,column,header,code,detail,row_line,file_sha256',
      '3,t.csv,7,6,amount,invalid,is not a plain decimal,7,abc',
      '3,t.csv,8,,,invalid,"a, ""b""",7,abc',
      '',
    ].join('\n'),
  );
});

test('a row whose problems are in another file is a line without a code', () => {
  expect(reasonRows(ROW, [])).toBe('3,t.csv,7,,,,,7,abc\n');
});

test.each(['=HYPERLINK("x")', '+1', '-1', '@SUM(1)'])('%s in a header is no formula', (header) => {
  expect(reasonRows(ROW, [problemWith({ header })])).toMatch(/,"?'[=+\-@]/);
});

test('control characters are shown as escapes', () => {
  expect(reasonRows(ROW, [problemWith({ header: '\t=1\u001b[2J' })])).toContain(',\\t=1\\u001b[2J,');
});
