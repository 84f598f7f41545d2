import { createHash } from 'node:crypto';

/** The different values of a column, exactly, up to a limit. */
export class DistinctValues {
  /** Whether the column has more different values than are kept. */
  isFull = false;
  private readonly kept = new Set<string>();
  private readonly limit: number;

  constructor(limit: number) {
    this.limit = limit;
  }

  get count(): number {
    return this.kept.size;
  }

  /** Keeps a value. @returns whether it is new; false once no more values are kept */
  add(value: string): boolean {
    if (this.isFull) return false;
    const key = keyOf(value);
    if (this.kept.has(key)) return false;
    if (this.kept.size >= this.limit) {
      this.isFull = true;
      return false;
    }
    this.kept.add(key);
    return true;
  }

  /** The values in the order in which they came; undefined when some were too many or too long to be kept. */
  values(): readonly string[] | undefined {
    if (this.isFull || [...this.kept].some((key) => key.startsWith(HASHED))) return undefined;
    return [...this.kept].map((key) => Buffer.from(key, 'latin1').toString('utf8'));
  }
}

const HASHED = '#\0';
const LONGEST_KEPT = 200;

/** A copy of the string. A cell itself would keep the whole piece of the file alive that it was cut from. */
function keyOf(value: string): string {
  if (value.length > LONGEST_KEPT) return HASHED + createHash('sha256').update(value).digest('base64');
  return Buffer.from(value, 'utf8').toString('latin1');
}
