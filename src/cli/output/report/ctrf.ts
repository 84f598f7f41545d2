import { clockOfInstant } from '../../../core/values/instant.ts';
import { suitesOf } from './cases.ts';
import type { MigrationReport } from './migration-report.ts';

/** The report in the Common Test Report Format. */
export function ctrfText(report: MigrationReport): string {
  const suites = suitesOf(report);
  const tests = suites.flatMap(({ name, cases }) =>
    cases.map((each) => ({
      name: each.name,
      status: each.failure === null ? ('passed' as const) : ('failed' as const),
      duration: 0,
      suite: [name],
      ...(each.failure !== null && { message: each.failure }),
    })),
  );
  const failed = tests.filter(({ status }) => status === 'failed').length;
  const { sending, made_at: madeAt, tool_version: version } = report;
  const stop = clockOfInstant(sending?.last_answer_at ?? madeAt);
  const document = {
    reportFormat: 'CTRF',
    specVersion: '0.0.0',
    timestamp: madeAt,
    results: {
      tool: { name: 'dataimport', version },
      summary: {
        tests: tests.length,
        passed: tests.length - failed,
        failed,
        pending: 0,
        skipped: 0,
        other: 0,
        suites: suites.length,
        start: sending === null ? stop : clockOfInstant(sending.first_request_at),
        stop,
      },
      tests,
    },
  };
  return `${JSON.stringify(document, undefined, 2)}\n`;
}
