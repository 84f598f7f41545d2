/** Lines of something that are remembered. */
const REMEMBERED = 3;

/** How often something was seen, and on which lines first. */
export interface Occurrences {
  readonly count: number;
  /** One-based physical lines. */
  readonly lines: readonly number[];
}

/** Counts something and remembers its first lines. */
export class OccurrenceCount implements Occurrences {
  count = 0;
  readonly lines: number[] = [];

  add(line: number): void {
    this.count++;
    if (this.lines.length < REMEMBERED && this.lines.at(-1) !== line) this.lines.push(line);
  }

  copy(): OccurrenceCount {
    const copy = new OccurrenceCount();
    copy.count = this.count;
    copy.lines.push(...this.lines);
    return copy;
  }
}

/** Counts by name. The number of names that are kept apart is limited. */
export class Tally<Name extends string | number = string> {
  private readonly counts = new Map<Name, OccurrenceCount>();
  private readonly limit: number;

  constructor(limit = 200) {
    this.limit = limit;
  }

  add(name: Name, line: number): void {
    const known = this.counts.get(name);
    if (known) known.add(line);
    else if (this.counts.size < this.limit) {
      const first = new OccurrenceCount();
      first.add(line);
      this.counts.set(name, first);
    }
  }

  /** Most frequent first; names that are equally frequent in the order in which they were seen. */
  ranked(): readonly ({ name: Name } & Occurrences)[] {
    return [...this.counts]
      .map(([name, { count, lines }]) => ({ name, count, lines }))
      .toSorted((a, b) => b.count - a.count);
  }
}

/** `1 row`, `2 rows`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
