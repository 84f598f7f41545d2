import { expect, test } from 'vitest';
import { endReasonOf, reportWithReason } from '../../../src/cli/sending/end-reason.ts';
import { reportWith } from '../../support/run-report.ts';

test('a report begins with the reason for an early end, and names the command of the command line that shows it', () => {
  const facts = { time: '1 s', reason: 'status 503' };
  const reason = endReasonOf({ kind: 'unfinished', reason: { code: 'retry_time_used_up', facts } }, 'old');
  const resume = 'dataimport resume';
  const [problem] = reportWithReason(reportWith(), reason, { file: 't.csv', resume }).problems;
  expect(problem).toMatchObject({
    code: 'retry_time_used_up',
    next: expect.stringMatching(/type `dataimport resume`/) as string,
  });
});
