import { expect, test } from 'vitest';
import { groupsText } from '../../../src/cli/render/problem-groups.ts';
import { groupOf, problemWith } from '../../support/run-report.ts';

test('a single problem has no table: its line says it all', () => {
  expect(groupsText({ errorGroups: [groupOf(problemWith())], warningGroups: [] })).toBe('');
  expect(groupsText({ errorGroups: [], warningGroups: [] })).toBe('');
});

test('errors stand before warnings, with the field where no column is known', () => {
  const noColumn = problemWith({
    severity: 'warning',
    header: null,
    attr: 'type',
    code: 'undocumented_value',
  });
  const text = groupsText({
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

test('of several files each group names its own', () => {
  const text = groupsText({
    errorGroups: [groupOf(problemWith(), 2, [2, 9]), groupOf(problemWith({ file: 'u.csv' }), 1, [3])],
    warningGroups: [],
  });
  expect(text).toContain('  t.csv: 2, 9\n');
  expect(text).toContain('  u.csv: 3\n');
});

test('a problem of the file as a whole has no line', () => {
  const whole = groupOf(problemWith({ line: null }), 2, []);
  expect(groupsText({ errorGroups: [whole], warningGroups: [] })).toMatch(/amount {6}2\n$/);
});

test('beyond fifty kinds of problems they are counted', () => {
  const errorGroups = Array.from({ length: 53 }, (_, index) => groupOf(problemWith({ code: `c_${index}` })));
  expect(groupsText({ errorGroups, warningGroups: [] })).toContain('… and 3 more kinds of problems\n');
});
