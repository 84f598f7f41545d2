import { expect, test } from 'vitest';
import { delimiterHint } from '../../../src/cli/csv/delimiter-hint.ts';

test.each([
  ['[C047] semicolons', ['a;b;c'], '";"'],
  ['[C047] tabs', ['a\tb'], String.raw`"\t"`],
  ['[C047] bars', ['a|b'], '"|"'],
  ['[C047] commas, where the mapping names another one', ['a,b'], '","'],
  ['the one that occurs most', ['a;b;c|d'], '";"'],
  ['[C048] both of a tie', ['a;b|c'], '";" or "|"'],
  ['[C048] all of a tie', ['a;b|c\td'], String.raw`";" or "\t" or "|"`],
  ['nothing for a single name', ['units'], undefined],
  ['nothing for several names', ['a;b', 'c'], undefined],
  ['nothing for no name', [], undefined],
])('%s', (_, names, expected) => {
  expect(delimiterHint(names)).toBe(expected);
});
