import { failure, type Problem } from '../../core/problem.ts';

/** Rows of another number of cells that make a kind of record and no slip, and the share of all rows that they have together. */
const LEAST = 5;
const SHARE = 0.1;

/** More numbers of cells than this are no kinds of records. */
const MOST_KINDS = 6;

/** Rows whose numbers of cells differ from that of the header, as in files with several kinds of records. */
export class RecordKinds {
  private readonly counts = new Map<number, number>();
  private rows = 0;
  private firstLine = 0;

  see(cells: number, columns: number, line: number): void {
    this.rows++;
    if (cells === columns) return;
    if (this.counts.size === 0) this.firstLine = line;
    this.counts.set(cells, (this.counts.get(cells) ?? 0) + 1);
  }

  /** The problem of the file, at the line of the first of the rows. `than`: the row with so many columns, if it is no header. */
  problem(columns: number, than?: string): { problem: Problem; line: number } | undefined {
    const kinds = [...this.counts].filter(([, count]) => count >= LEAST).toSorted(([a], [b]) => a - b);
    const count = kinds.reduce((sum, [, each]) => sum + each, 0);
    if (kinds.length === 0 || kinds.length > MOST_KINDS || count < this.rows * SHARE) return undefined;
    const found = kinds.map(([cells, each]) => `${each} have ${cells}`).join(', ');
    return {
      problem: failure('record_kinds_mixed', [], { columns, found, ...(than !== undefined && { than }) }),
      line: this.firstLine,
    };
  }
}
