import { expect, test } from 'vitest';
import type { Conflicts, HistoryConflict, StagingRun } from '../../../../src/cli/push/ports/staging.ts';
import { RunFile } from '../../../../src/cli/run-file/run-file.ts';
import { csvFrom, stagedRun, type StagedRunOptions } from '../../../support/push-staged-run.ts';

const EARLIER = { file: 'may.csv', line: 7, run: 'r-1', wasCompared: true };

const conflict = (seq: number, kind: HistoryConflict['kind'], source = 1): HistoryConflict => ({
  seq,
  source,
  line: seq + 1,
  kind,
  earlier: EARLIER,
  differs: kind === 'changed' ? ['amount'] : [],
});

/** A run of two files, in which the history finds pages of conflicts. */
async function compared(pages: readonly (readonly HistoryConflict[])[], options: StagedRunOptions = {}) {
  const asked: (readonly [number, number])[] = [];
  const ofHistory: unknown[] = [];
  const conflicts: Conflicts['conflicts'] = (after, limit) => {
    asked.push([after, limit]);
    return pages[asked.length - 1] ?? [];
  };
  const into: StagedRunOptions['into'] = (header) => {
    const run = RunFile.scratch(header);
    const staging = run.staging();
    const comparing: StagingRun = {
      ...staging,
      compared: () => ({ conflicts }),
      appendProblem(problem, isOfHistory) {
        ofHistory.push([problem.code, isOfHistory]);
        staging.appendProblem(problem, isOfHistory);
      },
    };
    run.staging = () => comparing;
    return run;
  };
  const csvs = [csvFrom('transactions', 'A:1 A:2'), csvFrom('transactions', 'A:3')];
  const { run, end, events } = await stagedRun('transactions', csvs, { into, ...options });
  const problems = run
    .report()
    .problems.map(({ file, line, column, code }) => `${file}:${line}:${column} ${code}`);
  return { asked, ofHistory, problems, end, events };
}

test('what the history finds is reported page by page, at the cells of its rows', async () => {
  const { asked, problems, ofHistory, events, end } = await compared([
    [conflict(1, 'changed'), conflict(2, 'moved')],
    [conflict(3, 'verify', 2)],
  ]);
  expect(asked).toEqual([
    [0, 10_000],
    [2, 10_000],
    [3, 10_000],
  ]);
  expect(problems).toEqual([
    'transactions-1.csv:2:5 record_changed',
    'transactions-1.csv:3:2 record_moved',
    'transactions-2.csv:4:3 outcome_unproven',
  ]);
  expect(ofHistory).toEqual([
    ['record_changed', true],
    ['record_moved', true],
    ['outcome_unproven', true],
  ]);
  expect(events.find(({ kind }) => kind === 'staging')).toMatchObject({ rows: 3, invalid: 2 });
  expect(end.kind).toBe('conflicting');
});

test('only records that changed or moved keep the others from being sent', async () => {
  const changed = [[conflict(1, 'changed')]];
  expect((await compared(changed, { skipInvalid: true })).end.kind).toBe('staged');
  expect((await compared([[conflict(1, 'rejected')]])).end.kind).toBe('staged');
  expect((await compared([])).end.kind).toBe('staged');
});

test('files that cannot be used are not compared', async () => {
  const { asked, end } = await compared([[conflict(1, 'changed')]], {
    items: [[{ kind: 'header', names: ['a;b'], line: 1 }]],
  });
  expect([asked, end]).toEqual([[], { kind: 'invalid', unusable: true }]);
});

test('rows that are wrong by themselves are an invalid file, and no conflict', async () => {
  const { end } = await compared([[conflict(1, 'changed')]], { earliestDate: '2026-12-01' });
  expect(end).toEqual({ kind: 'invalid', unusable: false });
});
