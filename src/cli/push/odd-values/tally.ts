import { total, type Tally as TallyOf } from '../../../core/values/counts.ts';
import type { SourceLine } from '../ports/staging.ts';

/** How often something occurs, and the first record that shows it, while they are counted. */
export type Tally = TallyOf<SourceLine>;

/** Tallies as one, with the first of their lines. */
export function togetherOf(tallies: readonly Readonly<Tally>[]): Tally {
  const [first] = tallies
    .map((each) => each.first)
    .toSorted((a, b) => a.source - b.source || a.line - b.line);
  return { count: total(tallies, ({ count }) => count), first: first! };
}
