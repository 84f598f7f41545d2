import { failure, type Problem } from '../../core/problem.ts';
import { cellCountProblem, type SourceRow } from '../csv/source-row.ts';

/** Why a row cannot be a row of data of a file with this header; undefined when it can. */
export function rowObjection(row: SourceRow, header: readonly string[]): Problem | undefined {
  const { cells } = row;
  const ragged = cellCountProblem(row, header);
  if (ragged) return ragged;
  if (cells[0] === header[0] && cells.every((cell, index) => cell === header[index]))
    return failure('header_repeated', []);
  return undefined;
}

/** Whether a row has no value at all. */
export function isBlank({ cells }: SourceRow): boolean {
  return cells.every((cell) => cell === '');
}
