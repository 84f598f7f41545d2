import { describe, expect, test } from 'vitest';
import { cohortJsonSchema } from '../../../src/cli/migrate/cohort-file.ts';
import { readCohort } from '../../../src/cli/migrate/read-cohort.ts';
import { AppError } from '../../../src/core/app-error.ts';

const GOOD = `version: 1
resources:
  transactions: { files: [t.csv] }
  notes: { files: ["n*.csv"], map: n.yaml }
`;

/** Every problem as `line:column reason`. */
function problemsOf(text: string): readonly string[] {
  try {
    readCohort('night.yaml', text);
    return [];
  } catch (error) {
    if (!(error instanceof AppError) || !(error.cause instanceof AggregateError)) throw error;
    return (error.cause.errors as AppError[]).map(
      ({ facts }) => `${facts['line']}:${facts['column']} ${facts['reason']}`,
    );
  }
}

describe('a cohort file', () => {
  test('has the name of its file and the usual order, unless it says otherwise', () => {
    const { name, order } = readCohort('nights/first.yaml', GOOD);
    expect({ name, order }).toEqual({ name: 'first', order: ['notes', 'transactions'] });
    const other = readCohort('first.yaml', `${GOOD}name: second\norder: [transactions, notes]\n`);
    expect([other.name, other.order]).toEqual(['second', ['transactions', 'notes']]);
  });

  test('keeps leading zeros of a supplier, because every value is a text', () => {
    expect(readCohort('c.yaml', `${GOOD}supplier: 0012\n`).document.supplier).toBe('0012');
  });

  test.each(
    Object.entries<readonly string[]>({
      '': ['1:1 it must be an object'],
      'version: 2\nresources: { notes: { files: [n.csv] } }': [
        '1:10 version: this program reads version 1 of the format only',
      ],
      'version: 1': ['1:1 the key `resources` is missing'],
      'version: 1\nresources: {}': ['2:12 resources: at least one resource is needed'],
      [`${GOOD}suplier: ACME`]: ['5:1 there is no key `suplier` here; did you mean supplier?'],
      'version: 1\nresources:\n  notes: { files: [] }': ['3:19 resources.notes.files: the list is empty'],
      [`${GOOD}limits: { concurrency: many, rate_limit: 5 }\nwait_for_accounts: 4`]: [
        '5:24 limits.concurrency: it must be a whole number from 1 to 256',
        '5:42 limits.rate_limit: it must be a whole number of requests in a second or a minute, such as 20/s or 30/m',
        '6:20 wait_for_accounts: it must be a span of time such as 500ms, 30s, 15m or 2h',
      ],
      [`${GOOD}after_failure: stop`]: ['5:16 after_failure: it must be one of hold, continue'],
      [`${GOOD}name: ../other`]: [
        '5:7 name: it must be up to 64 letters, digits, points, hyphens and underscores',
      ],
      [`${GOOD}order: [notes, notes]`]: [
        '5:8 order: transactions has files and is not in the list',
        '5:16 order.1: notes is in the list already',
      ],
      [`${GOOD}checks: { accounts: [{ with: transactions, need: statements }] }`]: [
        '5:50 checks.accounts.0.need: statements has no files under `resources`',
      ],
      [`${GOOD}checks: { ids_in_two_files: [notes], totals: [{ of: notes, equal: transactions }] }`]: [
        '5:11 there is no key `ids_in_two_files` here; `identifier_on_several_accounts` warns of ids that several accounts have',
        '5:67 checks.totals.0.equal: it must be an object',
      ],
      [`${GOOD}checks: { totals: [{ of: notes, equal: { file: t.csv, account: A, total: T } }] }`]: [
        '5:26 checks.totals.0.of: notes have no amounts',
      ],
      'version: 1\nversion: 1': [
        '2:1 this key occurs above already, in the same object: keep one of the two',
      ],
    }),
  )('reports every problem with its line and column: %j', (text, problems) => {
    expect(problemsOf(text)).toEqual(problems);
  });

  test('has a published schema that describes each key by itself', () => {
    const schema = JSON.stringify(cohortJsonSchema());
    expect(schema).toContain('"map":{"description":"Mapping of all these files');
    expect(schema).toContain('"version":{"type":["integer","string"],"enum":[1,"1"]}');
  });
});
