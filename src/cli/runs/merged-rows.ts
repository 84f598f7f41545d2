import { AppError } from '../../core/app-error.ts';
import {
  LEFT_OUT_KINDS,
  NO_ROWS,
  type LeftOut,
  type LeftOutKind,
  type RowCounts,
} from '../push/ports/report.ts';
import type { Reading } from '../journal/reading.ts';
import type { RowEnd } from '../journal/read/reporting.ts';

/** Rows that there is room for at first. The room doubles. */
const FIRST_ROWS = 65_536;

/** The end of a row that no shard has taken so far. */
const NOWHERE = 0;

/**
 * The rows of all shards, each counted once. A row belongs to the shard that has not left it out for another one. Every shard
 * reads every row, so rows that are left out by the mapping have the same end in all. An invalid row is in its own shard, or in
 * all of them when its account number cannot be read.
 */
export class MergedRows {
  private readonly ends: RowEnd[] = [];
  private readonly numbers = new Map<string, number>();
  /** By row: the number of its end, from 1, and how many shards have it. Six bytes for a row, because a file may have many. */
  private rows = new Uint16Array(FIRST_ROWS);
  private shards = new Uint32Array(FIRST_ROWS);
  private read = 0;
  private count = 0;

  /** Adds the rows of a shard. @throws AppError `totals_unequal` when another shard has one of them, too */
  add(run: Reading): void {
    this.count++;
    let row = 0;
    for (const end of run.rowEnds()) {
      const at = row++;
      this.makeRoomFor(row);
      if (end.kind === 'shard') continue;
      const number = this.numberOf(end);
      const earlier = this.rows[at]!;
      if (earlier !== NOWHERE && (earlier !== number || !isOfAll(end)))
        throw this.unequal(at, `is in ${run.header.id} and in another shard`);
      this.rows[at] = number;
      this.shards[at]!++;
    }
  }

  /** @throws AppError `totals_unequal` when a row is in no shard, or in some of them only */
  counts(): { rows: RowCounts; leftOut: readonly LeftOut[] } {
    const tally = this.ends.map(() => 0);
    for (let at = 0; at < this.read; at++) {
      const number = this.rows[at]!;
      if (number === NOWHERE) throw this.unequal(at, 'is in no shard');
      // A row without an account number is in all shards. Every other row, valid or not, is in its own shard alone.
      if (this.shards[at] !== 1 && this.shards[at] !== this.count)
        throw this.unequal(at, `is in ${this.shards[at]} of ${this.count} shards`);
      tally[number - 1]!++;
    }
    const rows = { ...NO_ROWS, read: this.read };
    const leftOut: LeftOut[] = [];
    for (const [index, { end, kind, place }] of this.ends.entries()) {
      rows[end] += tally[index]!;
      if (kind !== null) leftOut.push({ kind, place: place ?? '', count: tally[index]! });
    }
    return { rows, leftOut: leftOut.toSorted((a, b) => orderOf(a) - orderOf(b)) };
  }

  private makeRoomFor(rows: number): void {
    if (rows > this.read) this.read = rows;
    if (rows <= this.rows.length) return;
    const [ends, shards] = [new Uint16Array(this.rows.length * 2), new Uint32Array(this.rows.length * 2)];
    ends.set(this.rows);
    shards.set(this.shards);
    [this.rows, this.shards] = [ends, shards];
  }

  private numberOf(end: RowEnd): number {
    const key = `${end.end} ${end.kind} ${end.place}`;
    const known = this.numbers.get(key);
    if (known !== undefined) return known;
    this.ends.push(end);
    this.numbers.set(key, this.ends.length);
    return this.ends.length;
  }

  private unequal(at: number, detail: string): AppError {
    return new AppError('totals_unequal', { what: 'the shards', detail: `row ${at + 1} ${detail}` });
  }
}

/** Ends that a row may have in every shard. */
function isOfAll({ end }: RowEnd): boolean {
  return end === 'invalid' || end === 'filtered';
}

const orderOf = ({ kind }: { kind: LeftOutKind }): number => LEFT_OUT_KINDS.indexOf(kind);
