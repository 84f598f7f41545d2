import { describe, expect, test } from 'vitest';
import { finishedEnding, recordedEnding } from '../../../src/cli/runs/ending.ts';
import type { CommandsAfter } from '../../../src/cli/runs/next-commands.ts';
import { groupOf, problemWith, reportWith } from '../../support/run-report.ts';
import type { RunEnd } from '../../../src/cli/push/ports/report.ts';

const resume = 'dataimport resume r';
const AFTER = {
  refused: 'dataimport retry r --only rejected',
  show: 'dataimport runs show r',
  judge: 'compare the rows',
};
const REPORT = reportWith({ accounts: { total: 1, done: 0, stopped: 0 } });
const STOPPED = reportWith({ accounts: { total: 1, done: 0, stopped: 1 } });
const endedWith = (exit: string, reason: RunEnd['reason'] = null): RunEnd => ({ exit, reason });
const TIME_OVER = { code: 'max_duration_over', facts: { time: '1 s' } } as const;

describe('an unfinished run', () => {
  test.each([
    ['that Ctrl-C ended', endedWith('INTERRUPTED'), 'INTERRUPTED'],
    ['that SIGTERM ended', endedWith('TERMINATED'), 'TERMINATED'],
    ['whose time was over', endedWith('UNFINISHED', TIME_OVER), 'UNFINISHED'],
    ['whose file could not be written', endedWith('RUN_FILE'), 'RUN_FILE'],
    ['whose process died', null, 'UNFINISHED'],
    ['with an end that only a later version has', endedWith('PAUSED'), 'UNFINISHED'],
    ['with an end that every object has', endedWith('toString'), 'UNFINISHED'],
  ])('%s ends with it', (_, end, exit) => {
    expect(recordedEnding('open', REPORT, { end, resume, after: AFTER })).toEqual({
      exit,
      resumable: true,
      next: resume,
    });
  });

  test('ends as refused when its process died after a refusal', () => {
    expect(recordedEnding('open', STOPPED, { end: null, resume, after: AFTER }).exit).toBe('REFUSED');
  });
});

test.each(['forgotten', 'never_staged'] as const)(
  'a run that is %s keeps its end and cannot be continued',
  (condition) => {
    const ending = recordedEnding(condition, REPORT, { end: endedWith('REFUSED'), resume, after: AFTER });
    expect(ending).toMatchObject({ exit: 'REFUSED', resumable: false });
    expect(ending.next).toMatch(/^push the file again/);
  },
);

test('a finished run ends by the outcomes of its rows, whatever ended an earlier command', () => {
  const end = endedWith('UNFINISHED', TIME_OVER);
  expect(recordedEnding('done', REPORT, { end, resume, after: AFTER }).exit).toBe('PARTIAL');
});

describe('the next command of a finished run', () => {
  const next = (rows: object, after: CommandsAfter = AFTER): string | null => {
    const report = reportWith({ rows: { ...reportWith({}).rows, rejected: 0, verify: 0, ...rows } });
    return finishedEnding(report, after).next;
  };

  test.each([
    ['with refused rows it sends them again', { rejected: 1, verify: 1 }, AFTER.refused],
    ['with rows to verify it lists them', { verify: 1 }, AFTER.show],
    ['with invalid rows alone there is nothing', { invalid: 1 }, null],
    ['with all rows well there is nothing', {}, null],
  ])('%s', (_, rows, expected) => {
    expect(next(rows)).toBe(expected);
  });

  test('does not retry records that the run no longer has', () => {
    expect(next({ rejected: 1, verify: 1 }, { ...AFTER, refused: null, judge: null })).toBe(AFTER.show);
    expect(next({ rejected: 1 }, { ...AFTER, refused: null, judge: null })).toBeNull();
  });

  test('says what to do with rows to verify where they are listed', () => {
    expect(next({ verify: 1 }, { ...AFTER, show: null })).toBe(AFTER.judge);
  });

  describe('does not retry refusals that come again', () => {
    const REFUSED = { ...reportWith({}).rows, read: 2, created: 0, rejected: 2 };
    const refused = (parent: string | null, ...codes: readonly string[]) =>
      reportWith({
        parent,
        rows: REFUSED,
        errorGroups: codes.map((code) => groupOf(problemWith({ code, http_status: 400 }))),
      });
    const THERE = 'historical_statement_already_exists';

    test.each([
      ['records that the platform has', refused(null, THERE, 'payment_instruction_already_active')],
      ['the same beside rows to verify', refused(null, 'outcome_unproven', THERE)],
      ['a retry that added nothing', refused('r0', 'account_not_found')],
    ])('%s', (_, report) => {
      expect(finishedEnding(report, AFTER).next).toBe(AFTER.show);
      expect(finishedEnding(report, { ...AFTER, show: null }).next).toBe(AFTER.judge);
    });

    test.each([
      ['beside another refusal', refused(null, THERE, 'account_not_found')],
      [
        'a retry that added something',
        { ...refused('r0', 'account_not_found'), rows: { ...REFUSED, created: 1 } },
      ],
    ])('but %s it does', (_, report) => {
      expect(finishedEnding(report, AFTER).next).toBe(AFTER.refused);
    });
  });
});
