import { OccurrenceCount } from '../column/occurrences.ts';
import type { TextLine } from '../bytes/text-lines.ts';

export interface RowShape {
  readonly delimiter: string;
  /** Null when no cell is quoted. */
  readonly quote: string | null;
  /** The character before a quote inside quotes; the quote itself when it is doubled. */
  readonly escape: string | null;
}

/** A row of an inspection, which may not be a valid row. */
export interface LooseRow {
  readonly cells: readonly string[];
  readonly firstLine: number;
  readonly lastLine: number;
  /** Whether the line is empty. */
  readonly isBlank: boolean;
}

/** A longer quoted cell was most likely never closed. Rows are then cut at line ends again. */
const MAX_QUOTED_LENGTH = 1024 * 1024;

/**
 * Cuts lines into rows and cells, and goes on where the strict reader of a push would stop, because an inspection finds out what a file is.
 */
export class RowCutter {
  /** Cells in quotes. */
  quotedCells = 0;
  readonly bareQuotes = new OccurrenceCount();
  readonly textAfterQuote = new OccurrenceCount();
  /** Cells whose quote was never closed. */
  readonly unclosed = new OccurrenceCount();
  readonly lineEndsInQuotes = new OccurrenceCount();
  private readonly shape: RowShape;
  private cells: string[] = [];
  private open: { parts: string[]; length: number } | undefined;
  private firstLine = 0;

  constructor(shape: RowShape) {
    this.shape = shape;
  }

  /** Whether a quoted cell goes on on the next line. */
  get isOpen(): boolean {
    return this.open !== undefined;
  }

  /** The row that ends with the line; undefined when a quoted cell goes on on the next line. */
  accept(line: TextLine): LooseRow | undefined {
    const { delimiter, quote } = this.shape;
    if (!this.open) this.firstLine = line.number;
    if (this.open || (quote !== null && line.text.includes(quote))) this.scan(line);
    else this.cells = line.text.split(delimiter);
    if (this.open && this.open.length <= MAX_QUOTED_LENGTH) return undefined;
    if (this.open) this.giveUp();
    return this.take(line.number);
  }

  /** The row that is still open at the end of the file. */
  end(lastLine: number): LooseRow | undefined {
    if (!this.open) return undefined;
    this.giveUp();
    return this.take(lastLine);
  }

  private take(lastLine: number): LooseRow {
    const { cells, firstLine } = this;
    this.cells = [];
    return { cells, firstLine, lastLine, isBlank: cells.length === 1 && cells[0] === '' };
  }

  private giveUp(): void {
    this.unclosed.add(this.firstLine);
    this.cells.push(this.open!.parts.join(''));
    this.open = undefined;
  }

  private scan({ text, end, number }: TextLine): void {
    let at = 0;
    for (;;) {
      if (!this.open && text[at] === this.shape.quote) {
        this.open = { parts: [], length: 0 };
        this.quotedCells++;
        at++;
      }
      let cell = '';
      if (this.open) {
        const closing = this.scanQuoted(text, at);
        if (closing < 0) {
          this.keep(end);
          if (end !== '') this.lineEndsInQuotes.add(number);
          return;
        }
        cell = this.open.parts.join('');
        this.open = undefined;
        at = closing + 1;
        if (at < text.length && text[at] !== this.shape.delimiter) this.textAfterQuote.add(number);
      }
      const next = text.indexOf(this.shape.delimiter, at);
      const rest = text.slice(at, next < 0 ? undefined : next);
      if (cell === '' && rest.includes(this.shape.quote!)) this.bareQuotes.add(number);
      this.cells.push(cell + rest);
      if (next < 0) return;
      at = next + 1;
    }
  }

  /** Reads the text inside quotes. @returns the position of the closing quote, or -1 */
  private scanQuoted(text: string, from: number): number {
    const quote = this.shape.quote!;
    const isDoubled = this.shape.escape === quote;
    let at = from;
    for (;;) {
      const found = text.indexOf(quote, at);
      if (found < 0) break;
      if (isDoubled && text[found + 1] === quote) {
        this.keep(text.slice(at, found + 1));
        at = found + 2;
      } else if (!isDoubled && found > at && text[found - 1] === this.shape.escape) {
        this.keep(text.slice(at, found - 1) + quote);
        at = found + 1;
      } else {
        this.keep(text.slice(at, found));
        return found;
      }
    }
    this.keep(text.slice(at));
    return -1;
  }

  private keep(text: string): void {
    this.open!.parts.push(text);
    this.open!.length += text.length;
  }
}
