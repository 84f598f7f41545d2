import { expect, test } from 'vitest';
import { countNear, spelling, type NearTally } from '../../../../src/cli/mapping/compile/near-values.ts';

test.each([
  ['Void', 'void'],
  [' VÖID ', 'void'],
  ['ﬁnal', 'final'],
  ['vo-id', 'void'],
  ['vo id', 'void'],
  ['vo_id', 'void'],
  ['vo – id', 'void'],
  ["d'avoir", 'davoir'],
  ['(void)', 'void'],
  ['["void"]', 'void'],
  ['“void”', 'void'],
  ['void.;:,', 'void'],
  ['(12)', '12'],
  // Signs and numbers say something else.
  ['void-', 'void-'],
  ['-void', '-void'],
  ['A  1', 'a 1'],
  ['A-1', 'a-1'],
  ['1.0', '1.0'],
  ['.', '.'],
  ['(-)', '(-)'],
])('%j is spelled %j', (text, expected) => {
  expect(spelling(text)).toBe(expected);
});

test('rows with one meaning are counted, with the first of them', () => {
  const near = new Map<string | null, NearTally>();
  countNear(near, 'void', { text: 'Void', line: 7, isLeftOut: true });
  countNear(near, 'void', { text: 'VOID', line: 9, isLeftOut: false });
  countNear(near, 'open', { text: 'Open', line: 11, isLeftOut: false });
  expect([...near]).toEqual([
    ['void', { count: 2, leftOut: 1, line: 7, text: 'Void' }],
    ['open', { count: 1, leftOut: 0, line: 11, text: 'Open' }],
  ]);
});
