import { describe, expect, test } from 'vitest';
import {
  regularFields,
  reportMissingValues,
  reportOddDates,
  togetherOf,
} from '../../../../src/cli/push/odd-values/odd-values.ts';
import type { DateGroup, MissingValues } from '../../../../src/cli/push/ports/staging.ts';
import type { Resource } from '../../../../src/core/contract/resources.ts';
import { oddFile } from '../../../support/odd-file.ts';
import { TODAY } from '../../../support/push-records.ts';

const first = (line: number, source = 1) => ({ source, line });

test.each<readonly [Resource, readonly string[]]>([
  ['notes', ['document_paths', 'created_at', 'is_pinned', 'unpin_at']],
  ['statements', ['issued_date', 'number', 'gross_amount', 'statement_path']],
  ['payment-instructions', []],
])('optional fields of %s that an export fills in every record, or in none', (resource, names) => {
  // A text that may be sent empty, such as a body, may be missing anywhere.
  expect(regularFields({ resource, check: { today: TODAY } }).toSorted()).toEqual(names.toSorted());
});

describe('a value that nearly all records have', () => {
  /** What is reported of an amount that is missing in some records. */
  function reported(
    missing: readonly Partial<MissingValues>[],
    { mapped = ['gross_amount'], conditional = [] as readonly string[] } = {},
  ): readonly string[] {
    const columns = mapped.map((attr, index) => ({ index, header: attr, attr }));
    const { file, problems } = oddFile('statements', {
      columns: [[], columns],
      conditional: new Set(conditional),
      questions: {
        missingValues: (field) =>
          field === 'gross_amount'
            ? missing.map((each) => ({ type: null, count: 1, records: 20, first: first(7), ...each }))
            : [],
      },
    });
    reportMissingValues(file);
    return problems;
  }
  const warned = (words: string): readonly string[] => [
    `a.csv:7 warning values_partly_missing gross_amount: is empty in ${words}, and all others have a value`,
  ];

  test.each<readonly [string, Partial<MissingValues>, string]>([
    ['one of the fewest records', { count: 1, records: 20 }, '1 of 20 records'],
    ['few of many', { count: 3, records: 60 }, '3 of 60 records'],
    ['one of a hundred', { count: 10, records: 1000 }, '10 of 1000 records'],
    ['one of a type', { type: 'FEE' }, '1 of 20 records of the type FEE'],
  ])('is a warning where %s lack it', (_, missing, words) => {
    expect(reported([missing])).toEqual(warned(words));
  });

  test.each<readonly [string, Partial<MissingValues>]>([
    ['there are few records', { count: 1, records: 19 }],
    ['more than a twentieth lack it', { count: 2, records: 39 }],
    ['more than a few lack it', { count: 4, records: 100 }],
    ['more than one of a hundred lack it', { count: 11, records: 1000 }],
  ])('is none where %s', (_, missing) => {
    expect(reported([missing])).toEqual([]);
  });

  test('is a warning of each type', () => {
    expect(reported([{ type: 'A' }, { count: 9 }, { type: 'B' }])).toHaveLength(2);
  });

  test('is looked at only where a column feeds it, or a part of it', () => {
    expect(reported([{}], { mapped: [] })).toEqual([]);
    expect(reported([{}], { mapped: ['statement_path'] })).toEqual([]);
    expect(reported([{}], { mapped: ['gross_amount.~1'] })).toHaveLength(1);
  });

  test('may be left out by a condition', () => {
    expect(reported([{}], { conditional: ['gross_amount'] })).toEqual([]);
    expect(reported([{}], { conditional: ['number'] })).toHaveLength(1);
  });
});

describe('dates', () => {
  /** Groups as `2026:40` for 40 records of a year, each first at the next line. */
  const groups = (text: string): readonly DateGroup[] =>
    text.split(' ').map((word, at) => {
      const [period, count] = word.split(':') as [string, string];
      return { period, count: Number(count), first: first(at + 2) };
    });
  function reported(text: string, resource: Resource = 'transactions', field = 'transaction_date') {
    const { file, problems } = oddFile(resource, {
      questions: { dateGroups: (name) => (name === field ? groups(text) : []) },
    });
    reportOddDates(file);
    return problems;
  }
  const far = (line: number, count: number, records: number, field = 'transaction_date') => [
    `a.csv:${line} warning dates_far_from_others ${field}: dates 5 years or more away from all others: ${count} of ${records}`,
  ];

  test('that a program writes for none are reported together, at the first of them', () => {
    expect(reported('1900-01-01:2 1970-01-01:3 2025:5')).toEqual([
      'a.csv:2 warning dates_stand_for_none transaction_date: dates that a program writes when it has none ' +
        '(1900-01-01, 1970-01-01): 5',
    ]);
    expect(reported('1970:3 2025:5')).toEqual([]);
  });

  test.each([
    ['one record of fifty', '2019:1 2024:49', far(2, 1, 50)],
    ['the one before, of one before and one after', '2010:1 2020:198 2026:1', far(2, 1, 200)],
    ['one of a hundred, in two groups', '2000:1 2010:1 2020:100 2021:98', far(2, 2, 200)],
  ])('far from all others are reported: %s', (_, text, expected) => {
    expect(reported(text)).toEqual(expected);
  });

  test.each([
    ['there are few', '2019:1 2024:48'],
    ['they are more than one of a hundred', '2019:2 2024:148'],
    ['they are less than five years away', '2020:1 2024:49'],
    ['years between have some', '2014:1 2018:1 2022:100'],
    ['all are of one time', '2024:50'],
    ['there is none', '1970-01-01:0'],
  ])('are not reported when %s', (_, text) => {
    expect(reported(text).filter((problem) => problem.includes('far_from'))).toEqual([]);
  });

  test('may lie in any year to come where a note is pinned until then', () => {
    expect(reported('2026:99 2099:1', 'notes', 'unpin_at')).toEqual([]);
    expect(reported('2003:1 2026:99', 'notes', 'unpin_at')).toEqual(far(2, 1, 100, 'unpin_at'));
    expect(reported('2003:1 2026:99', 'notes', 'created_at')).toEqual(far(2, 1, 100, 'created_at'));
    expect(reported('2010:1 2020:198 2026:1', 'notes', 'created_at')).toEqual(far(2, 2, 200, 'created_at'));
    expect(reported('2026:99 2099:1', 'notes', 'created_at')).toEqual(far(3, 1, 100, 'created_at'));
  });

  test('that stand for none do not count as far away', () => {
    expect(reported('1970-01-01:1 2024:60').map((problem) => problem.split(' ')[2])).toEqual([
      'dates_stand_for_none',
    ]);
  });
});

test('tallies together have the first of all lines', () => {
  const tallies = [
    { count: 2, first: first(9) },
    { count: 3, first: first(4) },
    { count: 4, first: first(1, 2) },
  ];
  expect(togetherOf(tallies)).toEqual({ count: 9, first: first(4) });
});
