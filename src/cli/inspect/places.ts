/** How many places of something are remembered. */
const REMEMBERED = 3;

/** How often something was seen, and on which lines first. */
export interface Places {
  readonly count: number;
  /** One-based physical lines. */
  readonly lines: readonly number[];
}

/** Counts something and remembers its first lines. */
export class PlaceCount implements Places {
  count = 0;
  readonly lines: number[] = [];

  /** @param times how often it occurs on the line */
  add(line: number, times = 1): void {
    this.count += times;
    if (this.lines.length < REMEMBERED && this.lines.at(-1) !== line) this.lines.push(line);
  }

  result(): Places {
    return { count: this.count, lines: [...this.lines] };
  }
}

/** Counts by name, with an end to how many names are kept apart. */
export class Tally<Name extends string | number = string> {
  readonly counts = new Map<Name, PlaceCount>();
  /** Sightings of names beyond the limit. */
  others = 0;
  private readonly limit: number;

  constructor(limit = 200) {
    this.limit = limit;
  }

  add(name: Name, line: number): void {
    const known = this.counts.get(name);
    if (known) known.add(line);
    else if (this.counts.size >= this.limit) this.others++;
    else {
      const first = new PlaceCount();
      first.add(line);
      this.counts.set(name, first);
    }
  }

  /** Most frequent first; of equals the one seen first. */
  ranked(): { readonly name: Name; readonly count: number; readonly lines: readonly number[] }[] {
    return [...this.counts]
      .map(([name, places]) => ({ name, ...places.result() }))
      .toSorted((a, b) => b.count - a.count);
  }
}
