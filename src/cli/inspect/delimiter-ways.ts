import { counted } from './counted.ts';
import { USUAL_DELIMITERS } from './delimiter-candidates.ts';
import type { Cut } from './delimiter-census.ts';
import type { Certainty } from './encoding-finding.ts';
import { headerRow, type HeaderRow } from './header-row.ts';
import { numberShape } from './number-shape.ts';
import { RowCutter, type LooseRow, type RowShape } from './row-cutter.ts';
import type { TextCensus } from './text-census.ts';
import type { TextLine } from './text-lines.ts';

/** What the layout is found from. */
export interface LayoutFindings {
  /** Typed by a person; null when nobody did. */
  readonly given: string | null;
  readonly cuts: readonly Cut[];
  readonly head: readonly TextLine[];
  readonly text: TextCensus;
  readonly backslashQuotes: number;
  readonly doubledQuotes: number;
}

/** Which delimiter, and why. */
interface DelimiterDecision {
  readonly delimiter: string | null;
  readonly certainty: Certainty;
  readonly because: string;
}

/** Every way to cut the file that makes sense, best first. */
export function delimiterWays(findings: LayoutFindings): readonly Way[] {
  const delimiters = [...new Set(findings.cuts.map(({ delimiter }) => delimiter))];
  const ways = delimiters
    .map((delimiter) => wayOf(delimiter, findings))
    .filter(({ cut, width, header }) => {
      const isUsual = USUAL_DELIMITERS.includes(cut.delimiter) || cut.delimiter === findings.given;
      return isUsual || (width > 1 && header?.looksLikeHeader);
    });
  const dividing = ways.filter(({ width }) => width > 1);
  const inNumbers = new Set(
    ways.filter((way) =>
      dividing.some((other) => other !== way && standsInNumbers(way.cut.delimiter, other)),
    ),
  );
  const place = (way: Way): number => (inNumbers.has(way) ? 1 : 0);
  return ways.toSorted((a, b) => place(a) - place(b) || compareWays(a, b));
}

/** Whether a character stands inside the numbers below the header when a file is cut in another way, and nowhere else there. */
function standsInNumbers(character: string, { head, width, header }: Way): boolean {
  const cells = head
    .filter((row) => row.cells.length === width && (!header?.looksLikeHeader || row.firstLine > header.line))
    .flatMap((row) => row.cells.filter((cell) => cell.includes(character)));
  return cells.length > 0 && cells.every((cell) => numberShape(cell.trim()) !== undefined);
}

/** The rows as one delimiter cuts them. */
export interface Way {
  readonly cut: Cut;
  readonly width: number;
  /** Rows of another width. */
  readonly ragged: number;
  readonly header: HeaderRow | undefined;
  /** The first rows. */
  readonly head: readonly LooseRow[];
}

function wayOf(delimiter: string, findings: LayoutFindings): Way {
  const [quoted, plain] = findings.cuts.filter((cut) => cut.delimiter === delimiter) as [Cut, Cut];
  // Quotation marks that are no quoting: inches, names of songs.
  const spoils = quoted.unclosedQuotes + quoted.misplacedQuotes;
  const cut = spoils > 0 && spoils * 2 > quoted.quotedCells ? plain : quoted;
  const width = cut.widths[0]?.cells ?? 0;
  const shape = { delimiter, quote: cut.quote, escape: cut.quote === null ? null : escapeOf(findings) };
  const head = rowsOf(findings.head, shape);
  const header = headerRow(head, width);
  return { cut, width, ragged: cut.rows - (cut.widths[0]?.rows ?? 0), header, head };
}

function rowsOf(lines: readonly TextLine[], shape: RowShape): readonly LooseRow[] {
  const cutter = new RowCutter(shape);
  return lines.flatMap((line) => cutter.accept(line) ?? []);
}

/** Only where no quote inside quotes is doubled: in other files a backslash is a backslash. */
export function escapeOf({ backslashQuotes, doubledQuotes }: LayoutFindings): '"' | '\\' {
  return backslashQuotes > 0 && doubledQuotes === 0 ? '\\' : '"';
}

/** Better ones first: more than one cell, a header that holds names, few ragged rows, many cells. */
function compareWays(a: Way, b: Way): number {
  const divides = ({ width }: Way): number => (width > 1 ? 0 : 1);
  const headed = ({ header }: Way): number => (header?.looksLikeHeader ? 0 : 1);
  return (
    divides(a) - divides(b) ||
    looseRagged(a) - looseRagged(b) ||
    headed(a) - headed(b) ||
    a.ragged - b.ragged ||
    b.width - a.width
  );
}

/** Ragged rows count only when they are many: preambles and trailers are ragged in the right way of cutting, too. */
function looseRagged({ ragged, cut }: Way): number {
  return ragged * 5 > cut.rows && ragged > 5 ? 1 : 0;
}

/** What decides on a delimiter, beside the rows. */
export interface DelimiterSigns {
  /** Typed by a person. */
  readonly given: string | null;
  /** Named by the first line of the file. */
  readonly separator: string | undefined;
}

export function delimiterDecision(
  chosen: Way,
  ways: readonly Way[],
  { given, separator }: DelimiterSigns,
): DelimiterDecision {
  const { cut, width, ragged } = chosen;
  const named = { delimiter: cut.delimiter };
  const rows = `${cut.rows - ragged} of ${counted(cut.rows, 'row')} have ${counted(width, 'cell')} with it`;
  if (given !== null) return { ...named, certainty: 'proven', because: `given by --delimiter; ${rows}` };
  if (separator === cut.delimiter) {
    return { ...named, certainty: 'assumed', because: 'the first line names it (`sep=`)' };
  }
  if (width < 2) {
    return {
      delimiter: null,
      certainty: 'assumed',
      because: 'no delimiter divides the rows; there is one column',
    };
  }
  const other = ways.find((way) => way !== chosen && isAsGood(way, chosen));
  if (other) {
    const because = `${rows}, but ${other.cut.rows - other.ragged} have ${other.width} with ${written(other.cut.delimiter)}`;
    return { ...named, certainty: 'open', because };
  }
  if (ragged * 2 > cut.rows) return { ...named, certainty: 'open', because: `only ${rows}` };
  return { ...named, certainty: 'assumed', because: rows };
}

function isAsGood(other: Way, chosen: Way): boolean {
  if (other.width < 2 || looseRagged(other) > looseRagged(chosen)) return false;
  if (standsInNumbers(other.cut.delimiter, chosen)) return false;
  return (
    (other.header?.looksLikeHeader ?? false) === (chosen.header?.looksLikeHeader ?? false) &&
    other.ragged <= chosen.ragged
  );
}

/** The delimiter as a person types it. */
function written(delimiter: string): string {
  return delimiter === '\t' ? 'a tab' : `"${delimiter}"`;
}
