import { describe, expect, test } from 'vitest';
import { AS_RESULT, causesTable, problemsText } from '../../../../src/cli/output/text/problem-list.ts';
import { groupOf, problemWith, reportWith } from '../../../support/run-report.ts';

const errors = (count: number) =>
  Array.from({ length: count }, (_, index) => problemWith({ line: index + 2, detail: `is above ${index}` }));

test('errors are one line each, before the warnings about a column, which are one line, and each next step is printed once with its columns', () => {
  const problems = [
    problemWith(),
    problemWith({ line: 3, header: 'rate' }),
    problemWith({ line: 4, code: 'min_value' }),
  ];
  const first = problemWith({
    severity: 'warning',
    code: 'undocumented_value',
    header: 'reference',
    column: 11,
    detail: 'is not shown for the type of its transaction',
  });
  const report = reportWith({
    problems,
    problemsTotal: 102,
    errorsTotal: 3,
    warningGroups: [groupOf(first, 99)],
  });
  expect(problemsText(report).trimEnd().split('\n')).toEqual([
    't.csv:2:6 error invalid amount is not a plain decimal',
    't.csv:3:6 error invalid rate is not a plain decimal',
    't.csv:4:6 error min_value amount is not a plain decimal',
    't.csv:2:11 warning undocumented_value reference is not shown for the type of its transaction (and 98 more rows)',
    'help: invalid, min_value, undocumented_value: Correct the cell.',
  ]);
});

test('beside the result of a push twenty errors are shown, and a table of causes when there are more', () => {
  const group = groupOf(problemWith(), 1_030, [2, 3, 4]);
  const text = problemsText(reportWith({ problems: errors(30), errorsTotal: 1_030, errorGroups: [group] }));
  expect(text).toContain('… and 1010 more errors (--json lists up to 1000)\n');
  expect(text.split('\n').slice(0, 2)).toEqual([
    '  severity  code     header  count  first lines',
    '  error     invalid  amount   1030  2, 3, 4 …',
  ]);
  const few = reportWith({
    problems: errors(20),
    errorsTotal: 20,
    errorGroups: [groupOf(problemWith(), 20)],
  });
  expect(problemsText(few)).toMatch(/^t\.csv:2:6 error/);
});

test('as the result of a check all listed problems are shown, and where to find the others', () => {
  const group = groupOf(problemWith(), 1_500, [2]);
  const text = problemsText(
    reportWith({ problems: errors(1_000), errorsTotal: 1_500, errorGroups: [group] }),
    AS_RESULT,
  );
  expect(text.match(/^t\.csv:/gm)).toHaveLength(1_000);
  expect(text).toContain('… and 500 more errors (--rejects FILE copies their rows');
});

test('control characters of a file stay visible and harmless', () => {
  const first = problemWith({ header: 'a\u001b[31m' });
  const report = reportWith({ problems: [first, first], errorsTotal: 2, errorGroups: [groupOf(first, 2)] });
  const text = problemsText(report, AS_RESULT);
  expect(text).toContain('a\\u001b[31m');
  expect(text).not.toContain('\u001b');
});

describe('the table of causes', () => {
  test('errors come before warnings, with the field where no column is known', () => {
    const noColumn = problemWith({
      severity: 'warning',
      header: null,
      attr: 'type',
      code: 'undocumented_value',
    });
    const text = causesTable({
      errorGroups: [groupOf(problemWith(), 2, [2, 9])],
      warningGroups: [groupOf(noColumn, 7, [2])],
    });
    expect(text.split('\n')).toEqual([
      '  severity  code                header  count  first lines',
      '  error     invalid             amount      2  2, 9',
      '  warning   undocumented_value  type        7  2 …',
      '',
    ]);
  });

  test('beyond fifty kinds of problems they are counted', () => {
    const errorGroups = Array.from({ length: 53 }, (_, index) =>
      groupOf(problemWith({ code: `c_${index}` })),
    );
    expect(causesTable({ errorGroups, warningGroups: [] })).toContain('… and 3 more kinds of problems\n');
  });
});
