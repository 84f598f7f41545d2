import type { WidthCount } from '../inspection.ts';
import { OccurrenceCount, Tally } from '../column/occurrences.ts';
import { RowCutter } from './row-cutter.ts';
import type { TextLine } from '../bytes/text-lines.ts';

/** Characters that are tried on every file. Of equally good ones the first is believed. */
export const USUAL_DELIMITERS = [',', ';', '\t', '|'];
// Characters of dates, numbers, names and quotes are left out: points, minus signs, apostrophes, brackets, underscores.
const UNUSUAL = '~^:#!*&%@$=+/\\<>?`'.split('');
/** Lines in which unusual delimiters are looked for. */
const LINES = 200;

/** The delimiters to try: the usual ones, and others that occur equally often on most of the first lines. */
export function delimiterCandidates(head: readonly TextLine[]): readonly string[] {
  const texts = head
    .slice(0, LINES)
    .map(({ text }) => text)
    .filter((text) => text !== '');
  return [...USUAL_DELIMITERS, ...UNUSUAL.filter((character) => isRegular(character, texts))];
}

function isRegular(character: string, texts: readonly string[]): boolean {
  const lines = new Map<number, number>();
  for (const text of texts) {
    const times = text.split(character).length - 1;
    if (times > 0) lines.set(times, (lines.get(times) ?? 0) + 1);
  }
  return Math.max(0, ...lines.values()) * 3 > texts.length * 2;
}

/** The rows of a file with one delimiter and one use of quotes. */
export interface Cut {
  readonly delimiter: string;
  readonly quote: '"' | null;
  readonly rows: number;
  /** Most frequent first. */
  readonly widths: readonly WidthCount[];
  readonly quotedCells: number;
  /** Quotes where a quote may not be. */
  readonly misplacedQuotes: number;
  readonly unclosedQuotes: number;
  /** The same of the rows with each number of cells. */
  readonly quotesByWidth: ReadonlyMap<number, QuoteCount>;
}

/** Cells in quotes, and quotes that are misplaced or never closed. */
export type QuoteCount = { readonly quoted: number; readonly spoiled: number };

/** The rows of a file with each of several delimiters. */
export interface DelimiterProfile {
  /** Both uses of quotes for each delimiter. */
  readonly cuts: readonly Cut[];
  readonly backslashQuotes: number;
  readonly doubledQuotes: number;
}

interface DelimiterCount {
  /** Widths of rows when quotes are part of the values. */
  readonly plain: Tally<number>;
  readonly cutter: RowCutter;
  readonly quoted: Tally<number>;
  readonly quotesByWidth: Map<number, QuoteCount>;
  /** All quotes up to the last row. */
  before: QuoteCount;
}

/** Cuts every line with every delimiter, and counts cells. */
export class DelimiterCounter {
  private readonly backslashQuotes = new OccurrenceCount();
  private readonly doubledQuotes = new OccurrenceCount();
  private readonly delimiters: readonly string[];
  private readonly counts: readonly DelimiterCount[];
  private readonly codes: readonly number[];
  private readonly escapes: { backslash: RegExp; doubled: RegExp };
  private lastLine = 0;

  /** @param delimiters those that are tried */
  constructor(delimiters: readonly string[]) {
    this.delimiters = delimiters;
    this.codes = delimiters.map((delimiter) => delimiter.charCodeAt(0));
    this.counts = delimiters.map((delimiter) => ({
      plain: new Tally<number>(),
      cutter: new RowCutter({ delimiter, quote: '"', escape: '"' }),
      quoted: new Tally<number>(),
      quotesByWidth: new Map<number, QuoteCount>(),
      before: { quoted: 0, spoiled: 0 },
    }));
    const any = this.codes.map((code) => `\\u${code.toString(16).padStart(4, '0')}`).join('');
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
    const found = text === '' ? null : this.delimitersIn(text);
    this.counts.forEach((count, at) => {
      if (found) count.plain.add(found[at]! + 1, number);
      if (!hasQuote && !count.cutter.isOpen) {
        if (found) count.quoted.add(found[at]! + 1, number);
        return;
      }
      const row = count.cutter.accept(line);
      if (!row) return;
      count.quoted.add(row.cells.length, row.firstLine);
      countQuotes(count, row.cells.length);
    });
  }

  result(): DelimiterProfile {
    const cuts = this.delimiters.flatMap((delimiter, at): readonly Cut[] => {
      const count = this.counts[at]!;
      const { cutter, quoted, plain, quotesByWidth } = count;
      const last = cutter.end(this.lastLine);
      if (last) {
        quoted.add(last.cells.length, last.firstLine);
        countQuotes(count, last.cells.length);
      }
      const quotes = {
        quotedCells: cutter.quotedCells,
        misplacedQuotes: cutter.bareQuotes.count + cutter.textAfterQuote.count,
        unclosedQuotes: cutter.unclosed.count,
        quotesByWidth,
      };
      const none = { quotedCells: 0, misplacedQuotes: 0, unclosedQuotes: 0, quotesByWidth: new Map() };
      return [
        { delimiter, quote: '"', ...widthsOf(quoted), ...quotes },
        { delimiter, quote: null, ...widthsOf(plain), ...none },
      ];
    });
    return { cuts, backslashQuotes: this.backslashQuotes.count, doubledQuotes: this.doubledQuotes.count };
  }

  private countEscapes(text: string, line: number): void {
    if (text.includes('\\"')) {
      const found = text.match(this.escapes.backslash);
      if (found) this.backslashQuotes.add(line, found.length);
    }
    if (this.escapes.doubled.test(text)) this.doubledQuotes.add(line);
  }

  private delimitersIn(text: string): readonly number[] {
    const found = this.codes.map(() => 0);
    for (let at = 0; at < text.length; at++) {
      const index = this.codes.indexOf(text.charCodeAt(at));
      if (index >= 0) found[index]!++;
    }
    return found;
  }
}

/** Counts the quotes since the last row for rows of a width. */
function countQuotes(count: DelimiterCount, width: number): void {
  const { cutter, before, quotesByWidth } = count;
  const spoiled = cutter.bareQuotes.count + cutter.textAfterQuote.count + cutter.unclosed.count;
  const known = quotesByWidth.get(width) ?? { quoted: 0, spoiled: 0 };
  quotesByWidth.set(width, {
    quoted: known.quoted + cutter.quotedCells - before.quoted,
    spoiled: known.spoiled + spoiled - before.spoiled,
  });
  count.before = { quoted: cutter.quotedCells, spoiled };
}

function widthsOf(tally: Tally<number>): Pick<Cut, 'rows' | 'widths'> {
  const widths = tally.ranked().map(({ name, count, lines }) => ({ cells: name, rows: count, lines }));
  return { rows: widths.reduce((total, { rows }) => total + rows, 0) + tally.others, widths };
}
