import { describe, expect, test } from 'vitest';
import { LostLetters } from '../../../../src/cli/push/odd-values/lost-letters.ts';
import type { Resource } from '../../../../src/core/contract/resources.ts';
import { oddFile, seenOf } from '../../../support/odd-file.ts';

/** What is reported of the texts of a field, the first of which is on line 2. */
function reported(
  texts: readonly unknown[],
  field = 'body',
  resource: Resource = 'notes',
): readonly string[] {
  const { file, problems } = oddFile(resource);
  const oddities = new LostLetters(resource);
  for (const [at, text] of texts.entries()) oddities.see(seenOf(at + 2, { fields: { [field]: text } }));
  oddities.report(file);
  return problems;
}

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
