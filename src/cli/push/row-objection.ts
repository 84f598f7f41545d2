import { failure, type Problem } from '../../core/problem.ts';
import type { SourceRow } from '../csv/source-row.ts';

/** Why a row cannot be a row of data of a file with this header; undefined when it can. */
export function rowObjection(row: SourceRow, header: readonly string[]): Problem | undefined {
  const { cells } = row;
  if (cells.length !== header.length) {
    const facts = { cells: cells.length, columns: header.length, from_byte: row.byteStart };
    if (cells.length > header.length) return failure('row_too_long', [], facts);
    return failure(row.endsAtEof ? 'row_cut_off' : 'row_too_short', [], facts);
  }
  if (cells[0] === header[0] && cells.every((cell, index) => cell === header[index]))
    return failure('header_repeated', []);
  return undefined;
}

/** Whether a row has no value at all. */
export function isBlank({ cells }: SourceRow): boolean {
  return cells.every((cell) => cell === '');
}
