import { failure, type Problem } from '../../core/problem.ts';
import type { SourceRow } from './source-row.ts';

/** What is wrong with the number of cells of a row under a header; undefined when they are as many. */
export function raggedness(row: SourceRow, header: readonly string[]): Problem | undefined {
  const { cells } = row;
  if (cells.length === header.length) return undefined;
  const facts = { cells: cells.length, columns: header.length, from_byte: row.byteStart };
  if (cells.length > header.length) return failure('row_too_long', [], facts);
  return failure(row.endsAtEof ? 'row_cut_off' : 'row_too_short', [], facts);
}
