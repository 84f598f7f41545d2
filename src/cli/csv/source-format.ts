import { ENCODINGS, type SourceEncoding } from './encodings.ts';

export { SOURCE_ENCODINGS } from './encodings.ts';

/** A column at a fixed place. Without a name it is a gap. */
export interface FixedColumn {
  readonly name: string | null;
  /** Characters. */
  readonly width: number;
}

/** The mark by which a control record at the end of a file is recognized. */
export interface TrailerMark {
  /** One-based cell that has the mark. */
  readonly cell: number;
  /** The text of the cell, or a regular expression. */
  readonly mark: { readonly equals: string } | { readonly matches: string };
  /** How the line of the control record is cut in a file of fixed columns; null in others. */
  readonly fixed: readonly FixedColumn[] | null;
}

/** Everything that is needed to cut the bytes of a file into cells. */
export interface SourceFormat {
  /** Whether the file has JSON Lines, to which nothing else here applies; null when the name of the file says so. */
  readonly isJsonLines: boolean | null;
  readonly encoding: SourceEncoding;
  /** One character or several. */
  readonly delimiter: string;
  /** One character; null when no cell is quoted. */
  readonly quote: string | null;
  /** The character before a quote inside quotes; the quote itself when it is doubled. Null when no cell is quoted. */
  readonly escape: string | null;
  /** Whether a whole cell `\N` without quotes is null, and no escape. */
  readonly hasNullMarks: boolean;
  /** Physical lines before the header; 0 with `untilHeader`. */
  readonly skipLines: number;
  /** Columns whose names the header has. All lines before it are left out. Null when the number of these lines is known. */
  readonly untilHeader: readonly string[] | null;
  /** Where the names of the columns come from. */
  readonly header: 'first_row' | readonly string[];
  /** Columns at fixed places, instead of delimiter, quote and header; null for separated values. */
  readonly fixed: readonly FixedColumn[] | null;
  /** Whether lines of fixed columns may be shorter, because the spaces at their ends were removed. */
  readonly rightTrimmed: boolean;
  /** The control records. */
  readonly totals: readonly TrailerMark[];
  /** Whether headers that are repeated, as on every page of a report, are left out. */
  readonly skipsRepeatedHeaders: boolean;
  /** Regular expressions of lines of a page, which are left out. They match in the line without its quotes. */
  readonly pageLines: readonly string[];
  /** Whether the file ends with the end mark of DOS, which is left out. */
  readonly endMark: boolean;
}

/** Comma-separated values as RFC 4180 describes them, in UTF-8. The default. */
export const RFC_4180: SourceFormat = {
  isJsonLines: null,
  encoding: 'utf-8',
  delimiter: ',',
  quote: '"',
  escape: '"',
  hasNullMarks: false,
  skipLines: 0,
  untilHeader: null,
  header: 'first_row',
  fixed: null,
  rightTrimmed: false,
  totals: [],
  skipsRepeatedHeaders: false,
  pageLines: [],
  endMark: false,
};

/** The last line of a file of rejects, in place of the control records, which are not about its rows. */
export const END_OF_REJECTS = 'dataimport-rejects';

/** `END_OF_REJECTS` in the bytes of a format; nothing where no control record is expected. */
export function endOfRejects({ totals, encoding }: SourceFormat): Buffer {
  const { unit, low } = ENCODINGS[encoding];
  const bytes = Buffer.from(totals.length === 0 ? '' : END_OF_REJECTS, unit === 1 ? 'latin1' : 'utf16le');
  return low === 0 ? bytes : bytes.swap16();
}

/** What cuts a row into cells. A file with fixed columns has one cell a line: its delimiter is NUL, which no text has. */
export function separators(format: SourceFormat): Pick<SourceFormat, 'delimiter' | 'quote' | 'escape'> {
  const { fixed, delimiter, quote, escape } = format;
  if (fixed !== null) return { delimiter: '\0', quote: null, escape: null };
  return { delimiter, quote, escape: quote === null ? null : escape };
}
