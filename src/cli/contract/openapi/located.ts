import { pathOfPointer } from '../../../core/operator/operator-check.ts';
import type { Path } from '../../../core/problem.ts';
import { childOf, isJsonObject, type JsonObject } from '../../../core/values/plain-json.ts';

/** A part of a document, and where it is. */
export type Located = { readonly value: unknown; readonly path: Path };

export type LocatedObject = Located & { readonly value: JsonObject };

/** The JSON pointer of a path (RFC 6901). */
export function pointerOf(path: Path): string {
  return path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

export function memberOf({ value, path }: Located, key: string | number): Located | undefined {
  const member = childOf(value, key);
  return member === undefined ? undefined : { value: member, path: [...path, key] };
}

/** The members of a located object, or of a list, in the order of the document; nothing for any other value. */
export function membersOf(located: Located | undefined): readonly (Located & { key: string })[] {
  if (!Array.isArray(located?.value) && !isJsonObject(located?.value)) return [];
  const { value, path } = located;
  return Object.entries(value).map(([key, member]) => {
    const part = Array.isArray(value) ? Number.parseInt(key, 10) : key;
    return { key, value: member as unknown, path: [...path, part] };
  });
}

/** The values of a keyword in several schemas, each where it is. */
export function keyword(schemas: readonly Located[], name: string): readonly Located[] {
  return schemas.flatMap((schema) => memberOf(schema, name) ?? []);
}

/** The pointer in a reference inside of the document; undefined for any other reference. */
export function pointerIn(reference: unknown): string | undefined {
  if (typeof reference !== 'string' || !reference.startsWith('#')) return undefined;
  try {
    return decodeURIComponent(reference.slice(1));
  } catch {
    return reference.slice(1);
  }
}

/** The part of a document at a pointer; an undefined value where there is none. */
export function partAt(pointer: string, root: unknown): Located {
  const path = pathOfPointer(pointer, root);
  return { value: path.reduce(childOf, root), path };
}
