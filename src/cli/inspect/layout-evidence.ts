import { DELIMITERS, type Cut, type Delimiter } from './delimiter-census.ts';
import type { Certainty } from './encoding-evidence.ts';
import { headerRow, type HeaderRow } from './header-row.ts';
import { RowCutter, type LooseRow, type RowShape } from './row-cutter.ts';
import type { TextCensus } from './text-census.ts';
import type { TextLine } from './text-lines.ts';

/** One delimiter, and what the rows are with it. */
export interface DelimiterEvidence {
  readonly delimiter: Delimiter;
  readonly rows: number;
  /** The commonest numbers of cells. */
  readonly widths: Cut['widths'];
  /** Whether the first row of the commonest width could be a header. */
  readonly hasHeader: boolean;
}

/** How a file is cut into cells, and why. */
export interface LayoutEvidence {
  /** Null when no character divides the rows. */
  readonly delimiter: Delimiter | null;
  readonly certainty: Certainty;
  readonly because: string;
  readonly quote: '"' | null;
  readonly escape: '"' | '\\' | null;
  readonly candidates: readonly DelimiterEvidence[];
  /** Cells that most rows have. */
  readonly width: number;
  readonly header: HeaderRow;
  /** The first line is `sep=` and a delimiter, as Excel writes it. */
  readonly hasSeparatorLine: boolean;
  /** Set when the lines look like columns at fixed places. */
  readonly fixed: { readonly length: number; readonly widths: readonly number[] } | null;
}

/** What the layout is found from. */
export interface LayoutFindings {
  readonly cuts: readonly Cut[];
  readonly head: readonly TextLine[];
  readonly text: TextCensus;
  readonly backslashQuotes: number;
  readonly doubledQuotes: number;
}

const SHOWN_WIDTHS = 5;

export function layoutEvidence(findings: LayoutFindings): LayoutEvidence {
  const ways = DELIMITERS.map((delimiter) => wayOf(delimiter, findings)).toSorted(compareWays);
  const separator = separatorOf(findings.head[0]);
  const [best, other] = ways as [Way, Way];
  const chosen = ways.find(({ cut }) => cut.delimiter === separator) ?? best;
  const fixed = fixedOf(findings.text, chosen);
  const { delimiter, certainty, because } = fixed
    ? {
        delimiter: null,
        certainty: 'open' as const,
        because: `all lines are ${fixed.length} characters long`,
      }
    : decision(chosen, other, separator);
  const isQuoted = chosen.cut.quote !== null;
  return {
    delimiter,
    certainty,
    because,
    quote: chosen.cut.quote,
    escape: isQuoted ? escapeOf(findings) : null,
    candidates: ways.map(({ cut, header }) => ({
      delimiter: cut.delimiter,
      rows: cut.rows,
      widths: cut.widths.slice(0, SHOWN_WIDTHS),
      hasHeader: header?.looksLikeHeader ?? false,
    })),
    width: chosen.width,
    header: (fixed ? undefined : chosen.header) ?? { line: 1, names: [], looksLikeHeader: false },
    hasSeparatorLine: separator !== undefined,
    fixed,
  };
}

interface Way {
  readonly cut: Cut;
  readonly width: number;
  /** Rows of another width. */
  readonly ragged: number;
  readonly header: HeaderRow | undefined;
}

function wayOf(delimiter: Delimiter, findings: LayoutFindings): Way {
  const [quoted, plain] = findings.cuts.filter((cut) => cut.delimiter === delimiter) as [Cut, Cut];
  // Quotation marks that are no quoting: inches, names of songs.
  const spoils = quoted.unclosedQuotes + quoted.misplacedQuotes;
  const cut = spoils > 0 && spoils * 2 > quoted.quotedCells ? plain : quoted;
  const width = cut.widths[0]?.cells ?? 0;
  const shape = { delimiter, quote: cut.quote, escape: cut.quote === null ? null : escapeOf(findings) };
  const header = headerRow(rowsOf(findings.head, shape), width);
  return { cut, width, ragged: cut.rows - (cut.widths[0]?.rows ?? 0), header };
}

function rowsOf(lines: readonly TextLine[], shape: RowShape): readonly LooseRow[] {
  const cutter = new RowCutter(shape);
  return lines.flatMap((line) => cutter.accept(line) ?? []);
}

/** Only where no quote inside quotes is doubled: in other files a backslash is a backslash. */
function escapeOf({ backslashQuotes, doubledQuotes }: LayoutFindings): '"' | '\\' {
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

function decision(
  chosen: Way,
  other: Way,
  separator: string | undefined,
): Pick<LayoutEvidence, 'delimiter' | 'certainty' | 'because'> {
  const { cut, width, ragged } = chosen;
  const named = { delimiter: cut.delimiter };
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
  const rows = `${cut.rows - ragged} of ${cut.rows} rows have ${width} cells with it`;
  if (isAsGood(other, chosen)) {
    const because = `${rows}, but ${other.cut.rows - other.ragged} have ${other.width} with ${written(other.cut.delimiter)}`;
    return { ...named, certainty: 'open', because };
  }
  if (ragged * 2 > cut.rows) return { ...named, certainty: 'open', because: `only ${rows}` };
  return { ...named, certainty: 'assumed', because: rows };
}

function isAsGood(other: Way, chosen: Way): boolean {
  if (other === chosen || other.width < 2 || looseRagged(other) > looseRagged(chosen)) return false;
  return (
    (other.header?.looksLikeHeader ?? false) === (chosen.header?.looksLikeHeader ?? false) &&
    other.ragged <= chosen.ragged
  );
}

/** The delimiter as a person types it. */
function written(delimiter: string): string {
  return delimiter === '\t' ? 'a tab' : `"${delimiter}"`;
}

function separatorOf(first: TextLine | undefined): string | undefined {
  return /^"?sep=(.)"?[ \t]*$/i.exec(first?.text ?? '')?.[1];
}

/** Lines of one length that nothing divides; positions that are blank on every line show where columns end. */
function fixedOf(text: TextCensus, { width, ragged, cut }: Way): LayoutEvidence['fixed'] {
  const { shortest, longest } = text.lengths;
  if (text.blankPositions === null || cut.rows < 3 || longest < 10 || shortest !== longest) return null;
  if (width > 1 && ragged * 5 <= cut.rows) return null;
  const blanks = new Set(text.blankPositions);
  const starts = Array.from({ length: longest }, (_, at) => at).filter(
    (at) => at === 0 || (blanks.has(at - 1) && !blanks.has(at)),
  );
  const widths = starts.map((start, index) => (starts[index + 1] ?? longest) - start);
  return { length: longest, widths };
}
