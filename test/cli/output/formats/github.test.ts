import { expect, test } from 'vitest';
import { annotationOf, stepSummary } from '../../../../src/cli/output/formats/github.ts';
import { groupOf, problemWith } from '../../../support/run-report.ts';

test('a run without problems is one heading', () => {
  expect(stepSummary({ title: 'transactions: 3 rows', problems: [] })).toBe(
    '### transactions: 3 rows, no problem\n\n',
  );
});

test('causes come first, then each problem', () => {
  const problems = [problemWith(), problemWith({ line: 9 })];
  const groups = [groupOf(problemWith(), 2, [2, 9])];
  expect(stepSummary({ title: 'transactions: 3 rows', problems, groups }).split('\n')).toEqual([
    '### transactions: 3 rows',
    '',
    '| severity | code | header | count | first lines |',
    '| - | - | - | -: | - |',
    '| error | `invalid` | amount | 2 | 2, 9 |',
    '',
    '| where | severity | code | what |',
    '| - | - | - | - |',
    '| t.csv:2:6 | error | `invalid` | amount is not a plain decimal |',
    '| t.csv:9:6 | error | `invalid` | amount is not a plain decimal |',
    '',
    '',
  ]);
});

test('a field that begins the words is not repeated before them', () => {
  const problem = problemWith({ detail: 'amount: is too high' });
  const text = stepSummary({ title: 't', problems: [problem] });
  expect(text).toContain('| `invalid` | amount: is too high |');
});

test('text of a file cannot break out of its cell', () => {
  const hostile = problemWith({ file: 'a|b.csv', header: '<img src=x>', detail: '[x](y)\n@someone `z`' });
  const text = stepSummary({ title: 't', problems: [hostile] });
  expect(text).toContain(
    '| a&#124;b.csv:2:6 | error | `invalid` | &#60;img src=x&#62; &#91;x&#93;(y)&#92;n&#64;someone &#96;z&#96; |',
  );
});

test('an annotation shows control and bidirectional characters as escapes, and is one line', () => {
  const hostile = problemWith({
    file: 'a\u202eb.csv',
    header: 'x\u001b[31m',
    code: 'a\u0007,b',
    detail: '100%\r\n::error::no\u2066w',
  });
  expect(annotationOf(hostile)).toBe(
    '::error file=a\\u202eb.csv,line=2,title=a\\u0007%2Cb::x\\u001b[31m 100%25\\r\\n::error::no\\u2066w',
  );
});

test('a code of the platform cannot break out of its cell either', () => {
  const hostile = problemWith({ code: 'a`|<b>\n' });
  const groups = [groupOf(hostile)];
  expect(stepSummary({ title: 't', problems: [hostile], groups })).not.toMatch(/a`\||<b>/);
});

test('problems that do not fit the summary are counted', () => {
  const problems = Array.from({ length: 1_000 }, () => problemWith({ detail: '&'.repeat(1_000) }));
  const text = stepSummary({ title: 't', problems, total: 5_000 });
  expect(text.length).toBeLessThan(1_000_000);
  const rows = text.match(/^\| t\.csv:/gm)!.length;
  expect(text).toContain(`… and ${5_000 - rows} more problems\n`);
});
