import { describe, expect, test } from 'vitest';
import { columnsOf } from '../../../../src/cli/mapping/compile/columns.ts';
import {
  blankColumns,
  dateWarnings,
  fixedGaps,
  gapsInUnusedColumns,
  orphanWarnings,
  templateWarnings,
} from '../../../../src/cli/mapping/compile/oddities.ts';
import type { CellProblem } from '../../../../src/cli/mapping/mapping-plan.ts';

const shown = (problems: Iterable<CellProblem>) =>
  [...problems].map(({ problem: { code, severity, path, facts }, cell }) => {
    expect([severity, cell!.file]).toEqual(['warning', null]);
    return {
      at: `${cell!.line ?? ''}:${cell!.column ?? ''} ${cell!.header ?? ''}`,
      field: path.join('.'),
      code,
      ...facts,
    };
  });

const row = (line: number, cells: readonly string[], filledGaps?: readonly number[]) => ({
  firstLine: line,
  lastLine: line,
  byteStart: 0,
  byteEnd: 0,
  cells,
  ...(filledGaps && { filledGaps }),
});

const COLUMN = { index: 3, header: 'S' };

describe('texts that a lookup table does not have', () => {
  const orphansOf = (texts: Readonly<Record<string, number>>, near: readonly string[] = []) => ({
    path: ['type'],
    column: COLUMN,
    nearTo: (text: string) => (near.includes(text) ? 'listed' : undefined),
    texts: new Map(Object.entries(texts)),
    rows: Object.values(texts).reduce((sum, count) => sum + count, 0),
  });
  const warned = (orphans: ReturnType<typeof orphansOf>, showValues = false) =>
    shown(orphanWarnings([orphans], showValues));
  const said = (facts: object) => [
    { at: ':4 S', field: 'type', code: 'lookup_orphans', near: '', values: '', ...facts },
  ];

  test('are counted, and those that are nearly there', () => {
    expect(warned(orphansOf({}))).toEqual([]);
    expect(warned(orphansOf({ a: 2, b: 1 }))).toEqual(said({ different: '2', count: 3 }));
    const only = ' only in case, accents, spaces or punctuation from one that is there';
    expect(warned(orphansOf({ a: 2, b: 1 }, ['b']))).toEqual(
      said({ different: '2', count: 3, near: `; 1 of them differs${only}` }),
    );
    expect(warned(orphansOf({ a: 2, b: 1 }, ['a', 'b']))).toEqual(
      said({ different: '2', count: 3, near: `; 2 of them differ${only}` }),
    );
  });

  test('are shown on demand, the first twenty', () => {
    const texts = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`t${at}`, at + 1]));
    const list = Array.from({ length: 20 }, (_, at) => `\`t${at}\` (${at + 1})`).join(', ');
    expect(warned(orphansOf(texts(20)), true)[0]).toMatchObject({ values: `: ${list}` });
    expect(warned(orphansOf(texts(21)), true)[0]).toMatchObject({ values: `: ${list} …` });
  });

  test('are ten thousand or more', () => {
    const texts = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`t${at}`, 1]));
    expect(warned(orphansOf(texts(9_999)))[0]).toMatchObject({ different: '9999' });
    expect(warned(orphansOf(texts(10_000)))[0]).toMatchObject({ different: '10000 or more' });
  });

  test('may be of no column', () => {
    expect(warned({ ...orphansOf({ a: 1 }), column: null as never })[0]).toMatchObject({ at: ': ' });
  });
});

test('characters at places that are skipped are a warning with the place', () => {
  const gaps = fixedGaps({
    fixed: [{ name: 'A', width: 3 }, { skip: 2 }, { name: 'B', width: 4 }, { skip: 1 }],
  } as never);
  gaps.see([row(2, [], [1]), row(3, [], [1, 3])]);
  gaps.see([row(4, [])]);
  expect(shown(gaps.warnings())).toEqual([
    { at: '2: ', field: '', code: 'skipped_place_filled', from: 4, to: 5, count: 2 },
    { at: '3: ', field: '', code: 'skipped_place_filled', from: 10, to: 10, count: 1 },
  ]);
  const none = fixedGaps({});
  none.see([row(2, [])]);
  expect(shown(none.warnings())).toEqual([]);
});

test.each([
  [1, 2, true],
  [2, 4, true],
  [2, 3, false],
  [3, 3, false],
])('a part of a name that is empty in %s of %s rows is odd: %s', (count, total, isOdd) => {
  const empty = new Map([[COLUMN, { count, line: 7 }]]);
  expect(shown(templateWarnings([{ path: ['transaction_id'], total, empty }]))).toEqual(
    isOdd
      ? [{ at: '7:4 S', field: 'transaction_id', code: 'template_part_empty', count, total, column: 'S' }]
      : [],
  );
});

test('dates that are not written as most others are one warning of their column', () => {
  const kinds = (...tallies: readonly (readonly ['day' | 'time' | 'moment', number, number])[]) => [
    {
      path: ['created_at'],
      column: COLUMN,
      kinds: new Map(tallies.map(([kind, count, line]) => [kind, { count, line }])),
    },
  ];
  expect(shown(dateWarnings(kinds()))).toEqual([]);
  expect(shown(dateWarnings(kinds(['day', 5, 2])))).toEqual([]);
  expect(shown(dateWarnings(kinds(['day', 1, 9], ['moment', 5, 2], ['time', 2, 4])))).toEqual([
    {
      at: '4:4 S',
      field: 'created_at',
      code: 'date_kinds_mixed',
      count: 3,
      total: 8,
      found: 'times without an offset and days without a time',
      usual: 'moments with an offset',
    },
  ]);
});

test('a column without a name is odd once a row has something in it', () => {
  const blanks = blankColumns(columnsOf(['A', '', ' ', '']));
  blanks.see([row(2, ['x', '', ' ', '']), row(3, ['x', '', 'y'])]);
  blanks.see([row(4, ['x', '', 'z', 'w'])]);
  expect(shown(blanks.warnings())).toEqual([
    { at: '3:3  ', field: '', code: 'column_unused' },
    { at: '4:4 ', field: '', code: 'column_unused' },
  ]);
});

describe('a column that nothing uses and that few rows leave empty', () => {
  function warned(
    total: number,
    gaps: Readonly<Record<number, readonly number[]>>,
    names = ['K', 'A', 'B', '', 'C', 'D'],
  ) {
    const columns = columnsOf(names);
    columns.bind('K', 'record');
    const oddity = gapsInUnusedColumns(columns);
    for (let line = 2; line < total + 2; line++)
      oddity.see([
        row(
          line,
          names.map((_, index) => (gaps[index]?.includes(line) ? ' ' : 'x')),
        ),
      ]);
    return shown(oddity.warnings());
  }
  const said = (at: string, columns: string, count: number, total: number) => [
    { at, field: '', code: 'unused_cells_empty', columns, count, total },
  ];

  test.each([
    [50, { 1: [9] }, said('9:2 A', '`A`', 1, 50)],
    [49, { 1: [9] }, []],
    [50, {}, []],
    // At most one of a hundred rows, at least one and at most three.
    [199, { 1: [9, 10] }, []],
    [200, { 1: [9, 10] }, said('9:2 A', '`A`', 2, 200)],
    [400, { 1: [9, 10, 11] }, said('9:2 A', '`A`', 3, 400)],
    [500, { 1: [9, 10, 11, 12] }, []],
    // A column that is used, or has no name, may be empty.
    [50, { 0: [9] }, []],
    [50, { 3: [9] }, []],
    [50, { 1: [9], 2: [5] }, said('5:3 B', '`A`, `B`', 2, 50)],
    [50, { 1: [9], 2: [9] }, said('9:2 A', '`A`, `B`', 1, 50)],
    [50, { 1: [9], 2: [9], 4: [9] }, said('9:2 A', '`A`, `B`, `C`', 1, 50)],
    [50, { 1: [9], 2: [9], 4: [9], 5: [8] }, said('8:6 D', '`A`, `B`, `C` …', 2, 50)],
    [50, { 1: [9], 2: [7, 8] }, said('9:2 A', '`A`', 1, 50)],
  ])('of %s rows, at %j', (total, gaps, expected) => {
    expect(warned(total, gaps)).toEqual(expected);
  });
});
