import type { JUnitCase, JUnitSuite } from '../../output/formats/junit.ts';
import { counted } from '../../output/text/text.ts';
import { missingRows } from '../answer.ts';
import { ACTOR_WORDS, type Verification, type VerifiedPart } from '../verification-schema.ts';
import { resourceWords } from './tables.ts';

/**
 * What was found in the form of tests: a suite for each part. A cause of errors is a failing case, and the properties
 * have all counts.
 */
export function suitesOf(found: Verification): readonly JUnitSuite[] {
  return found.parts.map((part) => ({
    name: resourceWords(part),
    cases: [...holdingCases(part), ...causeCases(part)],
    properties: {
      ...part.rows,
      accounts_that_did_not_finish: part.accounts_unfinished,
      causes: part.groups_total,
      problems: part.problems_total,
      runs: part.runs.length,
    },
    seconds: 0,
  }));
}

/** Statements that hold when everything arrived. */
function holdingCases({ rows, totals_equal: areEqual, comparisons }: VerifiedPart): readonly JUnitCase[] {
  const missing = missingRows(rows);
  const failure = (isWell: boolean, text: string): string | null => (isWell ? null : text);
  const of = `${counted(missing, 'record')} of ${rows.read - rows.filtered} did not arrive`;
  return [
    { name: 'every record arrived', failure: failure(missing === 0, of) },
    {
      name: 'control totals are equal',
      failure: failure(areEqual, 'the accepted sum of a type is not the sum that was read'),
    },
    ...comparisons.map(({ name, errors_total: errors }) => ({
      name: `nothing differs from ${name}`,
      failure: failure(errors === 0, counted(errors, 'difference')),
    })),
  ];
}

function causeCases({ groups }: VerifiedPart): readonly JUnitCase[] {
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
