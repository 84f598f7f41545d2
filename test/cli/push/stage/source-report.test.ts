import { describe, expect, test } from 'vitest';
import { NO_CELL } from '../../../../src/cli/mapping/column-map.ts';
import type { CellProblem, MappingPlan } from '../../../../src/cli/mapping/mapping-plan.ts';
import type { PushEvent } from '../../../../src/cli/push/events.ts';
import type { LocatedProblem } from '../../../../src/cli/push/ports/report.ts';
import type { StagingRun } from '../../../../src/cli/push/ports/staging.ts';
import { SourceReport } from '../../../../src/cli/push/stage/source-report.ts';
import type { StageSource } from '../../../../src/cli/push/stage-job.ts';
import { failure, warning } from '../../../../src/core/problem.ts';

const CELL = { ...NO_CELL, column: 2, header: 'amount' };
const COLUMNS = [
  { index: 1, header: 'Total', attr: 'amount' },
  { index: 2, header: 'Kind', attr: 'type' },
];

function made(source: Partial<StageSource> = {}) {
  const counts = { rows: 0, parts: 0, corrections: 0, ofOtherShards: 0, invalid: 0, errors: 0 };
  const [problems, events]: [LocatedProblem[], PushEvent[]] = [[], []];
  const run = { appendProblem: (problem: LocatedProblem) => void problems.push(problem) };
  const report = new SourceReport({
    source: { name: 'x.csv', ...source } as StageSource,
    number: 2,
    run: run as StagingRun,
    emit: (event) => void events.push(event),
    counts,
  });
  const shown = () =>
    problems.map(({ file, line, column, severity, code }) => `${file}:${line}:${column} ${severity} ${code}`);
  return { report, counts, events, shown };
}

const rowAt = (firstLine: number, byteStart = 0) => ({
  firstLine,
  lastLine: firstLine + 1,
  byteStart,
  byteEnd: byteStart + 10,
  cells: [],
});

test('a problem of the file as a whole makes it useless, and everything about its end uncertain', () => {
  const { report, counts, shown } = made();
  expect([report.usable, report.isStopped]).toEqual([true, false]);
  report.refuse(failure('trailer_count_differs', []), 9);
  expect([report.usable, report.isStopped]).toEqual([false, false]);
  report.stop(failure('file_empty', []), 1);
  expect([report.usable, report.isStopped]).toEqual([false, true]);
  expect(counts.errors).toBe(2);
  expect(shown()).toEqual(['x.csv:9:null error trailer_count_differs', 'x.csv:1:null error file_empty']);
});

test('a cell may have a file and a line of its own', () => {
  const { report, counts, shown } = made();
  report.add(warning('leading_zeros', ['amount']), 3, { ...CELL, file: 'items.csv', line: 8 });
  report.add(failure('invalid', ['amount']), 3, CELL);
  expect(shown()).toEqual(['items.csv:8:2 warning leading_zeros', 'x.csv:3:2 error invalid']);
  expect(counts.errors).toBe(1);
});

describe('a header', () => {
  test('with warnings can be used', () => {
    const { report, shown } = made();
    const problem = warning('header_unknown', []);
    report.reportHeader(
      [
        { problem, cell: CELL },
        { problem, cell: null },
      ],
      1,
    );
    expect([report.usable, report.isStopped]).toEqual([true, false]);
    expect(shown()).toEqual(['x.csv:1:2 warning header_unknown', 'x.csv:1:null warning header_unknown']);
  });

  test('with an error stops the file, and its rows do not repeat what it lacks', () => {
    const { report, shown } = made();
    const problem = failure('column_missing', []);
    report.reportHeader(
      [
        { problem, cell: CELL },
        { problem, cell: null },
      ],
      1,
    );
    expect([report.usable, report.isStopped]).toEqual([false, true]);
    const at = (cell: Partial<typeof CELL>) => ({ ...CELL, ...cell });
    const ofRow = (code: 'required' | 'invalid', cell: CellProblem['cell']): CellProblem => ({
      problem: failure(code, ['amount']),
      cell,
    });
    report.reportRecord(
      [
        ofRow('required', CELL),
        // A column that a mapping names and the file lacks.
        ofRow('invalid', at({ column: 0 })),
        ofRow('invalid', NO_CELL),
        ofRow('invalid', at({ column: 1 })),
        // A key path of JSON Lines has no number.
        ofRow('invalid', { ...NO_CELL, header: 'a.b' }),
      ],
      rowAt(4),
      { plan: { columns: COLUMNS } as unknown as MappingPlan, parts: [] },
    );
    expect(shown()).toEqual([
      'x.csv:1:2 error column_missing',
      'x.csv:1:null error column_missing',
      'x.csv:4:1 error invalid',
      'x.csv:4:null error invalid',
    ]);
  });
});

describe('a record', () => {
  const columns = { plan: { columns: COLUMNS } as unknown as MappingPlan, parts: [] };

  test('has its problems at the cells that its fields come from', () => {
    const { report, shown } = made();
    const parts = [{ attr: 'type', file: 'items.csv', line: 7 }];
    const problems = [
      { problem: failure('invalid', ['amount']), cell: null },
      { problem: failure('invalid', ['type']), cell: null },
      { problem: failure('required', ['number']), cell: null },
    ];
    report.reportRecord(problems, rowAt(4), { ...columns, parts });
    expect(shown()).toEqual([
      'x.csv:4:2 error invalid',
      'items.csv:7:3 error invalid',
      'x.csv:4:null error required',
    ]);
  });

  test('has one problem of a cell that feeds several fields', () => {
    const { report, shown } = made();
    const at = (path: readonly (string | number)[], cell: CellProblem['cell'] = CELL, facts = {}) => ({
      problem: failure('invalid', path, facts),
      cell,
    });
    const other = { ...CELL, column: 5 };
    report.reportRecord(
      [
        at(['amount']),
        at(['total']),
        at(['items', 0]),
        at(['lists', 0]),
        at(['items', 1]),
        at(['amount'], other),
        at(['amount'], CELL, { expected: 'text' }),
        at(['amount'], NO_CELL),
        at(['total'], NO_CELL),
      ],
      rowAt(4),
      columns,
    );
    expect(shown().map((problem) => problem.split(' ')[0])).toEqual([
      'x.csv:4:2',
      'x.csv:4:2',
      'x.csv:4:2',
      'x.csv:4:5',
      'x.csv:4:2',
      'x.csv:4:null',
      'x.csv:4:null',
    ]);
  });
});

describe('progress', () => {
  test('is told every 1,000 lines, with how much of the file is read', () => {
    const { report, counts, events } = made({ share: () => 0.25 });
    counts.invalid = 3;
    for (let line = 1; line <= 999; line++) report.countLine();
    expect(events).toEqual([]);
    for (let line = 1000; line <= 2000; line++) report.countLine();
    const reading = { file: 'x.csv', share: 0.25 };
    expect(events).toEqual([
      { kind: 'staging', rows: 1000, invalid: 3, reading },
      { kind: 'staging', rows: 2000, invalid: 3, reading },
    ]);
    expect(counts.rows).toBe(2000);
  });

  test('does not guess how much of a file is read', () => {
    const { report, events } = made();
    for (let line = 1; line <= 1000; line++) report.countLine();
    expect(events).toEqual([{ kind: 'staging', rows: 1000, invalid: 0, reading: undefined }]);
  });
});

test('a record reaches from its first row to its last, and the rows of a file from the first byte', () => {
  const { report } = made();
  expect(report.rowsFrom).toBe(0);
  expect(report.positionOf([rowAt(5, 80), rowAt(9, 120)])).toEqual({
    source: 2,
    firstLine: 5,
    lastLine: 10,
    byteStart: 80,
    byteEnd: 130,
  });
  report.positionOf([rowAt(3, 40)]);
  report.positionOf([rowAt(20, 400)]);
  expect(report.rowsFrom).toBe(40);
});
