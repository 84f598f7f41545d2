import { describe, expect, test } from 'vitest';
import { HashSet, TextHash } from '../../../../src/cli/push/stage/text-hash.ts';

const halvesOf = ({ low, high }: TextHash): string => `${low} ${high}`;

describe('a hash of texts', () => {
  const hash = new TextHash();

  test('is the same for the same texts, and has two halves of 32 bits', () => {
    const [first, again] = [1, 2].map(() => halvesOf(hash.of('1001').and('T-1')));
    expect(again).toBe(first);
    for (const half of [hash.low, hash.high]) {
      expect(Number.isInteger(half)).toBe(true);
      expect(half).toBeGreaterThanOrEqual(0);
      expect(half).toBeLessThan(2 ** 32);
    }
  });

  test('differs by kind, by order, and by where one text ends', () => {
    const all = [
      hash.of('ab', 1).and('c'),
      () => hash.of('ab', 2).and('c'),
      () => hash.of('c', 1).and('ab'),
      () => hash.of('a', 1).and('bc'),
      () => hash.of('abc', 1),
      () => hash.of('abc', 1).and(''),
      () => hash.of('', 1).and('abc'),
    ].map((made) => halvesOf(typeof made === 'function' ? made() : made));
    expect(new Set(all).size).toBe(all.length);
  });

  test('differs in both halves for texts that differ in one character', () => {
    const [lows, highs] = [new Set<number>(), new Set<number>()];
    for (let number = 0; number < 20_000; number++) {
      hash.of(`NW${number}`);
      lows.add(hash.low);
      highs.add(hash.high);
    }
    // Of 20,000 random numbers of 32 bits less than one is equal to another.
    expect(Math.min(lows.size, highs.size)).toBeGreaterThan(19_990);
  });
});

describe('a set of hashes', () => {
  test('knows every hash again, however many they are', () => {
    const set = new HashSet();
    // Many have the same place, and some halves are zero.
    const all = Array.from({ length: 3_000 }, (_, index) => ({
      low: index % 60,
      high: Math.floor(index / 60),
    })).slice(1);
    expect(all.filter((each) => !set.add(each))).toEqual([]);
    expect(set.size).toBe(2_999);
    expect(all.filter((each) => set.add(each))).toEqual([]);
    expect(set.size).toBe(2_999);
  });

  test('keeps a hash of zeros at the place of another', () => {
    const set = new HashSet();
    expect([set.add({ low: 0, high: 0 }), set.add({ low: 0, high: 0 })]).toEqual([true, false]);
    expect(set.add({ low: 0, high: 1 })).toBe(true);
    expect(set.add({ low: 1, high: 0 })).toBe(false);
    expect(set.size).toBe(2);
  });
});
