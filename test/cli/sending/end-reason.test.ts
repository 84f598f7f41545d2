import { expect, test } from 'vitest';
import { endReasonOf, reportWithReason } from '../../../src/cli/sending/end-reason.ts';
import type { EndReason } from '../../../src/cli/push/ports/report.ts';
import { reportWith } from '../../support/run-report.ts';

const TIME = { time: '1 s', reason: 'status 503' };

test.each<[EndReason, string]>([
  [
    { code: 'retry_time_used_up', facts: TIME },
    'Wait until the platform is well, then type `dataimport resume`.',
  ],
  [
    { code: 'retry_cannot_help', facts: TIME },
    'Have informational answers (`100 Continue`) switched off in the server or the proxy',
  ],
  [
    { code: 'retry_after_too_long', facts: { asked: '24 h 0 min', reason: 'status 503' } },
    'the platform asks to wait 24 h 0 min, longer than the 10 min that a run waits; it failed last with: status 503 Wait that long, then type `dataimport resume`.',
  ],
  [
    { code: 'retry_after_not_meant', facts: { reason: 'status 503' } },
    'the platform asks to wait longer than a day (`Retry-After`), which it cannot mean; it failed last with: status 503 Ask the operator when the platform takes requests again, then type `dataimport resume`.',
  ],
  [
    { code: 'max_errors_exceeded', facts: { errors: 12, limit: 10 } },
    'rows that are invalid or were refused: 12, more than the 10 of --max-errors',
  ],
])('the report begins with the reason for an early end, and what to type: %j', (cause, words) => {
  const reason = endReasonOf({ kind: 'unfinished', reason: cause }, 'dataimport resume');
  const at = { file: 't.csv', resume: 'dataimport resume' };
  const [problem] = reportWithReason(reportWith(), reason, at).problems;
  expect(problem!.code).toBe(cause.code);
  expect(`${problem!.detail} ${problem!.next}`).toContain(words);
});
