const LF = 0x0a;
const CR = 0x0d;

/** Leaves out the first lines of a text, however it is cut into parts. */
export class Preamble {
  /** Length of what was left out, in UTF-8. */
  bytes = 0;
  private missing: number;
  private afterCr = false;

  constructor(lines: number) {
    this.missing = lines;
  }

  /** What is not preamble of the next part. */
  cut(utf8: Buffer): Buffer {
    let at = 0;
    // The LF of a CRLF belongs to the line that its CR ended.
    while (at < utf8.length && (this.missing > 0 || (this.afterCr && utf8[at] === LF))) {
      const byte = utf8[at]!;
      if (byte === CR || (byte === LF && !this.afterCr)) this.missing--;
      this.afterCr = byte === CR;
      at++;
    }
    if (at < utf8.length) this.afterCr = false;
    this.bytes += at;
    return utf8.subarray(at);
  }
}
