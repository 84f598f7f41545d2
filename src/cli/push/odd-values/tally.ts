import type { Tally as TallyOf } from '../../../core/values/counts.ts';
import type { SourceLine } from '../ports/staging.ts';
import type { Problem } from '../../../core/problem.ts';
import type { SeenRecord } from '../staged-file.ts';

/** How often something occurs, and the first record that shows it, while they are counted. */
export type Tally = TallyOf<SourceLine>;

/** Two tallies as one, with the first of their lines. */
export function joined(one: Readonly<Tally> | undefined, other: Readonly<Tally>): Tally {
  if (!one) return { ...other };
  const isLater = (one.first.source - other.first.source || one.first.line - other.first.line) > 0;
  return { count: one.count + other.count, first: isLater ? other.first : one.first };
}

export const togetherOf = (tallies: readonly Readonly<Tally>[]): Tally =>
  tallies.slice(1).reduce<Tally>(joined, { ...tallies[0]! });

/** Adds the tally of a key. */
export function joinIn<K>(tallies: Map<K, Tally>, key: K, tally: Readonly<Tally>): void {
  tallies.set(key, joined(tallies.get(key), tally));
}

/** Something that looks wrong, and the first record that shows it. */
export type Suspicion = readonly [problem: Problem, first: SourceLine];

/** Looks for something odd about the values of one field that only shows over all records. Its memory is bounded. */
export interface Oddity {
  /** Sees a value that is not empty. */
  see(value: unknown, record: SeenRecord): void;
  /** What was found at the field, once every record was seen. */
  found(field: string): Iterable<Suspicion>;
}
