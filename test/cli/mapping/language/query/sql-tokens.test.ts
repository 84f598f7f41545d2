import { describe, expect, test } from 'vitest';
import {
  columnFrom,
  isMark,
  isName,
  isWord,
  partnerOf,
  sqlTokens,
} from '../../../../../src/cli/mapping/language/query/sql-tokens.ts';

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

test('a token has its place, its line and the parentheses around it', () => {
  expect(
    sqlTokens('f(a,\n(B))\nc').map(({ text, start, end, line, depth }) => [text, start, end, line, depth]),
  ).toEqual([
    ['f', 0, 1, 1, 0],
    ['(', 1, 2, 1, 0],
    ['a', 2, 3, 1, 1],
    [',', 3, 4, 1, 1],
    ['(', 5, 6, 2, 1],
    ['b', 6, 7, 2, 2],
    [')', 7, 8, 2, 1],
    [')', 8, 9, 2, 0],
    ['c', 10, 11, 3, 0],
  ]);
});

test('the other parenthesis is found from both', () => {
  const tokens = sqlTokens('f(a,(b))c');
  expect([partnerOf(tokens, 1), partnerOf(tokens, 4)]).toEqual([7, 6]);
  expect([partnerOf(tokens, 7), partnerOf(tokens, 6)]).toEqual([1, 4]);
  expect(partnerOf(sqlTokens('(a'), 0)).toBe(2);
});

describe('a token', () => {
  const [select, quoted, name, mark, text, number] = sqlTokens('select "select" x , \'x\' 1');
  test('is a word of SQL, a name, or neither', () => {
    expect([select, quoted, name, mark, text, number, undefined].map(isName)).toEqual([
      false,
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
    expect([isWord(select, 'from', 'select'), isWord(quoted, 'select'), isWord(undefined, 'select')]).toEqual(
      [true, false, false],
    );
    expect([isMark(mark, ';', ','), isMark(text, "'x'"), isMark(undefined, ',')]).toEqual([
      true,
      false,
      false,
    ]);
  });
});

test.each([
  ['a', 1],
  ['a.b', 3],
  ['a.b.c', undefined],
  ['f(a)', undefined],
  ['a.f(x)', undefined],
  ['a, b', 1],
  ['1', undefined],
  ['select', undefined],
])('the column that begins %s ends before token %s', (sql, end) => {
  expect(columnFrom(sqlTokens(sql), 0)).toBe(end);
});
