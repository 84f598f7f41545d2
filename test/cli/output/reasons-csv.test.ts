import { expect, test } from 'vitest';
import { reasonRows, reasonsHeader } from '../../../src/cli/output/reasons-csv.ts';
import { problemWith } from '../../support/run-report.ts';

test('each problem of a row is a line of its own', () => {
  const problems = [
    problemWith({ line: 7 }),
    problemWith({ line: 8, column: null, header: null, detail: 'a, "b"' }),
  ];
  expect(reasonsHeader() + reasonRows(3, problems)).toBe(
    [
      'rejects_line,file,line,column,header,code,detail',
      '3,t.csv,7,6,amount,invalid,is not a plain decimal',
      '3,t.csv,8,,,invalid,"a, ""b"""',
      '',
    ].join('\n'),
  );
});

test.each(['=HYPERLINK("x")', '+1', '-1', '@SUM(1)'])('%s in a header is no formula', (header) => {
  expect(reasonRows(2, [problemWith({ header })])).toMatch(/,"?'[=+\-@]/);
});

test('control characters are shown as escapes', () => {
  expect(reasonRows(2, [problemWith({ header: '\t=1\u001b[2J' })])).toContain(',\\t=1\\u001b[2J,');
});
