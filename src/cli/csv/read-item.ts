import type { Problem } from '../../core/problem.ts';
import type { SourceRow } from './source-row.ts';

/**
 * What the reader yields: the header first, unless the file has none; rows and control records in file order; between
 * them what is odd about the file; and, at most once and last, why it cannot be read on. Whether there is one control
 * record, and whether it is the last row, is for the taker to judge, and so is whether rows have as many cells as names.
 * The bytes before the first row are those of preamble and header.
 */
export type ReadItem =
  | { readonly kind: 'header'; readonly names: readonly string[]; readonly line: number }
  | { readonly kind: 'row'; readonly row: SourceRow }
  | { readonly kind: 'trailer'; readonly row: SourceRow }
  | { readonly kind: 'notice'; readonly line: number; readonly problem: Problem }
  | { readonly kind: 'unreadable'; readonly line: number; readonly problem: Problem };
