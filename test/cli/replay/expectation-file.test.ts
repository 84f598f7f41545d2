import { expect, test } from 'vitest';
import { differenceOf, readExpectation, updatedText } from '../../../src/cli/replay/expectation.ts';

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

const STEP = {
  command: 'check notes notes.csv',
  exit: 'INPUT_INVALID',
  rows: { read: 30, invalid: 21 },
  control_totals: [{ count: 30 }],
  problems: [{ code: 'blank', file: 'notes.csv', line: 2, column: 3 }],
  problems_total: 21,
};
const LEDGER = [{ kind: 'note' as const, count: 9, content: 'abc' }];

test.each([
  ['exit', { exit: 'PARTIAL' }],
  ['rows', { rows: { read: 30, invalid: 22 } }],
  ['control_totals', { control_totals: [{ count: 31 }] }],
  ['problems', { problems: [{ ...STEP.problems[0]!, column: 4 }] }],
  ['problems_total', { problems_total: 22 }],
  ['ledger', { ledger: [{ ...LEDGER[0]!, count: 8 }] }],
])('another value of %s is a difference, and an update writes it', (name, changed) => {
  const empty = 'version: 1\ntoday: 2026-11-21\nsteps:\n  - { command: check notes notes.csv, exit: OK }\n';
  const before = { steps: [STEP], ledger: LEDGER };
  const text = updatedText(empty, before);
  const expected = readExpectation('expected.yaml', text);
  expect(expected).toMatchObject(before);
  const { ledger = LEDGER, ...step } = changed as { ledger?: typeof LEDGER };
  const actual = { steps: [{ ...STEP, ...step }], ledger };
  const known = { file: 'expected.yaml', text, expected };
  expect(differenceOf(known, before)).toBeNull();
  expect(differenceOf(known, actual)).toMatch(new RegExp(`^[+ ].*${name}`, 'm'));
  expect(readExpectation('expected.yaml', updatedText(text, actual))).toMatchObject(actual);
});
