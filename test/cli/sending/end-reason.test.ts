import { describe, expect, test } from 'vitest';
import { endReasonOf, reportWithReason } from '../../../src/cli/sending/end-reason.ts';
import { reportWith } from '../../support/run-report.ts';

test('too many errors are counted as in the summary, with the errors of requests that were in flight', () => {
  const before = reportWith({});
  const rows = { ...before.rows, invalid: 2, rejected: 10 };
  const reason = endReasonOf({ kind: 'too_many_errors', errors: 11, limit: 10 }, rows, 'dataimport resume r');
  const { problems } = reportWithReason({ ...before, rows, problems: [] }, reason, {
    file: 't.csv',
    resume: 'dataimport resume r',
  });
  expect(problems.map(({ detail }) => detail)).toEqual([
    'rows that are invalid or were refused: 12, more than the 10 of --max-errors',
  ]);
});

test('a request that was given up for informational answers is not advised to wait', () => {
  const report = reportWith();
  const end = { kind: 'unfinished', reason: 'it sent 100 Continue', afterMs: 1000 } as const;
  const shown = (cause: { isInformational?: true }): string | null => {
    const reason = endReasonOf({ ...end, ...cause }, report.rows, 'dataimport resume r');
    return reportWithReason(report, reason, { file: 't.csv', resume: 'dataimport resume r' }).problems[0]!
      .next;
  };
  expect(shown({})).toMatch(/^Wait until the platform is well, then type `dataimport resume r`\./);
  expect(shown({ isInformational: true })).toMatch(
    /^Have informational answers \(`100 Continue`\) switched off in the server or the proxy, .* Then type `dataimport resume r`\.$/,
  );
});

test('a request that fails alone is shown to the operator, and the platform is not waited for', () => {
  const failed = {
    kind: 'unfinished',
    reason: 'status 500',
    afterMs: 1000,
    request: 'account A5, a.csv line 3',
  } as const;
  const codeAt = (others: number) =>
    endReasonOf({ ...failed, others }, reportWith().rows, 'dataimport resume r');
  expect(codeAt(0)).toMatchObject({
    code: 'retry_time_used_up',
    facts: { reason: 'status 500 (account A5, a.csv line 3)' },
  });
  expect(codeAt(7)).toMatchObject({ code: 'request_fails_alone', facts: { others: 7 } });
});

test('answers that prove nothing are named with their request', () => {
  const end = {
    kind: 'unproven',
    reason: 'status 200; it got a page',
    request: 'account A5, a.csv line 3',
    others: 0,
  } as const;
  expect(endReasonOf(end, reportWith().rows, 'dataimport resume r')).toEqual({
    code: 'answer_unproven',
    facts: { reason: end.reason, request: end.request, resume: 'dataimport resume r' },
  });
});

describe('a wait that the platform asks for', () => {
  const shown = (askedMs: number): string => {
    const report = reportWith();
    const end = { kind: 'asked_to_wait', reason: 'status 503', askedMs } as const;
    const resume = 'dataimport resume r';
    const reason = endReasonOf(end, report.rows, resume);
    const { code, detail, next } = reportWithReason(report, reason, { file: 't.csv', resume }).problems[0]!;
    return `${code} ${detail} ${next}`;
  };

  test('of a day is named and advised', () => {
    expect(shown(86_400_000)).toBe(
      'retry_after_too_long the platform asks to wait 24 h 0 min, longer than the 10 min that a run waits; it failed last with: status 503 Wait that long, then type `dataimport resume r`.',
    );
  });

  test.each([86_401_000, 999_999_999_000])('of %i ms is neither named nor advised', (askedMs) => {
    expect(shown(askedMs)).toBe(
      'retry_after_not_meant the platform asks to wait longer than a day (`Retry-After`), which it cannot mean; it failed last with: status 503 Ask the operator when the platform takes requests again, then type `dataimport resume r`.',
    );
  });
});
