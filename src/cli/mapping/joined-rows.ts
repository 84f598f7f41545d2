import type { SourceRow } from '../csv/source-row.ts';

/** A row of a second file. */
export type JoinedRow = Pick<SourceRow, 'cells'> & { readonly line: number };

/** The rows of a second file, kept until a record asks for them. Memory does not grow with them. */
export interface JoinStore {
  add(key: string, row: JoinedRow): void;
  /** The rows of a key in file order. They count as taken from then on. */
  take(key: string): readonly JoinedRow[];
  /** Whether the rows of a key were taken. False for a key without rows. */
  isTaken(key: string): boolean;
  /** Rows that were never taken, in file order. */
  left(): Iterable<JoinedRow>;
}
