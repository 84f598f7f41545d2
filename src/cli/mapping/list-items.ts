import { attrOfPath, type Path } from '../../core/problem.ts';
import type { CompiledItem } from './compiled-field.ts';
import type { Scope } from './scope.ts';

/** Where an item goes, and where the column map has its columns. */
export interface ItemPlace {
  /** Of the list, seen from the scope around it. */
  readonly path: Path;
  /** Index of the item in the list, and what the column map has in its place. */
  readonly at: number;
  readonly origin: string | number;
  readonly slots: number;
}

/** The scope of an item that is made of the same cells as what is around it. */
export function itemScope(scope: Scope, { path, at, origin, slots }: ItemPlace): Scope {
  return {
    ...scope,
    path: [...scope.path, ...path, at],
    origin: [...scope.origin, ...path, origin],
    values: Array.from({ length: slots }),
    outer: scope,
  };
}

/**
 * The value of an item; undefined when all of its cells are empty. Notes where the item comes from, when the column map
 * alone does not lead there.
 */
export function itemValue({ make, readers }: CompiledItem, scope: Scope): unknown {
  if (readers.length > 0 && readers.every((read) => read(scope) === undefined)) return undefined;
  const value = make(scope);
  if (value === undefined) return undefined;
  const { file, line, path, origin, record } = scope;
  const hasMoved = path.some((part, at) => origin[at] !== part && origin[at] !== '*');
  if (file !== null || line !== null || hasMoved) {
    record.parts.push({
      attr: attrOfPath(path),
      file,
      line: line ?? record.rows[0].firstLine,
      ...(hasMoved ? { columns: attrOfPath(origin) } : {}),
    });
  }
  return value;
}

/** A list of what `make` gives; undefined when it gives nothing at all. */
export function collected<T>(from: readonly T[], make: (each: T, at: number) => unknown): unknown {
  const list: unknown[] = [];
  for (const each of from) {
    const value = make(each, list.length);
    if (value !== undefined) list.push(value);
  }
  return list.length === 0 ? undefined : list;
}
