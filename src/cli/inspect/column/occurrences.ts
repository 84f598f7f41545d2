/** Lines of something that are remembered. */
const REMEMBERED = 3;

/** How often something was seen, and on which lines first. Lines are physical and count from 1. */
export class Occurrences {
  count = 0;
  readonly lines: number[] = [];

  add(line: number): void {
    this.count++;
    if (this.lines.length < REMEMBERED && this.lines.at(-1) !== line) this.lines.push(line);
  }
}

/** Counts by name. The number of names that are kept apart is limited. */
export class Tally<Name extends string = string> {
  private readonly counts = new Map<Name, Occurrences>();
  private readonly limit: number;

  constructor(limit = 200) {
    this.limit = limit;
  }

  add(name: Name, line: number): void {
    const known = this.counts.get(name) ?? new Occurrences();
    if (this.counts.size < this.limit) this.counts.set(name, known);
    known.add(line);
  }

  /** Most frequent first; names that are equally frequent in the order in which they were seen. */
  ranked() {
    return [...this.counts]
      .map(([name, { count, lines }]) => ({ name, count, lines }))
      .toSorted((a, b) => b.count - a.count);
  }
}
