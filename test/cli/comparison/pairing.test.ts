import { expect, test } from 'vitest';
import { byVariant } from '../../../src/cli/comparison/pairing.ts';
import { comparedRecord } from '../../support/compared-record.ts';

/** Records of one key by their variants, such as `x y`; `-` has none. */
const side = (text: string, from: number) =>
  text.split(' ').flatMap((word, at) => {
    const variant = word === '-' ? '' : word;
    return word === '' ? [] : [comparedRecord({ variant, seq: from + at })];
  });

// What becomes of each: the kind, and the numbers of the row and of the record.
test.each([
  ['has each variant once', 'x y', 'y x', ['pair 1 12', 'pair 2 11']],
  ['takes an equal row for a repetition', 'x x', 'x', ['pair 1 11', 'repeat 2 11']],
  ['gives a row without a variant what the others leave', '- x', 'x y', ['pair 2 11', 'pair 1 12']],
  ['lets a row without a variant repeat another', '- x', 'x', ['pair 2 11', 'repeat 1 11']],
  ['lacks a row of another variant', 'x', 'y', ['missing 1', 'extra 11 of none']],
  ['lacks every row', 'x -', '', ['missing 1', 'missing 2']],
  ['has a record twice that should be there once', 'x', 'x x', ['pair 1 11', 'extra 12 of 1']],
  ['has a record that no row explains', 'x', 'x y', ['pair 1 11', 'extra 12 of none']],
  ['keeps two records when two rows have no variant', '- -', 'x y', ['pair 1 11', 'pair 2 12']],
])('a platform that keeps one of several equal records %s', (_says, rows, records, expected) => {
  const pairs = [...byVariant({ source: side(rows, 1), found: side(records, 11) })].map((pair) => {
    if (pair.kind === 'missing') return `missing ${pair.source.seq}`;
    if (pair.kind === 'extra') return `extra ${pair.found.seq} of ${pair.of?.seq ?? 'none'}`;
    return `${pair.kind} ${pair.source.seq} ${pair.found.seq}`;
  });
  expect(pairs).toEqual(expected);
});
