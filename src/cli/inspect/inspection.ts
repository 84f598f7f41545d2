import type { ColumnEvidence } from './column-census.ts';
import type { EncodingEvidence } from './encoding-finding.ts';
import type { LayoutEvidence } from './layout-evidence.ts';
import type { TableEvidence } from './table-census.ts';
import type { TextCensus } from './text-census.ts';

/** What a file that is no table is. */
export const BINARY_KINDS = ['empty', 'zip', 'ole', 'gzip', 'pdf', 'binary'] as const;
export type BinaryKind = (typeof BINARY_KINDS)[number];

/** What markup a text begins with, when it does not begin like a table. */
export const MARKUP_KINDS = ['html', 'xml', 'json'] as const;
export type MarkupKind = (typeof MARKUP_KINDS)[number];

/** A column: its name, its evidence, and values only when they were asked for. */
export interface InspectedColumn extends ColumnEvidence {
  /** One-based. */
  readonly column: number;
  /** Empty when the header has no name for it; null when the file seems to have no header. */
  readonly name: string | null;
  /** The first different values; null unless values may be shown. */
  readonly examples: readonly string[] | null;
  /** All different values, for finding out what they are; never shown. Undefined when there are too many. */
  readonly values: readonly string[] | undefined;
}

/** What the text of a file is. */
export interface InspectedText {
  readonly encoding: EncodingEvidence;
  readonly markup: MarkupKind | null;
  readonly text: TextCensus;
  readonly layout: LayoutEvidence;
  readonly table: Omit<TableEvidence, 'columns'>;
  readonly columns: readonly InspectedColumn[];
}

/** What a file is, with the evidence for it. */
export interface Inspection {
  readonly file: string;
  /** Of what is in it, when it is compressed. */
  readonly bytes: number;
  readonly sha256: string;
  readonly isCompressed: boolean;
  /** Set when it is no text. */
  readonly binary: BinaryKind | null;
  /** 0x1A at the end, as DOS programs write it. */
  readonly endsWithSubstitute: boolean;
  readonly content: InspectedText | null;
}
