import { describe, expect, test } from 'vitest';
import { OddDates } from '../../../../src/cli/push/odd-values/odd-dates.ts';
import type { Resource } from '../../../../src/core/contract/resources.ts';
import { oddFile, seenOf } from '../../../support/odd-file.ts';

describe('dates', () => {
  /** What is reported of groups such as `2026:40` for 40 records of a year, each group at the next line. */
  function reported(text: string, resource: Resource = 'transactions', field = 'transaction_date') {
    const { file, problems } = oddFile(resource);
    const dates = new OddDates(resource);
    for (const [at, word] of text.split(' ').entries()) {
      const [period, count] = word.split(':') as [string, string];
      const day = period.length === 'yyyy'.length ? `${period}-06-01` : period;
      for (let each = 0; each < Number(count); each++)
        dates.see(seenOf(at + 2, { fields: { [field]: day } }));
    }
    dates.report(file);
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
