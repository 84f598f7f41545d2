import fc from 'fast-check';
import { expect, test } from 'vitest';
import { OffsetMap } from '../../../src/cli/csv/row-position.ts';

test('text that is as long as its bytes needs no marks', () => {
  const offsets = new OffsetMap(1, 3);
  expect([0, 5, 1_000_000].map((text) => offsets.sourceOf(text))).toEqual([3, 8, 1_000_003]);
});

test('every marked offset leads back to its offset in the file, when asked in order', () => {
  const step = fc.record({
    text: fc.integer({ min: 1, max: 9 }),
    source: fc.integer({ min: 1, max: 9 }),
    asked: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), fc.constantFrom(1, 2), (steps, unit) => {
      const offsets = new OffsetMap(unit, 2);
      let [text, source] = [0, 2];
      const marks = steps.map((each) => ({
        ...each,
        text: (text += each.text),
        source: (source += each.source),
      }));
      for (const mark of marks) offsets.mark(mark.text, mark.source);
      for (const mark of marks.filter(({ asked }) => asked))
        expect(offsets.sourceOf(mark.text)).toBe(mark.source);
    }),
  );
});

test('offsets that were passed are dropped in the middle of a long file, and the others stay right', () => {
  const offsets = new OffsetMap(1, 0);
  for (let line = 1; line <= 50_000; line++) offsets.mark(line * 3, line * 2);
  for (let line = 1; line <= 50_000; line++) expect(offsets.sourceOf(line * 3)).toBe(line * 2);
});
