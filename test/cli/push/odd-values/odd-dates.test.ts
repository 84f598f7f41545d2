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
  test('that a program writes for none are reported together, at the first of them', () => {
    expect(reported('1900-01-01:2 1970-01-01:3 2025:5')).toEqual([
      'a.csv:2 warning dates_stand_for_none transaction_date: dates that a program writes when it has none ' +
        '(1900-01-01, 1970-01-01): 5',
    ]);
    expect(reported('1970:3 2025:5')).toEqual([]);
  });
});
