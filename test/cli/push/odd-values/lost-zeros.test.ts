import { describe, expect, test } from 'vitest';
import { NumberLengths } from '../../../../src/cli/push/odd-values/lost-zeros.ts';
import { togetherOf } from '../../../../src/cli/push/odd-values/tally.ts';
import { oddFile } from '../../../support/odd-file.ts';

describe('the digits of texts', () => {
  /** What is reported of texts, the first of which is on line 2. */
  function reported(kind: 'account' | 'id' | 'name', texts: readonly string[]): readonly string[] {
    const { file, problems } = oddFile('transactions');
    const lengths = new NumberLengths(kind);
    for (const [at, text] of texts.entries()) lengths.see(text, { source: 1, line: at + 2 });
    lengths.report(file, 'reference');
    return problems.map((problem) => problem.replace(/: values.*\((.*)\).*: (\d+)$/, ' $1, $2'));
  }
  const many = (count: number, text: (at: number) => string): string[] =>
    Array.from({ length: count }, (_, at) => text(at));
  const whole = (at: number): string => `R${at % 10}-00${1000 + at}/x`;
  const part = (at: number): string => `R${at % 10}-${1000 + at}/x`;

  test('are the longest run in accounts, and the last one in ids and names', () => {
    const texts = [...many(8, (at) => `00${1000 + at}-7`), ...many(2, (at) => `${1000 + at}-7`)];
    expect(reported('account', texts)).toHaveLength(1);
    expect(reported('id', texts)).toEqual([]);
    expect(reported('name', texts)).toEqual([]);
  });

  test('that count up are no reason for a warning', () => {
    const spread = many(27, (at) => `${1 + (at % 9)}${100_000 + at}`);
    expect(reported('name', [...spread, '12345', '54321'])).toEqual([
      'a.csv:29 warning leading_zeros_lost reference 27 of 7 digits, 2 of 5 digits, 2',
    ]);
    // An id may be of any length.
    expect(reported('id', ['T1', ...spread.map((text) => `T${text}`)])).toEqual([]);
    const sixFirst = many(27, (at) => `${1 + (at % 6)}${100_000 + at}`);
    expect(reported('name', [...sixFirst, '12345', '54321'])).toEqual([]);
    const seven = many(27, (at) => `${1 + (at % 7)}${10_000 + at}`);
    expect(reported('name', [...seven, '1234'])).toHaveLength(1);
    const short = many(27, (at) => `${1 + (at % 9)}${1_000 + at}`);
    expect(reported('name', [...short, '123'])).toEqual([]);
  });

  test('have no forms when there are too many', () => {
    const forms = (count: number) => many(count, (at) => `${String.fromCharCode(0x4e00 + at)}1`);
    const odd = [...many(8, whole), ...many(2, part)];
    expect(reported('name', [...odd, ...forms(199)])).toHaveLength(1);
    expect(reported('name', [...odd, ...forms(200)])).toEqual([]);
  });
});

const first = (line: number, source = 1) => ({ source, line });
test('tallies together have the first of all lines', () => {
  const tallies = [
    { count: 2, first: first(9) },
    { count: 3, first: first(4) },
    { count: 4, first: first(1, 2) },
  ];
  expect(togetherOf(tallies)).toEqual({ count: 9, first: first(4) });
});
