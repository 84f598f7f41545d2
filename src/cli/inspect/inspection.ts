import type { FileKind } from '../csv/opening.ts';
import type { SourceEncoding } from '../csv/encodings.ts';
import type { ColumnProfile } from './column/column-profile.ts';
import type { LayoutFinding } from './layout/layout-finding.ts';
import type { TableCounter } from './table/table-profile.ts';
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
  readonly table: ReturnType<TableCounter['result']>['table'];
  readonly columns: readonly ColumnProfile[];
}

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
}

type LineEndCounts = Readonly<Record<'lf' | 'crlf' | 'cr', number>>;
