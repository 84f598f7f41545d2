/** A record as it was cut. */
export interface ParsedRecord {
  readonly cells: readonly string[];
  /** Offset in the text. */
  readonly end: number;
  /** Blank lines so far. */
  readonly blankLines: number;
  /** Whether a cell has a line break. */
  readonly hasBreaks: boolean;
  /** The record as it is in the text; only where escapes are other than doubled quotes. */
  readonly raw: string | undefined;
}
