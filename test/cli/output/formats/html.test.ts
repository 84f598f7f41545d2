import { expect, test } from 'vitest';
import { groupedIn } from '../../../../src/cli/output/formats/html.ts';

test.each([
  [
    'Not everything arrived: 1200 of 21942 records did not (1000 refused by the platform, 1200 not sent).',
    'Not everything arrived: 1,200 of 21,942 records did not (1,000 refused by the platform, 1,200 not sent).',
  ],
  ['Correct 1234 invalid rows of a.csv.', 'Correct 1,234 invalid rows of a.csv.'],
  ['Remove the cause of 1500 refusals of a.csv.', 'Remove the cause of 1,500 refusals of a.csv.'],
])('a count of %s has commas', (sentence, grouped) => {
  expect(groupedIn(sentence)).toBe(grouped);
});

test.each([
  'when the platform was last asked, 2026-11-21T00:00:00Z.',
  'Run 20261121-101502-notes-7f3a of account 1001234 is left.',
  'Correct the row of july 2026.csv at line 12345.',
  'Type `dataimport push notes 2026.csv --max-records 5000`.',
  'A difference of 1234.5678 and of 00012345.',
])('%s keeps its digits', (sentence) => {
  expect(groupedIn(sentence)).toBe(sentence);
});
