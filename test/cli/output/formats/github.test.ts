import { expect, test } from 'vitest';
import { annotationOf } from '../../../../src/cli/output/formats/github.ts';
import { problemWith } from '../../../support/run-report.ts';

test('an annotation shows control and bidirectional characters as escapes, and is one line', () => {
  const hostile = problemWith({
    file: 'a\u202eb.csv',
    header: 'x\u001b[31m',
    code: 'a\u0007,b',
    detail: '100%\r\n::error::no\u2066w',
  });
  expect(annotationOf(hostile)).toBe(
    '::error file=a\\u202eb.csv,line=2,title=a\\u0007%2Cb::x\\u001b[31m: 100%25\\r\\n::error::no\\u2066w',
  );
});
