import { beforeEach, describe, expect, test } from 'vitest';
import type { SourceRow } from '../../../../src/cli/csv/source-row.ts';
import { NO_CELL } from '../../../../src/cli/mapping/column-map.ts';
import type { CellProblem, TrailerCheck } from '../../../../src/cli/mapping/mapping-plan.ts';
import { ControlRecords } from '../../../../src/cli/push/stage/control-records.ts';
import { failure, type Problem } from '../../../../src/core/problem.ts';

const rowAt = (firstLine: number): SourceRow => ({
  firstLine,
  lastLine: firstLine,
  byteStart: 0,
  byteEnd: 1,
  cells: ['T'],
});

const CELL = { ...NO_CELL, column: 3, header: 'total' };
const wrong = (cell: CellProblem['cell'] = CELL): CellProblem => ({
  problem: failure('subtotal_mixed', []),
  cell,
});

describe('control records', () => {
  let reported: string[];
  let isUsable: boolean;
  let records: ControlRecords;
  const note =
    (way: string) =>
    ({ code, path }: Problem, line: number, cell: typeof NO_CELL = NO_CELL): void => {
      reported.push(`${way} ${code} ${[...path, line].join('.')}:${cell.column}`);
      isUsable = false;
    };

  beforeEach(() => {
    [reported, isUsable] = [[], true];
    records = new ControlRecords({
      get usable() {
        return isUsable;
      },
      stop: note('stop'),
      refuse: note('refuse'),
    });
  });

  const asked: unknown[] = [];
  const check = (
    trailers: number,
    verdict: readonly CellProblem[],
    end: readonly CellProblem[] = [],
  ): TrailerCheck => ({
    trailers,
    see: () => undefined,
    verdict: (mark, row, of) => {
      asked.push([mark, row.firstLine, of]);
      return verdict;
    },
    end: () => end,
  });

  test('may come in any order, and are compared with all records', () => {
    asked.length = 0;
    records.add(rowAt(9), 1);
    records.add(rowAt(10), 0);
    records.checkEnd(check(2, [wrong(), wrong(null)]), { records: 7, lastLine: 8 });
    expect(asked).toEqual([
      [0, 10, 7],
      [1, 9, 7],
    ]);
    expect(reported).toEqual([
      'refuse subtotal_mixed 10:3',
      'refuse subtotal_mixed 10:null',
      'refuse subtotal_mixed 9:3',
      'refuse subtotal_mixed 9:null',
    ]);
  });

  test('that are missing stop the file behind its last row, and nothing else is looked at', () => {
    records.add(rowAt(9), 0);
    records.checkEnd(check(2, [], [wrong()]), { records: 7, lastLine: 8 });
    expect(reported).toEqual(['stop trailer_missing 8:null']);
  });

  test('that the mapping expects none of are not missing', () => {
    records.checkEnd(null, { records: 7, lastLine: 8 });
    records.checkEnd(check(0, [wrong()]), { records: 7, lastLine: 8 });
    expect(reported).toEqual([]);
  });

  test('have what no row of totals is about reported at the file', () => {
    records.checkEnd(check(0, [], [wrong(), wrong(null)]), { records: 7, lastLine: 8 });
    expect(reported).toEqual(['refuse subtotal_mixed 1:3', 'refuse subtotal_mixed 1:null']);
  });

  test('have to be the last rows, which is said once', () => {
    records.assertLast();
    expect(reported).toEqual([]);
    records.add(rowAt(5), 0);
    expect(reported).toEqual([]);
    records.assertLast();
    records.assertLast();
    expect(reported).toEqual(['stop trailer_not_last 5:null']);
  });

  test('that come twice are not the last rows', () => {
    records.add(rowAt(5), 0);
    records.add(rowAt(6), 1);
    expect(reported).toEqual([]);
    records.add(rowAt(7), 0);
    expect(reported).toEqual(['stop trailer_not_last 5:null']);
  });

  test('between the rows are compared with the rows before them, if the mapping has a check', () => {
    asked.length = 0;
    records.checkSubtotal(null, rowAt(4), { mark: 1, records: 2 });
    expect(reported).toEqual([]);
    records.checkSubtotal(check(0, [wrong(), wrong(null)]), rowAt(4), { mark: 1, records: 2 });
    expect(asked).toEqual([[1, 4, 2]]);
    expect(reported).toEqual(['refuse subtotal_mixed 4:3', 'refuse subtotal_mixed 4:null']);
  });
});
