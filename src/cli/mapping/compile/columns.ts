import { failure, type Problem } from '../../../core/problem.ts';
import { nearestName } from '../../../core/suggestion.ts';
import { hiddenCharacters } from '../../../core/values/hidden-characters.ts';
import type { RecordCell } from '../column-map.ts';
import type { StepSpec } from '../language/steps.ts';

/** A column of a file that a mapping reads. */
export interface BoundColumn {
  /** Zero-based; -1 for a column that the file does not have, whose cells are all empty. */
  readonly index: number;
  readonly header: string;
  /** Where its cells are, without their line. */
  readonly cell: RecordCell;
}

/** The use of a column: for a field of the record, for an item of each row, or for no field. */
export type ColumnUse = 'record' | 'row' | 'other';

/** The header of one file. Finds columns by name and remembers which were asked for. */
export interface Columns {
  /** Name of a joined file; null for the file of the records. */
  readonly file: string | null;
  /** The key path of the list whose objects have the columns; null for the columns of a file. */
  readonly list: string | null;
  readonly names: readonly string[];
  /** Whether they are key paths. Problems then name the path, because there are no columns to count. */
  readonly isKeyed: boolean;
  at(index: number): BoundColumn;
  /** `isWhole`: all columns of JSON Lines below the key path are a part of the value. */
  bind(name: string, use: ColumnUse, isWhole?: boolean): BoundColumn;
  isUsed(index: number, use?: ColumnUse): boolean;
  /** Names that were asked for and that the header does not have, or has several times. */
  readonly problems: readonly Problem[];
}

export function columnsOf(
  names: readonly string[],
  { file = null, list = null, isKeyed = false }: Partial<Pick<Columns, 'file' | 'list' | 'isKeyed'>> = {},
): Columns {
  const uses = new Map<number, Set<ColumnUse>>();
  const problems = new Map<string, Problem>();
  const where = list === null ? (file ?? 'the file') : `\`${list}\``;
  const at = (index: number, header: string): BoundColumn => ({
    index,
    header,
    // A path that the file does not have is not shown.
    cell: isKeyed
      ? { file, line: null, column: null, header: index < 0 ? null : header }
      : { file, line: null, column: index + 1, header },
  });
  return {
    file,
    list,
    names,
    isKeyed,
    at: (index) => at(index, names[index]!),
    bind(given, use, isWhole = false) {
      const header = names.includes(given) ? given : (names.find((name) => isSameName(name, given)) ?? given);
      const parts = names.flatMap((name, at) => (isWhole && name.startsWith(`${header}.`) ? [at] : []));
      const index = names.includes(header) ? names.indexOf(header) : (parts[0] ?? -1);
      if (index < 0) problems.set(header, missing(header, where, names));
      else if (names.includes(header, index + 1)) {
        const reason = `the mapping names the column \`${header}\`, which ${where} has more than once`;
        problems.set(header, failure('header_duplicate', [], { reason }));
      }
      for (const used of [index, ...parts]) uses.set(used, (uses.get(used) ?? new Set()).add(use));
      return at(index, list === null ? header : elementHeader(list, header));
    },
    isUsed: (index, use) => (use === undefined ? uses.has(index) : (uses.get(index)?.has(use) ?? false)),
    get problems() {
      return [...problems.values()];
    },
  };
}

/** Whether two names differ only in how their accents are written. */
const isSameName = (a: string, b: string): boolean => a.normalize() === b.normalize();

/** The key path of a column of the objects of a list, such as `lines[].amount`. */
export function elementHeader(list: string, name: string): string {
  return `${list}[].${name}`;
}

function missing(header: string, where: string, names: readonly string[]): Problem {
  const name = nearestName(header, names);
  const suggestion = name === undefined ? '' : `; did you mean ${name}${hiddenCharacters(name)}?`;
  return failure('mapped_column_missing', [], { header, where, suggestion });
}

/** The text of a cell; undefined for no value. */
export type CellText = (cells: readonly string[]) => string | undefined;

/** Reads the cells of a column with the steps that every cell takes: `trim`, which removes no-break spaces, too, and `null_tokens`. */
export function cellText(
  { index }: Pick<BoundColumn, 'index'>,
  { trim, null_tokens }: Pick<StepSpec, 'trim' | 'null_tokens'>,
): CellText {
  return (cells) => {
    const cell = cells[index] ?? '';
    const text = trim ? cell.trim() : cell;
    // In a set, each new text would be looked up by a hash, which takes ten times as long.
    return null_tokens.includes(text) ? undefined : text;
  };
}
