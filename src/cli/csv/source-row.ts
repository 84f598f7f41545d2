/** One record of a CSV file as it stands in the file. */
export interface SourceRow {
  /** Physical lines, one-based; a cell with line breaks makes them differ. */
  readonly firstLine: number;
  readonly lastLine: number;
  /** Bytes of the file from `byteStart` up to but not including `byteEnd`, with its line break and the blank lines before it. */
  readonly byteStart: number;
  readonly byteEnd: number;
  readonly cells: readonly string[];
  /** The file ends behind the last cell, without a line break: too few cells mean that it was cut off. */
  readonly endsAtEof?: boolean;
}

/** What a file was when it was read; two files with the same hash have the same content, whatever their names. */
export interface SourceFingerprint {
  readonly bytes: number;
  /** Lower-case hexadecimal. */
  readonly sha256: string;
}
