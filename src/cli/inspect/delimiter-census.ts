import { RowCutter } from './row-cutter.ts';
import { PlaceCount, Tally } from './places.ts';
import type { TextLine } from './text-lines.ts';

/** How many rows have how many cells, when cut at one delimiter. */
export interface WidthCount {
  readonly cells: number;
  readonly rows: number;
  /** The first of them, one-based. */
  readonly lines: readonly number[];
}

/** Rows as they come out with one delimiter and one use of quotes. */
export interface Cut {
  readonly delimiter: string;
  readonly quote: '"' | null;
  readonly rows: number;
  /** Most frequent first. */
  readonly widths: readonly WidthCount[];
  readonly quotedCells: number;
  /** Quotes that do not stand where a quote may. */
  readonly misplacedQuotes: number;
  readonly unclosedQuotes: number;
}

/** The rows of one delimiter. */
interface Way {
  /** Widths when no quote is one. */
  readonly plain: Tally<number>;
  readonly cutter: RowCutter;
  readonly quoted: Tally<number>;
  isOpen: boolean;
}

/** Cuts every line in every way that is tried, and counts cells. */
export class DelimiterCensus {
  readonly backslashQuotes = new PlaceCount();
  readonly doubledQuotes = new PlaceCount();
  private readonly delimiters: readonly string[];
  private readonly ways: readonly Way[];
  private readonly codes: readonly number[];
  private readonly escapes: { readonly backslash: RegExp; readonly doubled: RegExp };
  private lastLine = 0;

  /** @param delimiters those that are tried */
  constructor(delimiters: readonly string[]) {
    this.delimiters = delimiters;
    this.codes = delimiters.map((delimiter) => delimiter.charCodeAt(0));
    this.ways = delimiters.map((delimiter) => ({
      plain: new Tally<number>(),
      cutter: new RowCutter({ delimiter, quote: '"', escape: '"' }),
      quoted: new Tally<number>(),
      isOpen: false,
    }));
    const any = delimiters
      .map((delimiter) => `\\u${delimiter.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join('');
    this.escapes = {
      // A backslash before a quote that does not end its cell.
      backslash: new RegExp(`\\\\"(?=[^"${any}]|"(?:[${any}]|$))`, 'g'),
      doubled: new RegExp(`[^"${any}]""|""[^"${any}]`),
    };
  }

  accept(line: TextLine): void {
    const { text, number } = line;
    this.lastLine = number;
    const hasQuote = text.includes('"');
    if (hasQuote) this.countEscapes(text, number);
    const counts = text === '' ? null : this.delimitersIn(text);
    this.ways.forEach((way, at) => {
      if (counts) way.plain.add(counts[at]! + 1, number);
      if (!hasQuote && !way.isOpen) {
        if (counts) way.quoted.add(counts[at]! + 1, number);
        return;
      }
      const row = way.cutter.accept(line);
      way.isOpen = row === undefined;
      if (row) way.quoted.add(row.cells.length, row.firstLine);
    });
  }

  /** Both uses of quotes for each delimiter. */
  result(): readonly Cut[] {
    return this.delimiters.flatMap((delimiter, at) => {
      const { cutter, quoted, plain } = this.ways[at]!;
      const last = cutter.end(this.lastLine);
      if (last) quoted.add(last.cells.length, last.firstLine);
      const quotes = {
        quotedCells: cutter.quotedCells,
        misplacedQuotes: cutter.bareQuotes.count + cutter.textAfterQuote.count,
        unclosedQuotes: cutter.unclosed.count,
      };
      const none = { quotedCells: 0, misplacedQuotes: 0, unclosedQuotes: 0 };
      return [
        { delimiter, quote: '"' as const, ...widthsOf(quoted), ...quotes },
        { delimiter, quote: null, ...widthsOf(plain), ...none },
      ];
    });
  }

  private countEscapes(text: string, line: number): void {
    if (text.includes('\\"')) {
      const found = text.match(this.escapes.backslash);
      if (found) this.backslashQuotes.add(line, found.length);
    }
    if (this.escapes.doubled.test(text)) this.doubledQuotes.add(line);
  }

  private delimitersIn(text: string): readonly number[] {
    const counts = this.codes.map(() => 0);
    for (let at = 0; at < text.length; at++) {
      const found = this.codes.indexOf(text.charCodeAt(at));
      if (found >= 0) counts[found]!++;
    }
    return counts;
  }
}

function widthsOf(tally: Tally<number>): Pick<Cut, 'rows' | 'widths'> {
  const widths = tally.ranked().map(({ name, count, lines }) => ({ cells: name, rows: count, lines }));
  return { rows: widths.reduce((total, { rows }) => total + rows, 0) + tally.others, widths };
}
