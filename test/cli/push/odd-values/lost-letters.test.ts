import { describe, expect, test } from 'vitest';
import { TextOddities } from '../../../../src/cli/push/odd-values/text-oddities.ts';
import type { Resource } from '../../../../src/core/contract/resources.ts';
import { oddFile, seenOf } from '../../../support/odd-file.ts';

/** What is reported of the texts of a field, the first of which is on line 2. */
function reported(
  texts: readonly unknown[],
  field = 'body',
  resource: Resource = 'notes',
): readonly string[] {
  const { file, problems } = oddFile(resource);
  const oddities = new TextOddities(resource);
  for (const [at, text] of texts.entries()) oddities.see(seenOf(at + 2, { fields: { [field]: text } }));
  oddities.report(file);
  return problems;
}

/** A text of so many characters; each number gives it another shape. */
const textOf = (length: number, number = 0): string => 'a-'.repeat(number).padEnd(length, 'x');
const cut = (length: number, count: number): readonly string[] =>
  Array.from({ length: count }, (_, at) => textOf(length, at % 9));

const warned = (count: number, records: number, line: number, length = 30): readonly string[] => [
  `a.csv:${line} warning texts_cut body: texts of exactly ${length} characters, the longest of the column, so that ` +
    `they look cut: ${count} of ${records}`,
];

describe('texts of one greatest length', () => {
  test('are reported as cut at the first of them', () => {
    expect(reported([textOf(25), 'short', ...cut(30, 5)])).toEqual(warned(5, 7, 4));
    expect(reported(['', undefined, 5, textOf(25), ...cut(30, 5)])).toEqual(warned(5, 6, 6));
  });

  test.each<readonly [string, readonly string[]]>([
    ['are few', [textOf(25), ...cut(30, 4)]],
    ['have one form, as readings have', [textOf(25), ...Array.from({ length: 9 }, () => textOf(30))]],
    ['are all texts', cut(30, 5)],
    ['are short', ['x', ...cut(19, 5)]],
    ['are a third as often one shorter', [...cut(29, 2), ...cut(30, 5)]],
    ['are a third as often ten shorter', [...cut(20, 2), ...cut(30, 5)]],
  ])('are no sign of a cut when they %s', (_, texts) => {
    expect(reported(texts)).toEqual([]);
  });

  test.each<readonly [string, readonly string[], number]>([
    ['eleven shorter are common', [...cut(19, 9), textOf(25), ...cut(30, 5)], 12],
    ['those below are rare enough', [...cut(29, 2), ...cut(30, 6)], 4],
    ['one has the least length', [textOf(20), ...cut(30, 5)], 3],
  ])('are a sign of a cut when %s', (_, texts, line) => {
    expect(reported(texts)).toEqual(
      warned(texts.filter((text) => text.length === 30).length, texts.length, line),
    );
  });

  test('count from the longest text on', () => {
    expect(reported([...cut(25, 4), ...cut(30, 4)])).toEqual([]);
    expect(reported([...cut(25, 9), textOf(30)])).toEqual([]);
  });

  test('count in each field that people write, and in no name', () => {
    const texts = [textOf(25), ...cut(30, 5)];
    expect(reported(texts, 'note', 'transactions')).toHaveLength(1);
    expect(reported(texts, 'reference', 'transactions')).toEqual([]);
    expect(reported(texts, 'transaction_id', 'transactions')).toEqual([]);
    expect(reported(texts, 'created_at')).toEqual([]);
  });
});

describe('a question mark between letters', () => {
  const lost = (count: number, records: number, line: number): readonly string[] => [
    `a.csv:${line} warning letters_lost body: texts with a question mark in place of a letter, as in M?ller: ` +
      `${count} of ${records}`,
  ];

  test('stands for lost letters in three texts', () => {
    expect(reported(['x', 'M?ller', 'Stra?e', 'Gr??e'])).toEqual([]);
    expect(reported(['x', 'M?ller', 'Stra?e 1', 'die K?che'])).toEqual(lost(3, 4, 3));
  });

  test.each(['what?', '? or', 'A?B', 'x?1', 'https://x.de/?a=b', 'a?b=c', 'a@b?c', 'a?b&c'])(
    'stands for none in %s',
    (text) => {
      expect(reported([text, text, text])).toEqual([]);
    },
  );

  test('stands for one beside an address', () => {
    expect(reported(Array.from({ length: 3 }, () => 'https://x.de/?a=b M?ller'))).toEqual(lost(3, 3, 2));
  });
});
