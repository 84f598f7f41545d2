/** A row of a second file. */
export interface JoinedRow {
  readonly line: number;
  readonly cells: readonly string[];
}

/** Where the rows of a second file wait for the records that they belong to; memory does not grow with them. */
export interface JoinStore {
  add(key: string, row: JoinedRow): void;
  /** The rows of a key in their order; they count as taken from then on. */
  take(key: string): readonly JoinedRow[];
  /** Rows that were never taken, in their order. */
  left(): Iterable<JoinedRow>;
}
