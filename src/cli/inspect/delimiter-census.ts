import { RowCutter } from './row-cutter.ts';
import { PlaceCount, Tally } from './places.ts';
import type { TextLine } from './text-lines.ts';

/** Characters that are tried as delimiters. */
export const DELIMITERS = [',', ';', '\t', '|'] as const;
export type Delimiter = (typeof DELIMITERS)[number];

/** How many rows have how many cells, when cut at one delimiter. */
export interface WidthCount {
  readonly cells: number;
  readonly rows: number;
  /** The first of them, one-based. */
  readonly lines: readonly number[];
}

/** Rows as they come out with one delimiter and one use of quotes. */
export interface Cut {
  readonly delimiter: Delimiter;
  readonly quote: '"' | null;
  readonly rows: number;
  /** Most frequent first. */
  readonly widths: readonly WidthCount[];
  readonly quotedCells: number;
  /** Quotes that do not stand where a quote may. */
  readonly misplacedQuotes: number;
  readonly unclosedQuotes: number;
}

const CODES = DELIMITERS.map((delimiter) => delimiter.charCodeAt(0));
/** A backslash before a quote that does not end its cell. */
const BACKSLASH_QUOTE = /\\"(?=[^",;\t|]|"(?:[,;\t|]|$))/g;

/** Cuts every line in every way that is tried, and counts cells. */
export class DelimiterCensus {
  readonly backslashQuotes = new PlaceCount();
  readonly doubledQuotes = new PlaceCount();
  private readonly plain = DELIMITERS.map(() => new Tally<number>());
  private readonly quoted: {
    readonly cutter: RowCutter;
    readonly widths: Tally<number>;
    isOpen: boolean;
  }[] = DELIMITERS.map((delimiter) => ({
    cutter: new RowCutter({ delimiter, quote: '"', escape: '"' }),
    widths: new Tally<number>(),
    isOpen: false,
  }));
  private lastLine = 0;

  accept(line: TextLine): void {
    const { text, number } = line;
    this.lastLine = number;
    const hasQuote = text.includes('"');
    if (hasQuote) this.countEscapes(text, number);
    const counts = text === '' ? null : delimitersIn(text);
    DELIMITERS.forEach((_, at) => {
      const way = this.quoted[at]!;
      if (counts) this.plain[at]!.add(counts[at]! + 1, number);
      if (!hasQuote && !way.isOpen) {
        if (counts) way.widths.add(counts[at]! + 1, number);
        return;
      }
      const row = way.cutter.accept(line);
      way.isOpen = row === undefined;
      if (row) way.widths.add(row.cells.length, row.firstLine);
    });
  }

  /** Both uses of quotes for each delimiter. */
  result(): readonly Cut[] {
    return DELIMITERS.flatMap((delimiter, at) => {
      const { cutter, widths } = this.quoted[at]!;
      const last = cutter.end(this.lastLine);
      if (last) widths.add(last.cells.length, last.firstLine);
      const quotes = {
        quotedCells: cutter.quotedCells,
        misplacedQuotes: cutter.bareQuotes.count + cutter.textAfterQuote.count,
        unclosedQuotes: cutter.unclosed.count,
      };
      const none = { quotedCells: 0, misplacedQuotes: 0, unclosedQuotes: 0 };
      return [
        { delimiter, quote: '"' as const, ...widthsOf(widths), ...quotes },
        { delimiter, quote: null, ...widthsOf(this.plain[at]!), ...none },
      ];
    });
  }

  private countEscapes(text: string, line: number): void {
    if (text.includes('\\"')) {
      const found = text.match(BACKSLASH_QUOTE);
      if (found) this.backslashQuotes.add(line, found.length);
    }
    if (/[^",;\t|]""|""[^",;\t|]/.test(text)) this.doubledQuotes.add(line);
  }
}

function delimitersIn(text: string): readonly number[] {
  const counts = [0, 0, 0, 0];
  for (let at = 0; at < text.length; at++) {
    const found = CODES.indexOf(text.charCodeAt(at));
    if (found >= 0) counts[found]!++;
  }
  return counts;
}

function widthsOf(tally: Tally<number>): Pick<Cut, 'rows' | 'widths'> {
  const widths = tally.ranked().map(({ name, count, lines }) => ({ cells: name, rows: count, lines }));
  return { rows: widths.reduce((total, { rows }) => total + rows, 0) + tally.others, widths };
}
