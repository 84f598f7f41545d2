import { total } from '../../../core/values/counts.ts';
import type { SourceLine } from '../ports/staging.ts';

/** How often something occurs, and the first record that shows it, while they are counted. */
export type Tally = { count: number; readonly first: SourceLine };

/** Counts one more record. */
export function counted(known: Tally | undefined, first: SourceLine): Tally {
  if (!known) return { count: 1, first };
  known.count++;
  return known;
}

/** Counts one more record of a key. */
export function countIn<K>(tallies: Map<K, Tally>, key: K, first: SourceLine): void {
  const known = tallies.get(key);
  if (known) known.count++;
  else tallies.set(key, { count: 1, first });
}

/** Tallies as one, with the first of their lines. */
export function togetherOf(tallies: readonly Readonly<Tally>[]): Tally {
  const [first] = tallies
    .map((each) => each.first)
    .toSorted((a, b) => a.source - b.source || a.line - b.line);
  return { count: total(tallies, ({ count }) => count), first: first! };
}
