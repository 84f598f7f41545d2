export function total<T>(parts: readonly T[], count: (part: T) => number): number {
  return parts.reduce((all, part) => all + count(part), 0);
}

/** Counts by name, added up name by name, in the order in which the names come first. */
export function addedByName<T extends Readonly<Record<keyof T, number>>>(
  all: readonly T[],
): Record<keyof T, number> {
  const sums: Record<string, number> = {};
  for (const [name, count] of all.flatMap((counts) => Object.entries<number>(counts)))
    sums[name] = (sums[name] ?? 0) + count;
  return sums as Record<keyof T, number>;
}

/** How often something occurs, and where it came first. */
export type Tally<First> = { count: number; readonly first: First };

/** Counts one more. */
export function counted<First>(known: Tally<First> | undefined, first: First): Tally<First> {
  if (!known) return { count: 1, first };
  known.count++;
  return known;
}

/** Counts one more of a key. */
export function countIn<K, First>(tallies: Map<K, Tally<First>>, key: K, first: First): void {
  tallies.set(key, counted(tallies.get(key), first));
}
