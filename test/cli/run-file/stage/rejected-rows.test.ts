import { describe, expect, onTestFinished, test } from 'vitest';
import type { StagingRun } from '../../../../src/cli/push/ports/staging.ts';
import { RunFile } from '../../../../src/cli/run-file/run-file.ts';
import { csvOf, headerOf, row, stagedRun } from '../../../support/push-staged-run.ts';
import { problemWith } from '../../../support/run-report.ts';

const SOURCE = { bytes: 1, sha256: '0'.repeat(64) };

/** A run of two files, of which the second one has corrected rows. */
function scratch(fill: (staging: StagingRun) => void): RunFile {
  const header = headerOf('notes', {}, [SOURCE, SOURCE]);
  const sources = header.sources.map((source, index) => ({ ...source, isCorrection: index === 1 }));
  const run = RunFile.scratch({ ...header, sources });
  onTestFinished(() => run.close());
  const staging = run.staging();
  fill(staging);
  staging.commit();
  return run;
}

/** A row that takes the bytes of a line, so many from its start. */
const position = (line: number, source = 1) => ({
  source,
  firstLine: line,
  lastLine: line,
  byteStart: line * 10,
  byteEnd: line * 10 + 9,
});
const linesOf = (rows: Iterable<{ readonly firstLine: number }>) =>
  [...rows].map(({ firstLine }) => firstLine);

const appendInvalid = (staging: StagingRun, line: number, source = 1): void =>
  staging.appendInvalid(position(line, source), null);
const appendFiltered = (staging: StagingRun, line: number, source = 1): void =>
  staging.appendFiltered(position(line, source), { kind: 'window', place: '' });

describe.each([
  ['rejectedRows', appendInvalid, appendFiltered],
  ['leftOutRows', appendFiltered, appendInvalid],
] as const)('%s', (kind, append, appendOther) => {
  test('are those of one source, in its order', () => {
    const run = scratch((staging) => {
      for (const line of [2, 3, 5]) append(staging, line);
      for (const line of [9, 7, 8]) append(staging, line, 2);
    });
    expect(linesOf(run[kind](1))).toEqual([2, 3, 5]);
    expect(linesOf(run[kind](2))).toEqual([7, 8, 9]);
    expect(linesOf(run[kind](3))).toEqual([]);
  });

  test('are in the order of the file, also where a query sorts its rows', () => {
    const run = scratch((staging) => {
      for (const line of [5, 2, 9]) append(staging, line);
    });
    expect(linesOf(run[kind](1))).toEqual([2, 5, 9]);
  });

  test('are read page by page, to the last one', () => {
    const lines = Array.from({ length: 2_001 }, (_, index) => index + 2);
    const run = scratch((staging) => {
      for (const line of lines) append(staging, line);
    });
    expect(linesOf(run[kind](1))).toEqual(lines);
  });

  test('name a row once of which several records were made', () => {
    const run = scratch((staging) => {
      for (const line of [2, 2, 3, 3]) append(staging, line);
    });
    expect(linesOf(run[kind](1))).toEqual([2, 3]);
  });

  test('are none of the others', () => {
    const run = scratch((staging) => appendOther(staging, 2));
    expect(linesOf(run[kind](1))).toEqual([]);
  });
});

test('a rejected row has each problem of its lines once, also where a query made several records of it', () => {
  const problem = (line: number, header: string) =>
    problemWith({ file: 'notes-1.csv', line, header, detail: `${header} is wrong` });
  const run = scratch((staging) => {
    for (const line of [2, 2, 3]) staging.appendInvalid(position(line), null);
    for (const header of ['body', 'created_at']) staging.appendProblem(problem(2, header));
    staging.appendProblem(problem(3, 'body'));
  });
  expect([...run.rejectedRows(1)].map(({ problems }) => problems.map(({ header }) => header))).toEqual([
    ['body', 'created_at'],
    ['body'],
  ]);
});

test('a rejected row has the problems of all its cells', async () => {
  const bad = { ...row.transactions('A', '2'), amount: 'x', type: 'FEE' };
  const { run } = await stagedRun('transactions', csvOf([row.transactions('A', '1'), bad]), { limits: null });
  const [found, ...others] = [...run.rejectedRows(1)];
  expect(others).toEqual([]);
  expect(found!.problems.map(({ header, code }) => [header, code])).toEqual([
    ['amount', 'invalid'],
    ['type', 'invalid_choice'],
  ]);
});

describe('the first byte of the rows of a source', () => {
  test('is that of its first row, and 0 without rows', () => {
    const run = scratch((staging) => {
      staging.appendInvalid(position(7), null);
      staging.appendInvalid(position(4), null);
    });
    expect([run.bytesBeforeRows(1), run.bytesBeforeRows(2)]).toEqual([40, 0]);
  });
});
