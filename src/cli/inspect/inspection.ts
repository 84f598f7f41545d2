import type { ErrorCode } from '../../core/error-codes/table.ts';
import type { FileKind } from '../csv/opening.ts';
import type { SourceEncoding } from '../csv/encodings.ts';
import type { ColumnProfile } from './column/profiled-column.ts';
import type { Occurrences } from './column/occurrences.ts';

/** The result of an inspection: what a file is, and how certain that is. */
export interface Inspection {
  readonly file: string;
  /** Of the unpacked content, when the file is compressed. */
  readonly bytes: number;
  readonly sha256: string;
  readonly isCompressed: boolean;
  /** Null when the file is a text. */
  readonly binary: FileKind | 'empty' | 'binary' | null;
  /** Whether the file ends in 0x1A, as DOS programs end texts. */
  readonly endsWithSubstitute: boolean;
  /** Null when the file is no text. */
  readonly content: FileProfile | null;
}

export interface FileProfile {
  readonly encoding: EncodingFinding;
  /** Set when the text begins like markup and not like a table. */
  readonly markup: 'html' | 'xml' | 'json' | null;
  readonly text: TextProfile;
  readonly layout: LayoutFinding;
  readonly table: TableProfile;
  readonly columns: readonly ColumnProfile[];
}

/**
 * How certain a finding is. `proven`: by the whole file. `assumed`: nothing contradicts it, and a person should confirm it.
 * `open`: the file does not decide it.
 */
export type Certainty = 'proven' | 'assumed' | 'open';

/** The encoding of a file, and why. */
export interface EncodingFinding {
  /** That of the first candidate when it is open. Null when a mapping cannot name the encoding. */
  readonly name: SourceEncoding | null;
  readonly certainty: 'proven' | 'open';
  readonly because: string;
  readonly byteOrderMark: boolean;
  /** Encodings to choose from; empty unless a person has to choose. */
  readonly candidates: readonly EncodingCandidate[];
}

/** An encoding that a person may choose, and words of the file as it reads them. All candidates have the same words. */
export type EncodingCandidate = Readonly<{ name: SourceEncoding; words: readonly string[] }>;

/** The lines of a text, and characters that should not be in it. */
export interface TextProfile {
  readonly lines: number;
  /** Controls other than tab and line ends. */
  readonly controlCharacters: Occurrences;
  /** CR that is no part of a line end. */
  readonly loneCarriageReturns: Occurrences;
  readonly cutLines: Occurrences;
  /** Of lines that are not blank, in UTF-16 units. */
  readonly lengths: Readonly<{ shortest: number; longest: number }>;
  readonly lineEnds: LineEndCounts;
  readonly endsWithLineEnd: boolean;
  /** Text positions that are blank on every line; null unless all lines are equally long. */
  readonly blankPositions: readonly number[] | null;
}

type LineEndCounts = Readonly<Record<'lf' | 'crlf' | 'cr', number>>;

/** How a file is cut into cells, and why. */
export interface LayoutFinding {
  /** Null when no character divides the rows. */
  readonly delimiter: string | null;
  readonly certainty: Certainty;
  readonly because: string;
  readonly quote: '"' | null;
  readonly escape: '"' | '\\' | null;
  /** Every delimiter that makes sense, best first. */
  readonly candidates: readonly {
    readonly delimiter: string;
    readonly rows: number;
    /** The commonest numbers of cells. */
    readonly widths: readonly WidthCount[];
    /** Whether the first row of the commonest width could be a header. */
    readonly hasHeader: boolean;
  }[];
  /** Cells that most rows have. */
  readonly width: number;
  readonly header: HeaderRow;
  /** Whether the first line is `sep=` and a delimiter, as Excel writes it. */
  readonly hasSeparatorLine: boolean;
  /** Whether each line is one object of JSON. The columns are then key paths, and no delimiter divides anything. */
  readonly isJsonLines: boolean;
  /** The lists of objects in JSON Lines, with the key paths inside of them. */
  readonly lists: readonly Readonly<{ name: string; keys: readonly string[] }>[];
  /** Set when the lines look like columns at fixed places. */
  readonly fixed: Readonly<{ length: number; widths: readonly number[] }> | null;
  /** Set when no delimiter divides the rows, and a line of dashes shows where columns begin. */
  readonly ruled: RuledColumns | null;
}

/** Columns at fixed places under a line of dashes. */
export interface RuledColumns {
  /** Physical line of the dashes, one-based. */
  readonly line: number;
  /** In characters. A column without a name is a gap between two others. */
  readonly columns: readonly Readonly<{ name: string | null; width: number }>[];
  /** The lines above the first row: titles, names and dashes. */
  readonly above: readonly string[];
  /** Whether rows may end before their last column, because spaces at their end are gone. */
  readonly isTrimmed: boolean;
}

/** How many rows have how many cells, when they are cut at one delimiter. */
export interface WidthCount {
  readonly cells: number;
  readonly rows: number;
  /** The first of these rows, one-based. */
  readonly lines: readonly number[];
}

export interface HeaderRow {
  /** Physical line, one-based; the line of the first row of data when there is no header. */
  readonly line: number;
  readonly names: readonly string[];
  /** False when the row that should be the header has numbers or dates. The file may have no header then. */
  readonly looksLikeHeader: boolean;
}

export interface TableProfile {
  /** Rows of data: without header, trailer, blank lines and repeated headers. */
  readonly rows: number;
  /** Columns beyond those that were looked at. */
  readonly columnsLeftOut: number;
  /** Blank lines outside quotes, those before the header included. */
  readonly blankLines: Occurrences;
  readonly ragged: Occurrences;
  /** Lines of JSON Lines that are no object. They are no rows. */
  readonly brokenLines: Occurrences;
  readonly repeatedHeaders: Occurrences;
  /** Rows that have nothing but delimiters. */
  readonly emptyRows: Occurrences;
  /** Rows of totals between the rows. They are no rows of data. */
  readonly subtotals: readonly Subtotals[];
  readonly pageLines: readonly PageLines[];
  readonly trailer: TrailerFinding | null;
  readonly lineEnds: LineEndCounts;
  readonly lineEndsInQuotes: Occurrences;
  readonly quotedCells: number;
  readonly bareQuotes: Occurrences;
  readonly textAfterQuote: Occurrences;
  readonly unclosedQuotes: Occurrences;
  /** In the order in which `check` reports them. */
  readonly warnings: readonly TableWarning[];
}

/** A warning of `check` about the file as a whole. */
export interface TableWarning {
  readonly code: ErrorCode;
  /** Physical line, one-based. */
  readonly line: number;
  /** One-based; null when it is about no column. */
  readonly column: number | null;
  readonly detail: string;
  readonly next: string;
}

/** Rows of totals between the rows of data, or behind them. */
export interface Subtotals extends Occurrences {
  /** One-based column of the word. */
  readonly column: number;
  /** The word at the beginning of the cells, such as Subtotal. */
  readonly word: string;
  /** The whole cell, when it is the same in all of these rows. */
  readonly text: string | null;
  /** One-based columns that some of these rows fill. */
  readonly filled: readonly number[];
  /** One-based columns of which each of these rows has the exact sum: since the last such row, or since the first row. */
  readonly sumsSinceLast: readonly number[];
  readonly sumsSinceStart: readonly number[];
  /** Whether no row of data comes after the first of them. */
  readonly isAtEnd: boolean;
}

/** Lines of the pages of a report, such as its title with the number of the page. */
export interface PageLines extends Occurrences {
  /** A regular expression that matches them. */
  readonly pattern: string;
}

/** The reasons to take the last row for a control record. */
export interface TrailerFinding {
  readonly line: number;
  readonly cells: number;
  /** The first filled cell, when it is a word that control records begin with. */
  readonly mark: Readonly<{ cell: number; text: string }> | null;
  readonly hasOtherWidth: boolean;
  /** One-based cells that have the number of rows before it. */
  readonly countCells: readonly number[];
  /** The cell, one-based, that has the number of rows beside a label, such as `Rows: 400`, and a regular expression of it. */
  readonly countLabel: Readonly<{ cell: number; pattern: string }> | null;
  /** Cells that have the exact sum of a column. */
  readonly sums: readonly Readonly<{ cell: number; column: number; decimalMark: '.' | ',' }>[];
}
