import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { IdentifierShapes, shapeOf } from '../../../../src/cli/push/odd-values/identifier-shapes.ts';
import type { Resource } from '../../../../src/core/contract/resources.ts';
import { anyCharacter } from '../../../support/any-character.ts';
import { countedOf, oddFile, seenOf } from '../../../support/odd-file.ts';

/** The definition, as regular expressions. */
function defined(text: string): string {
  return text
    .replaceAll(/\p{Nd}+/gu, '9')
    .replaceAll(/\p{Lu}+/gu, 'A')
    .replaceAll(/[^\P{L}A]+/gu, 'a');
}

test.each([
  ['417', '9'],
  ['SAP-0031', 'A-9'],
  ['aB1_22/é', 'aA9_9/a'],
  ['', ''],
])('the shape of %j is %j', (text, shape) => {
  expect(shapeOf(text)).toBe(shape);
});

test('the shape of a text is that of the definition, whatever its characters', () => {
  for (const unit of ['grapheme-ascii', 'grapheme', anyCharacter] as const)
    fc.assert(
      fc.property(fc.string({ unit }), (text) => {
        expect(shapeOf(text)).toBe(defined(text));
      }),
    );
});

describe('identifiers of one field', () => {
  interface Seen {
    readonly account?: string;
    readonly record?: object;
  }
  /** What is reported of records of transactions, the first of which is on line 2. */
  function reported(all: readonly Seen[], resource: Resource = 'transactions'): readonly string[] {
    const { file, problems } = oddFile(resource);
    const shapes = new IdentifierShapes(resource);
    const known = new Set<string>();
    for (const [at, { account = '', record = {} }] of all.entries()) {
      const counted = countedOf(account);
      shapes.see(seenOf(at + 2, { counted, fields: { ...record }, isFirst: !known.has(account) }));
      known.add(account);
    }
    shapes.report(file);
    return problems;
  }
  const many = <T>(count: number, make: (at: number) => T): T[] =>
    Array.from({ length: count }, (_, at) => make(at));
  const accounts = (...all: readonly string[]): Seen[] => all.map((account) => ({ account }));
  const ids = (...all: readonly unknown[]): Seen[] =>
    all.map((transaction_id) => ({ record: { transaction_id } }));
  const shaped = (line: number, field: string, words: string): readonly string[] => [
    `a.csv:${line} warning identifier_shape_differs ${field}: ${words}; 9 stands for digits, A for letters`,
  ];
  const usual = (count: number) => many(count, (at) => `A-${100 + at}`);

  test('of one in a hundred are reported at the first, with the three most frequent shapes', () => {
    const odd = ['b-b', 'a+1', '1:1', '1;1', 'b-b'];
    expect(reported(accounts(...usual(3), ...odd, ...usual(497)))).toEqual(
      shaped(
        5,
        'external_account_number',
        '5 of 505 have another shape (`a-a`, `a+9`, `9:9`) than all others (`A-9`)',
      ),
    );
  });

  test('that are names may be words, and shortened numbers have a warning of their own', () => {
    const words = [...many(49, () => 'word'), 'X/7'].map((reference) => ({ record: { reference } }));
    expect(reported(words)).toEqual([]);
    const some = [...many(30, () => 'word'), ...usual(30), 'X/7'].map((reference) => ({
      record: { reference },
    }));
    expect(reported(some)).toEqual([]);
    const shortened = [...usual(50), '3.1E+11'].map((reference) => ({ record: { reference } }));
    expect(reported(shortened)).toEqual([]);
    expect(reported(accounts(...usual(50), '3.1E+11'))).toHaveLength(1);
  });

  test('of which some have lost their zeros are reported: ids, names, and each account once', () => {
    const numbers = [...many(8, (at) => `T-00${1000 + at}`), 'T-1001', 'T-1002'];
    const codes = (all: readonly Seen[]) =>
      reported(all).map((problem) => problem.split(' ').slice(0, 4).join(' '));
    expect(codes(ids(...numbers))).toEqual(['a.csv:10 warning leading_zeros_lost transaction_id:']);
    expect(codes(numbers.map((reference) => ({ record: { reference } })))).toEqual([
      'a.csv:10 warning leading_zeros_lost reference:',
    ]);
    expect(codes(accounts(...numbers))).toEqual([
      'a.csv:10 warning leading_zeros_lost external_account_number:',
    ]);
    expect(codes(accounts(...numbers.slice(1), 'T-1001'))).toEqual([]);
  });

  describe('that are written as numbers', () => {
    const written = (line: number, field: string, words: string): readonly string[] => [
      `a.csv:${line} error identifiers_written_as_numbers ${field}: ${words}, as a program writes numbers`,
    ];
    const POINT = 'end in .0';
    const MARKS = 'have marks between thousands, and others have none';

    test.each<readonly [string, readonly string[], number, string]>([
      ['all decimals', ['7001.0', '7002.0'], 2, `2 of 2 ${POINT}`],
      ['some decimals', ['7001', 'x', '7002.0'], 4, `1 of 3 ${POINT}`],
      ['points between thousands', ['10.231', '9998', '1.234.567'], 2, `2 of 3 ${MARKS}`],
      ['commas between thousands', ['9998', '10,231'], 3, `1 of 2 ${MARKS}`],
    ])('are errors: %s', (_, all, line, words) => {
      expect(reported(accounts(...all))).toEqual(written(line, 'external_account_number', words));
      expect(reported(ids(...all))).toEqual(written(line, 'transaction_id', words));
    });

    test.each<readonly [string, readonly string[]]>([
      ['a single record', ['7001.0']],
      ['another decimal beside them', ['7001.0', '7002.5', '7']],
      ['parts of accounts', ['7001.0', '12.1.3']],
      ['two forms', ['7001.0', '10.231', '9998']],
      ['marks in all of them', ['10.231', '1.234']],
      ['no long number without marks', ['10.231', '999']],
      ['a long text beside them', ['10.231', 'A9998']],
      ['marks at other places', ['10.23', '9998']],
      ['two kinds of marks', ['1.234,567', '9998']],
      ['a zero before them', ['012.345', '9998']],
    ])('are none with %s', (_, all) => {
      expect(reported(accounts(...all))).toEqual([]);
    });

    test('are no names', () => {
      expect(reported(['7001.0', '7002.0'].map((reference) => ({ record: { reference } })))).toEqual([]);
    });
  });
});
