import { describe, expect, test } from 'vitest';
import { byKey, byVariant, inOrder, type Pairing } from '../../../src/cli/comparison/pairing.ts';
import type { SentRecord } from '../../../src/cli/comparison/ports.ts';
import { sentRecord, sourceRecord } from '../../support/compared-record.ts';

/**
 * Rows and records of one key by their variants, such as `x y`; `-` has none. Returns what becomes of each: the kind, and the numbers of the
 * row and of the record.
 */
function pairs(pairing: Pairing<SentRecord>, rows: string, records: string): readonly string[] {
  const side = (text: string, from: number) =>
    text
      .split(' ')
      .flatMap((word, at) => (word === '' ? [] : [{ variant: word === '-' ? '' : word, seq: from + at }]));
  const group = {
    source: side(rows, 1).map((each) => sourceRecord(each)),
    found: side(records, 11).map((each) => sentRecord(each)),
  };
  return [...pairing(group)].map((pair) => {
    if (pair.kind === 'missing') return `missing ${pair.source.seq}`;
    if (pair.kind === 'extra') return `extra ${pair.found.seq} of ${pair.of?.seq ?? 'none'}`;
    return `${pair.kind} ${pair.source.seq} ${pair.found.seq}`;
  });
}

describe('a run has each row once', () => {
  test.each([
    ['rows and records with the same variant belong together', 'x y', 'y x', ['pair 1 12', 'pair 2 11']],
    ['of equal records each belongs to one row', 'x x', 'x x', ['pair 1 11', 'pair 2 12']],
    ['a row without a record is missing', 'x y', 'x', ['pair 1 11', 'missing 2']],
    [
      'a row with another variant is missing, and its record is left',
      'x',
      'y',
      ['missing 1', 'extra 11 of 1'],
    ],
    ['a record too many repeats the first row', 'x', 'x x', ['pair 1 11', 'extra 12 of 1']],
    ['records without a row have none', '', 'x', ['extra 11 of none']],
  ])('%s', (_says, rows, records, found) => {
    expect(pairs(inOrder, rows, records)).toEqual(found);
  });
});

describe('a platform that keeps a record under its key', () => {
  test.each([
    ['has them in their order, whatever the variant', 'x y', 'p q', ['pair 1 11', 'pair 2 12']],
    ['may lack the last row', 'x y', 'p', ['pair 1 11', 'missing 2']],
    ['may have one too many', 'x', 'p q', ['pair 1 11', 'extra 12 of 1']],
    ['may have records without a row', '', 'p', ['extra 11 of none']],
  ])('%s', (_says, rows, records, found) => {
    expect(pairs(byKey, rows, records)).toEqual(found);
  });
});

describe('a platform that keeps one of several equal records', () => {
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
  ])('%s', (_says, rows, records, found) => {
    expect(pairs(byVariant, rows, records)).toEqual(found);
  });
});
