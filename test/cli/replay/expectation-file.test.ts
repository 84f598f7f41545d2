import { expect, test } from 'vitest';
import { readExpectation, updatedText } from '../../../src/cli/replay/expectation-file.ts';
import { AppError } from '../../../src/core/app-error.ts';

function errorOf(text: string): AppError {
  try {
    readExpectation('expected.yaml', text);
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

test('a problem inside an aliased part is reported at its own position', () => {
  const text = `version: 1
today: 2026-11-21
steps:
  - { command: check a.csv, rows: &rows { read: -1 } }
  - { command: check b.csv, rows: *rows }
`;
  expect(errorOf(text).facts).toMatchObject({ line: 4, column: 49 });
});

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
