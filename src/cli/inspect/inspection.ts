import type { Problem } from '../../core/problem.ts';
import type { SourceEncoding } from '../csv/encodings.ts';
import type { ColumnProfile } from './column/column-profile.ts';
import type { LayoutFinding } from './layout/layout-finding.ts';
import type { TableCounter } from './table/table-profile.ts';

/** The result of an inspection: what a file is, and how certain that is. */
export interface Inspection {
  readonly file: string;
  /** Of the unpacked content, when the file is compressed. */
  readonly bytes: number;
  readonly sha256: string;
  /** Why the file has no rows, and how to get some; null for a table. */
  readonly noTable: Problem['facts'] | null;
  /** Null when the file has no rows. */
  readonly content: FileProfile | null;
}

export interface FileProfile {
  readonly encoding: EncodingFinding;
  /** Whether the file ends in 0x1A, as DOS programs end texts. */
  readonly hasEndMark: boolean;
  readonly layout: LayoutFinding;
  readonly table: ReturnType<TableCounter['result']>['table'];
  readonly columns: readonly ColumnProfile[];
}

/** The encoding of a file, and why. */
export interface EncodingFinding {
  /** That of the first candidate when it is open. */
  readonly name: SourceEncoding;
  readonly certainty: 'proven' | 'open';
  readonly because: string;
  /** The encodings that a question offers. Empty where the file decides. */
  readonly candidates: readonly EncodingCandidate[];
}

/** An encoding that a person may choose, and words of the file as it reads them. All candidates have the same words. */
export type EncodingCandidate = Readonly<{ name: SourceEncoding; words: readonly string[] }>;
