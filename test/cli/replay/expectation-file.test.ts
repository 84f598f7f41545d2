import { expect, test } from 'vitest';
import { readExpectation, updatedText } from '../../../src/cli/replay/expectation.ts';

test('an update replaces aliases by copies, because the results of two steps seldom are the same', () => {
  const before = `version: 1
today: 2026-11-21
steps:
  # twice: the second finds what the first has made
  - &push { command: push notes notes.csv, exit: OK }
  - *push
`;
  const { steps, ...rest } = readExpectation('expected.yaml', before);
  const [first, second] = steps.map((step, index) => ({ ...step, rows: { read: index + 1 } }));
  const after = updatedText(before, { ...rest, steps: [first!, second!] });
  expect(after).toContain('# twice');
  expect(readExpectation('expected.yaml', after).steps).toEqual([first, second]);
});
