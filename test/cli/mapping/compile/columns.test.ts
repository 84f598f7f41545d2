import { describe, expect, test } from 'vitest';
import { cellText, columnsOf } from '../../../../src/cli/mapping/compile/columns.ts';
import { STEP_DEFAULTS } from '../../../../src/cli/mapping/language/step-problem.ts';

const problem = (code: string, facts: object) => ({ code, severity: 'error', path: [], facts });

describe('a column that the header does not have', () => {
  test.each([
    [{}, 'the file'],
    [{ file: 'docs.csv' }, 'docs.csv'],
    [{ list: 'lines' }, '`lines`'],
  ])('is named with the place that should have it: %j', (options, where) => {
    const columns = columnsOf(['Amount', 'Day'], options);
    expect(columns.bind('Amont', 'record').index).toBe(-1);
    columns.bind('Zzz', 'row');
    expect(columns.problems).toEqual([
      problem('mapped_column_missing', { header: 'Amont', where, suggestion: '; did you mean Amount?' }),
      problem('mapped_column_missing', { header: 'Zzz', where, suggestion: '' }),
    ]);
  });

  test('may be there in another encoding', () => {
    const columns = columnsOf(['GebÃ¼hr'], { encoding: 'windows-1252' });
    columns.bind('Gebühr', 'record');
    expect(columns.problems).toEqual([
      problem('mapped_column_missing', {
        header: 'Gebühr',
        where: 'the file',
        suggestion: '; read as utf-8, the file has it',
      }),
    ]);
  });

  test('may be an open question of a draft', () => {
    const columns = columnsOf(['A']);
    columns.bind('QUESTION 12', 'record');
    columns.bind('QUESTION 12b', 'record');
    expect(columns.problems.map(({ code, path, facts }) => [code, path, facts['question']])).toEqual([
      ['mapping_question_open', [], '12'],
      ['mapped_column_missing', [], undefined],
    ]);
  });
});

test('a column that the header has twice is a problem once it is asked for', () => {
  const columns = columnsOf(['A', 'B', 'A']);
  columns.bind('B', 'record');
  expect(columns.problems).toEqual([]);
  expect(columns.bind('A', 'record')).toEqual({ index: 0, header: 'A' });
  expect(columns.problems).toEqual([problem('mapped_column_repeated', { header: 'A', where: 'the file' })]);
});

describe('the use of a column', () => {
  test('is remembered by its kind', () => {
    const columns = columnsOf(['A', 'B', 'C']);
    columns.bind('A', 'record');
    columns.bind('A', 'row');
    columns.bind('B', 'other');
    expect([0, 1, 2].map((index) => columns.isUsed(index))).toEqual([true, true, false]);
    expect(['record', 'row', 'other'].map((use) => columns.isUsed(0, use as 'row'))).toEqual([
      true,
      true,
      false,
    ]);
    expect(['record', 'row', 'other'].map((use) => columns.isUsed(1, use as 'row'))).toEqual([
      false,
      false,
      true,
    ]);
    expect(columns.isUsed(2, 'row')).toBe(false);
  });

  test('of a whole value is that of all key paths in it', () => {
    const columns = columnsOf(['a', 'b.c', 'b.d', 'bb']);
    expect(columns.bind('b', 'record', true)).toEqual({ index: 1, header: 'b' });
    expect([0, 1, 2, 3].map((index) => columns.isUsed(index))).toEqual([false, true, true, false]);
    expect(columns.problems).toEqual([]);
    expect(columns.bind('b', 'record').index).toBe(-1);
    expect(columns.problems).toHaveLength(1);
  });

  test('of the objects of a list has the key path of the list', () => {
    expect(columnsOf(['net'], { list: 'lines' }).bind('net', 'row')).toEqual({
      index: 0,
      header: 'lines[].net',
    });
  });
});

test.each([
  [['x', ' y '], 1, { trim: true }, 'y'],
  [['x', ' y '], 1, {}, ' y '],
  [['x'], 1, {}, undefined],
  [['x', '  '], 1, { trim: true }, undefined],
  [['x', 'NULL'], 1, { null_tokens: ['NULL'] }, undefined],
  [['x', ''], 1, { null_tokens: ['NULL'] }, ''],
  [['x'], 1, { null_tokens: ['NULL'] }, ''],
  [['x'], -1, {}, undefined],
])('of %j the cell %s with %j is %j', (cells, index, steps, expected) => {
  const read = cellText({ index, header: 'A' }, { ...STEP_DEFAULTS, format: [], ...steps });
  expect(read(cells)).toBe(expected);
});
