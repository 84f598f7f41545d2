import { pathOfPointer } from '../../../core/operator/operator-check.ts';
import { childOf, isJsonObject, type JsonObject } from '../../../core/values/plain-json.ts';

/** A part of a document, and the JSON pointer (RFC 6901) of its place. */
export type Located = { readonly value: unknown; readonly at: string };

export type LocatedObject = Located & { readonly value: JsonObject };

/** The pointer of a member of the value at a pointer. */
export const below = (at: string, key: string | number): string =>
  `${at}/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`;

export function memberOf({ value, at }: Located, key: string | number): Located | undefined {
  const member = childOf(value, key);
  return member === undefined ? undefined : { value: member, at: below(at, key) };
}

/** The members of a located object, or of a list, in the order of the document; nothing for any other value. */
export function membersOf(located: Located | undefined): readonly (Located & { key: string })[] {
  if (!Array.isArray(located?.value) && !isJsonObject(located?.value)) return [];
  const { value, at } = located;
  return Object.entries<unknown>(value).map(([key, member]) => ({ key, value: member, at: below(at, key) }));
}

export const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

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
  return { value: pathOfPointer(pointer, root).reduce(childOf, root), at: pointer };
}
