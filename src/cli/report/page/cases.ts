import { arrivedRows } from '../../push/ports/report.ts';
import type { JUnitCase, JUnitSuite } from '../../output/formats/junit.ts';
import { counted } from '../../output/text/text.ts';
import { ACTOR_WORDS, type MigrationReport, type ReportPart } from './migration-report.ts';
import { resourceWords } from './tables.ts';

/**
 * A report in the form of tests: a suite for each part. A cause of errors and an account that did not finish is a failing case each;
 * the lists are as long as in the report, and the properties have all counts.
 */
export function suitesOf(report: MigrationReport): readonly JUnitSuite[] {
  return report.parts.map((part) => ({
    name: resourceWords(part),
    cases: [arrivedCase(part), totalsCase(part), ...causeCases(part), ...accountCases(part)],
    properties: {
      ...part.rows,
      accounts_that_did_not_finish: part.unfinished_accounts_total,
      causes: part.groups_total,
      problems: part.problems_total,
      runs: part.runs.length,
    },
    seconds: 0,
  }));
}

function arrivedCase({ rows }: ReportPart): JUnitCase {
  const missing = rows.read - rows.filtered - arrivedRows(rows);
  return {
    name: 'every record arrived',
    failure:
      missing === 0 ? null : `${counted(missing, 'record')} of ${rows.read - rows.filtered} did not arrive`,
  };
}

function totalsCase({ totals_equal: areEqual }: ReportPart): JUnitCase {
  const failure = areEqual
    ? null
    : 'every record arrived, but the sum of a type is not the sum that was read';
  return { name: 'control totals are equal', failure };
}

function causeCases({ groups }: ReportPart): readonly JUnitCase[] {
  return groups
    .filter(({ severity }) => severity === 'error')
    .map(({ code, file, header, count, first_lines: lines, detail, next, who }) => {
      const where = `${file}${lines.length === 0 ? '' : `:${lines.join(', ')}${count > lines.length ? ' …' : ''}`}`;
      const step = next === null ? '' : `\n${ACTOR_WORDS[who]}: ${next}`;
      return {
        name: `no ${code}${header === null ? '' : ` in ${header}`} (${file})`,
        failure: `${counted(count, 'problem')} at ${where}: ${detail}${step}`,
      };
    });
}

function accountCases({ unfinished_accounts: accounts }: ReportPart): readonly JUnitCase[] {
  return accounts.map(({ file, line, records, arrived, why, external_account_number: number }) => ({
    name: `the account of ${file}:${line}${number === null ? '' : ` (${number})`} is complete`,
    failure: `${arrived} of ${counted(records, 'record')} arrived: ${why}`,
  }));
}
