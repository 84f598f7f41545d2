import { describe, expect, test } from 'vitest';
import { locateOwnProblem } from '../../../src/cli/push/own-problem.ts';
import type { LocatedProblem } from '../../../src/cli/push/ports/report.ts';
import { report, reportTally } from '../../../src/cli/push/staged-file.ts';
import { failure, warning, type Facts } from '../../../src/core/problem.ts';
import { oddFile } from '../../support/odd-file.ts';

const CELL = { file: 'x.csv', line: 7, column: 3, header: 'Total' };

test('a problem of ours has the place of its cell, its field and the words of its code', () => {
  expect(locateOwnProblem(failure('file_empty', ['line_items', 0, 'amount']), CELL)).toEqual({
    code: 'file_empty',
    severity: 'error',
    file: 'x.csv',
    line: 7,
    column: 3,
    header: 'Total',
    attr: 'line_items.0.amount',
    detail: 'the file has no header line',
    next: expect.any(String) as string,
    http_status: null,
  });
  expect(locateOwnProblem(warning('file_has_no_rows', []), CELL)).toMatchObject({
    severity: 'warning',
    attr: null,
    detail: 'the file has a header and no rows',
  });
});

describe('facts that may follow any sentence', () => {
  const detail = (facts: Facts): string =>
    locateOwnProblem(failure('file_empty', [], facts), CELL).detail.replace(
      'the file has no header line',
      '',
    );

  test.each<readonly [string, Facts, string]>([
    ['none', {}, ''],
    ['the byte at which a row begins', { from_byte: 54 }, ' (from byte 54 on)'],
    ['a row of the same file', { other_line: 9, other_file: 'x.csv' }, ' (see line 9)'],
    ['a row', { other_line: 9 }, ' (see line 9)'],
    ['a row of another file', { other_line: 9, other_file: 'y.csv' }, ' (see y.csv:9)'],
    [
      'its content',
      { other_line: 9, other_content: 'which has other content' },
      ' (see line 9, which has other content)',
    ],
    [
      'the end of the reading',
      { reading: 'stopped' },
      '; reading stopped here, the rows after it were not looked at',
    ],
    ['no end of the reading', { reading: 'other' }, ''],
    [
      'all of them',
      { from_byte: 0, other_line: 9, reading: 'stopped' },
      ' (from byte 0 on) (see line 9); reading stopped here, the rows after it were not looked at',
    ],
  ])('are %s', (_, facts, expected) => {
    expect(detail(facts)).toBe(expected);
  });
});

describe('a problem over all rows', () => {
  const column = (attr: string, index: number) => ({ index, header: attr, attr });
  const columns = [[column('amount', 2)], [column('amount', 4), column('note', 5), column('note.~1', 6)]];
  const placed = (field: string, source: number, problem = warning('zero_amount', [field])) => {
    const places: unknown[] = [];
    const { file } = oddFile('transactions', { columns });
    const run = {
      ...file.run,
      appendProblem: (found: LocatedProblem) => void places.push([found.file, found.line, found.column]),
    };
    report({ ...file, run }, problem, { source, line: 9 });
    return { places, errors: file.counts.errors };
  };

  test('is at the column of its field, in the file of its row', () => {
    expect(placed('amount', 1)).toEqual({ places: [['a.csv', 9, 3]], errors: 0 });
    expect(placed('amount', 2)).toEqual({ places: [['b.csv', 9, 5]], errors: 0 });
  });

  test('is at no column that only some records come from', () => {
    expect(placed('note', 2).places).toEqual([['b.csv', 9, null]]);
  });

  test('counts as an error if it is one', () => {
    expect(placed('amount', 1, failure('invalid', ['amount'])).errors).toBe(1);
  });

  test('is reported when something was counted', () => {
    const { file, problems } = oddFile('transactions');
    reportTally(file, undefined, () => warning('zero_amount', []));
    expect(problems).toEqual([]);
    reportTally(file, { count: 4, first: { source: 2, line: 8 } }, (count) =>
      warning('dates_stand_for_none', ['x'], { count, days: 'd' }),
    );
    expect(problems).toEqual([
      'b.csv:8 warning dates_stand_for_none x: dates that a program writes when it has none (d): 4',
    ]);
  });
});
