import { expect, test } from 'vitest';
import { outcomeOf } from '../../../src/cli/replay/step-outcome.ts';

function outcome(document: unknown, exitCode = 0) {
  const stdout = typeof document === 'string' ? document : JSON.stringify(document);
  return outcomeOf('check', exitCode, { cwd: '/fixtures/a', written: { stdout, stderr: '' } });
}

test('zeros and nulls are left out, and counts have a fixed order', () => {
  expect(
    outcome({
      rows: { created: 2, read: 3, rejected: 0, invalid: 1 },
      control_totals: [{ type: null, currency: null, count: 2, read: null, accepted: null }],
      problems: [{ code: 'blank', severity: 'error', file: 'a.csv', line: null, column: null }],
      problems_total: 1,
    }),
  ).toEqual({
    command: 'check',
    exit: 'OK',
    rows: { read: 3, created: 2, invalid: 1 },
    control_totals: [{ count: 2 }],
    problems: [{ code: 'blank', file: 'a.csv' }],
    problems_total: 1,
  });
});

test('the first twenty problems are listed and all are counted', () => {
  const problems = Array.from({ length: 25 }, (_, line) => ({
    code: 'blank',
    file: 'a.csv',
    line,
    column: 1,
  }));
  const { problems: listed, problems_total } = outcome({ problems });
  expect([listed?.length, problems_total]).toEqual([20, 25]);
});

test('a file has the name that it has in the folder, wherever the folder is', () => {
  const problems = [{ code: 'mapping_invalid', file: '/fixtures/a/x.map.yaml', line: 3 }];
  expect(outcome({ problems }).problems).toEqual([{ code: 'mapping_invalid', file: 'x.map.yaml', line: 3 }]);
});

test.each(['', 'no JSON', '[]', { rows: 'many', problems: { none: true } }])(
  'a document without these parts, such as %j, leaves the exit alone',
  (document) => {
    expect(outcome(document, 4)).toEqual({ command: 'check', exit: 'REFUSED' });
  },
);
