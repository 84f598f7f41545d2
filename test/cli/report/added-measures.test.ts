import { describe, expect, test } from 'vitest';
import type { ProblemGroup } from '../../../src/cli/push/ports/report.ts';
import { addedProblems } from '../../../src/cli/report/added-measures.ts';
import { problemWith } from '../../support/run-report.ts';

const group = (...lines: readonly number[]): ProblemGroup => ({
  count: lines.length,
  first: problemWith({ line: lines[0]! }),
  lines,
});

describe('a group of problems of the shards of a file', () => {
  test('is counted once when every shard has the same lines, because every shard reads every row', () => {
    expect(addedProblems([[group(2, 3)], [group(2, 3)]], 2)).toEqual([group(2, 3)]);
  });

  test.each([
    ['have other lines', [[group(2)], [group(3)]], 2],
    ['have another number of them', [[group(2)], [group(2, 3)]], 3],
    ['do not all have it', [[group(2, 3)], [group(2, 3)], []], 4],
  ])('is added up when the shards %s', (_, runs, count) => {
    expect(addedProblems(runs, runs.length)).toMatchObject([{ count, lines: { 0: 2 } }]);
  });

  test('keeps its lines in their order, and begins with the first of all', () => {
    const [added] = addedProblems([[group(5, 9)], [group(3, 7)]], 2);
    expect([added!.lines, added!.first.line]).toEqual([[3, 5, 7, 9], 3]);
  });
});

test('the groups of one run are those of the run', () => {
  expect(addedProblems([[group(2), group(3)]], 1)).toMatchObject([{ count: 2, lines: [2, 3] }]);
});
