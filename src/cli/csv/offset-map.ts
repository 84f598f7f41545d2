/**
 * The way back from offsets in decoded text (UTF-8) to offsets in the file, for places that only go forward. It keeps
 * places where the two stop running side by side: nothing for plain ASCII, one for each other line.
 */
export class OffsetMap {
  private readonly unit: number;
  private texts: number[] = [0];
  private sources: number[];
  private head = 0;

  /** `unit`: bytes of the file for a character of ASCII; `start`: where in the file the text begins. */
  constructor(unit: number, start: number) {
    this.unit = unit;
    this.sources = [start];
  }

  /** Says that the text up to `text` came from the file up to `source`. */
  mark(text: number, source: number): void {
    const last = this.texts.length - 1;
    if ((text - this.texts[last]!) * this.unit === source - this.sources[last]!) return;
    this.texts.push(text);
    this.sources.push(source);
  }

  /** The offset in the file of a marked place, not before the one asked for last. */
  sourceOf(text: number): number {
    while (this.head + 1 < this.texts.length && this.texts[this.head + 1]! <= text) this.head++;
    if (this.head >= DROP_AT) {
      this.texts = this.texts.slice(this.head);
      this.sources = this.sources.slice(this.head);
      this.head = 0;
    }
    return this.sources[this.head]! + (text - this.texts[this.head]!) * this.unit;
  }
}

/** Places passed before they are let go of. */
const DROP_AT = 4096;
