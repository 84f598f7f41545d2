import { expect, test } from 'vitest';
import { sqlTokens } from '../../../../../src/cli/mapping/language/query/sql-tokens.ts';

/** `kind:text` of each token. */
const shown = (sql: string): string =>
  sqlTokens(sql)
    .map(({ kind, text }) => `${kind}:${text}`)
    .join(' ');

test.each([
  ['SELECT a', 'word:select word:a'],
  ['a -- b\nc', 'word:a word:c'],
  ['a /* b\n */ c', 'word:a word:c'],
  ['a /* b', 'word:a'],
  ["'It''s' x", "text:'It''s' word:x"],
  ["'open", "text:'open"],
  ['"Ab""c"', 'name:ab"c'],
  ['`A``b`', 'name:a`b'],
  ['[A b]', 'name:a b'],
  ['[a""b]', 'name:a""b'],
  ['[a[[b]', 'name:a[[b'],
  ['1 1.5 .5 1e3 1.5E-3 0x1F', 'number:1 number:1.5 number:.5 number:1e3 number:1.5e-3 number:0x1f'],
  ['a->b->>c||d', 'word:a mark:-> word:b mark:->> word:c mark:|| word:d'],
  ['<= >= <> != == << >> < >', 'mark:<= mark:>= mark:<> mark:!= mark:== mark:<< mark:>> mark:< mark:>'],
  ['b.*', 'word:b mark:. mark:*'],
  ['Größe_1$', 'word:größe_1$'],
])('%s is cut into %s', (sql, expected) => {
  expect(shown(sql)).toBe(expected);
});
