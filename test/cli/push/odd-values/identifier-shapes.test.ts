import fc from 'fast-check';
import { expect, test } from 'vitest';
import { shapeOf } from '../../../../src/cli/push/odd-values/identifier-shapes.ts';
import { anyCharacter } from '../../../support/any-character.ts';

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
