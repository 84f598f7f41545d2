/** A change of the seed changes the whole fixture. */
const SEED = 0x2026_0105;

/** A repeatable source of choices. */
export interface Dice {
  /** Both ends included. */
  int(from: number, to: number): number;
  chance(percent: number): boolean;
  pick<T>(list: readonly T[]): T;
  shuffled<T>(list: readonly T[]): T[];
}

/** Dice with a stream of their own for each name, so that one more note does not change every transaction. */
export function diceFor(name: string): Dice {
  const next = mulberry32(SEED ^ fnv1a(name));
  const int = (from: number, to: number): number => from + Math.floor((next() * (to - from + 1)) / 2 ** 32);

  const pick = <T>(list: readonly T[]): T => {
    const item = list[int(0, list.length - 1)];
    if (item === undefined) throw new Error('pick from an empty list');
    return item;
  };

  const shuffled = <T>(list: readonly T[]): T[] => {
    const rest = [...list];
    const result: T[] = [];
    while (rest.length > 0) result.push(...rest.splice(int(0, rest.length - 1), 1));
    return result;
  };

  return { int, chance: (percent) => int(1, 100) <= percent, pick, shuffled };
}

/** Tommy Ettinger's mulberry32: integers only, so every platform draws the same numbers, 0 to 2^32 - 1. */
function mulberry32(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
}

function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (const char of text) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193);
  return hash;
}
