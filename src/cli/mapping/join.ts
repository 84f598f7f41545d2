import type { Problem } from '../../core/problem.ts';
import type { CellPlace } from './column-map.ts';
import type { JoinStore } from './join-store.ts';
import type { JoinSpec } from './mapping-file/field-schema.ts';

/** A problem of a second file, and its place there. */
export interface JoinProblem {
  readonly problem: Problem;
  readonly place: CellPlace;
}

/** A second file that was read. */
export interface JoinTable {
  /** Its name in problems. */
  readonly file: string;
  readonly names: readonly string[];
  readonly rows: Pick<JoinStore, 'take'>;
  /**
   * What is wrong with its rows, once all records were made; nothing until the last of the sources that it belongs to
   * has asked.
   */
  leftOver(): Iterable<JoinProblem>;
}

/** The second files of a mapping, by what it says of them. */
export type JoinTables = ReadonlyMap<JoinSpec, JoinTable>;

/** One text for the cells of a key, different for different cells. */
export function keyOf(cells: readonly (string | undefined)[]): string | undefined {
  return cells.every((cell) => cell === undefined) ? undefined : JSON.stringify(cells);
}
