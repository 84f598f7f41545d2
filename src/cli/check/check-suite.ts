import { total } from '../../core/values/counts.ts';
import type { JUnitSuite } from '../output/formats/junit.ts';
import { isGiven, type ReportedProblem } from '../output/text/problem-line.ts';
import { linesText } from '../output/text/problem-list.ts';
import { counted } from '../output/text/text.ts';
import type { ProblemGroup } from '../push/ports/report.ts';

/** What a check of files has found. */
export interface CheckedRows {
  /** As they were typed, at least one. */
  readonly files: readonly string[];
  readonly problems: readonly ReportedProblem[];
  readonly problemsTotal: number;
  readonly errorGroups: readonly ProblemGroup[];
  /** Whether the rows were read. A mapping that cannot be used, or a missing file, ends a check before. */
  readonly isRead: boolean;
  /** How long the check took. */
  readonly seconds: number;
}

/** A check in the form of tests: each cause of errors is a failing case. Warnings fail none. */
export function suiteOfCheck({
  files,
  errorGroups,
  problems,
  problemsTotal,
  isRead,
  seconds,
}: CheckedRows): JUnitSuite {
  const errors = total(errorGroups, ({ count }) => count);
  const unread = problems.map(({ code, file, line, detail }) => ({
    name: `no ${code}${isGiven(file) ? ` (${file})` : ''}`,
    failure: `${[file, line].filter(isGiven).join(':')}: ${detail}`.replace(/^: /, ''),
  }));
  return {
    name: files.join(', '),
    cases: isRead
      ? [
          { name: 'every row is valid', failure: errors === 0 ? null : counted(errors, 'error') },
          ...errorGroups.map(({ first, count, lines }) => ({
            name: `no ${first.code}${first.header === null ? '' : ` in ${first.header}`} (${first.file})`,
            failure: `${counted(count, 'error')} at ${first.file}:${linesText({ count, lines })}: ${first.detail}${first.next === null ? '' : `\n${first.next}`}`,
          })),
        ]
      : unread,
    properties: { problems: problemsTotal },
    seconds,
  };
}
