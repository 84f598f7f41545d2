import { describe, expect, test } from 'vitest';
import type { RowCounts, RunEnd, RunReport } from '../../../src/cli/push/ports/report.ts';
import {
  endingOf,
  openRows,
  recordedEnding,
  stopOf,
  furthestFromDone,
} from '../../../src/cli/ending/ending.ts';
import { groupOf, problemWith, reportWith, ROWS } from '../../support/run-report.ts';

const again = 'dataimport resume r';
const unresolved = 'dataimport runs show r --unresolved --csv unresolved.csv';
const OPEN = { again, unresolved, isOpen: true };
const FINISHED = { again, unresolved, isOpen: false };
const COMMANDS = { again: () => again, unresolved: () => unresolved } as never;

/** Three rows, of which two are created and one has these outcomes. */
const withRows = (rows: object) => reportWith({ rows: { ...ROWS, rejected: 0, ...rows } });

const DONE = withRows({ created: 3 });
const REFUSED = withRows({ rejected: 1 });
const UNSENT = withRows({ not_sent: 1 });

describe('an unfinished run ends as its last command recorded it', () => {
  const ended = (report: RunReport, end: RunEnd | null, condition: 'open' | 'done' = 'open') =>
    recordedEnding({ condition, end } as never, report, COMMANDS);
  const endedWith = (exit: string, reason: RunEnd['reason'] = null): RunEnd => ({ exit, reason });
  const TIME_OVER = { code: 'max_duration_over', facts: { time: '1 s' } } as const;
  const left = reportWith({ rows: UNSENT.rows, accounts: { total: 1, done: 0, stopped: 0 } });

  test.each([
    ['that Ctrl-C ended', endedWith('INTERRUPTED'), 'INTERRUPTED'],
    ['that SIGTERM ended', endedWith('TERMINATED'), 'TERMINATED'],
    ['whose time was over', endedWith('UNFINISHED', TIME_OVER), 'UNFINISHED'],
    ['whose file could not be written', endedWith('RUN_FILE'), 'RUN_FILE'],
    ['whose process died', null, 'UNFINISHED'],
    ['with an end that only a later version has', endedWith('PAUSED'), 'UNFINISHED'],
    ['with an end that every object has', endedWith('toString'), 'UNFINISHED'],
  ])('%s', (_, end, exit) => {
    expect(ended(left, end)).toEqual({ exit, resumable: true, next: again });
  });

  test('and as refused when its process died after a refusal', () => {
    const stopped = reportWith({ rows: UNSENT.rows, accounts: { total: 1, done: 0, stopped: 1 } });
    expect(ended(stopped, null).exit).toBe('REFUSED');
  });

  test('but a finished one ends by the outcomes of its rows, whatever ended an earlier command', () => {
    const end = endedWith('UNFINISHED', TIME_OVER);
    expect(ended(REFUSED, end, 'done').exit).toBe('PARTIAL');
    expect(ended(DONE, end, 'done')).toEqual({ exit: 'OK', resumable: false, next: null });
  });
});

describe('the counts alone decide between success and anything else', () => {
  test.each([null, 'UNFINISHED', 'REFUSED', 'RUN_FILE', 'INTERRUPTED'] as const)(
    'when the command was stopped by %s',
    (stop) => {
      for (const choice of [OPEN, FINISHED]) {
        expect(endingOf(DONE, stop, choice)).toEqual({ exit: 'OK', resumable: false, next: null });
        expect(endingOf(REFUSED, stop, choice).exit).not.toBe('OK');
      }
    },
  );

  test('rows that were sent before, are there or are confirmed are well', () => {
    const well = { created: 0, existing: 1, uncompared: 1, confirmed: 1, sent_before: 1 };
    expect(openRows(withRows(well).rows)).toBe(0);
    for (const outcome of ['rejected', 'unknown', 'not_sent', 'verify', 'invalid'])
      expect(openRows(withRows({ [outcome]: 1 }).rows)).toBe(1);
  });
});

const UNFINISHED = ['retry_time_used_up', 'machine_exhausted'] as const;

test.each([
  [{ kind: 'finished' }, null],
  [{ kind: 'refused' }, 'REFUSED'],
  [{ kind: 'refused', reason: { code: 'max_errors_exceeded' } }, 'REFUSED'],
  [{ kind: 'refused', reason: { code: 'answer_unproven' } }, 'REFUSED'],
  [{ kind: 'time_over', reason: { code: 'max_duration_over' } }, 'UNFINISHED'],
  ...UNFINISHED.map((code) => [{ kind: 'unfinished', reason: { code } }, 'UNFINISHED'] as const),
  [{ kind: 'unauthenticated' }, 'AUTH'],
  [{ kind: 'unauthenticated', reason: { code: 'credentials_refused' } }, 'AUTH'],
  [{ kind: 'unrecorded', reason: { code: 'run_write_failed' } }, 'RUN_FILE'],
  [{ kind: 'unrecorded', reason: { code: 'run_removed' } }, 'RUN_FILE'],
  [{ kind: 'interrupted' }, 'TERMINATED'],
] as const)('an end of sending such as %j stops the command with %s', (end, exit) => {
  expect(stopOf(end as never, 'TERMINATED')).toBe(exit);
});

test('a refused record that must not be sent again leaves nothing to go on with', () => {
  expect(endingOf(REFUSED, 'REFUSED', OPEN)).toMatchObject({ exit: 'REFUSED', resumable: true });
  expect(endingOf(REFUSED, 'REFUSED', FINISHED)).toMatchObject({ exit: 'PARTIAL', resumable: false });
  expect(endingOf(UNSENT, 'UNFINISHED', FINISHED)).toMatchObject({ exit: 'UNFINISHED', resumable: false });
});

describe('the next step', () => {
  type Rows = Partial<RowCounts> & { readonly changed?: number };
  const next = ({ changed = 0, ...rows }: Rows, ...codes: readonly string[]): string | null => {
    const errorGroups = codes.map((code) => groupOf(problemWith({ code, http_status: 400 })));
    return endingOf({ ...withRows(rows), changed, errorGroups }, null, FINISHED).next;
  };
  const step = (title: string, expected: string | null, rows: Rows, ...codes: readonly string[]) =>
    [title, expected, rows, codes] as const;
  const THERE = 'historical_statement_already_exists';
  const correctInvalid = `correct the invalid rows in their file, then: ${again}`;
  const correctRefused = `correct the refused rows in their file, then: ${again}`;

  test.each([
    step('nothing when all rows are well', null, { created: 3 }),
    step('the command again for rows that were not sent', again, { not_sent: 1, invalid: 1, verify: 1 }),
    step('the command again for rows without an answer', again, { unknown: 1, verify: 1 }),
    step('the command again for refused rows', again, { rejected: 1, verify: 1 }, 'account_not_found'),
    step(
      'the command again for refused rows beside others',
      again,
      { rejected: 2 },
      THERE,
      'account_not_found',
    ),
    step('a correction for invalid rows', correctInvalid, { invalid: 1, verify: 1 }, 'invalid'),
    step('the list for rows to verify', unresolved, { verify: 1 }),
    step('the list for records that the platform has otherwise', unresolved, { invalid: 1, changed: 1 }),
    step('a correction for invalid rows beside those', correctInvalid, { invalid: 2, changed: 1 }),
    step('the list for records that the platform has already', unresolved, { rejected: 1 }, THERE),
    step('a correction for a refused value', correctRefused, { rejected: 1 }, 'invalid_choice'),
    step('a correction for a final refusal', correctRefused, { rejected: 1 }, 'payment_instruction_refused'),
    step(
      'the list for the rest beside a final refusal',
      unresolved,
      { rejected: 2 },
      'payment_instruction_refused',
      THERE,
    ),
  ])('is %s', (_, expected, rows, codes) => {
    expect(next(rows, ...codes)).toBe(expected);
  });

  test.each([
    ['the platform has its record', THERE, unresolved],
    ['a value of it is refused', 'invalid_choice', correctRefused],
  ])('is another one after a refused record alone when %s', (_, code, alone) => {
    const errorGroups = [groupOf(problemWith({ code, http_status: 400 }))];
    const after = (rejected: number) =>
      endingOf({ ...withRows({ rejected, not_sent: 1 }), errorGroups }, 'REFUSED', OPEN).next;
    expect([after(1), after(2)]).toEqual([alone, again]);
  });

  test.each([
    ['the list when the journal forbids to send', 1, unresolved],
    ['a correction when invalid rows do', 0, correctInvalid],
  ])('is %s', (_, changed, expected) => {
    expect(endingOf({ ...withRows({ not_sent: 2, invalid: 1 }), changed }, 'INPUT_INVALID', OPEN)).toEqual({
      exit: 'INPUT_INVALID',
      resumable: true,
      next: expected,
    });
  });
});

test.each([
  [['OK', 'UNFINISHED', 'PARTIAL', 'AUTH'], 'AUTH'],
  [['UNFINISHED', 'REFUSED'], 'REFUSED'],
  [['OK', 'PARTIAL', 'INPUT_INVALID'], 'INPUT_INVALID'],
  [['OK', 'PARTIAL', 'OK'], 'PARTIAL'],
  [['OK', 'OK'], 'OK'],
] as const)('of the endings %j the one that is furthest from done counts: %s', (exits, exit) => {
  const endings = exits.map((each) => ({ exit: each, resumable: true, next: each }));
  expect(furthestFromDone(endings)).toMatchObject({ exit, next: exit });
});
