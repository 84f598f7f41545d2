import type { Path } from '../problem.ts';
import { isJsonObject, type JsonObject } from '../values/plain-json.ts';

/** A part of a document, and where it is. */
export type Located = { readonly value: unknown; readonly path: Path };

export type LocatedObject = Located & { readonly value: JsonObject };

/** The JSON pointer of a path (RFC 6901). */
export function pointerOf(path: Path): string {
  return path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** The path of a JSON pointer. A part is an index where the document has a list. */
export function pathOfPointer(pointer: string, root: unknown): Path {
  let value = root;
  return pointer
    .split('/')
    .slice(1)
    .map((part) => {
      const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
      const key = Array.isArray(value) && /^\d{1,9}$/.test(name) ? Number.parseInt(name, 10) : name;
      value = childOf(value, key);
      return key;
    });
}

/** The own member of an object or a list; undefined when there is none. */
export function childOf(value: unknown, key: string | number): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  return (value as Readonly<Record<string | number, unknown>>)[key];
}

export function memberOf({ value, path }: Located, key: string | number): Located | undefined {
  const member = childOf(value, key);
  return member === undefined ? undefined : { value: member, path: [...path, key] };
}

/** The members of a located object, or of a list, in the order of the document; nothing for any other value. */
export function membersOf(located: Located | undefined): readonly (Located & { key: string })[] {
  if (located === undefined) return [];
  const { value, path } = located;
  if (Array.isArray(value))
    return value.map((item: unknown, index) => ({ key: String(index), value: item, path: [...path, index] }));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).map(([key, member]) => ({ key, value: member, path: [...path, key] }));
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

/** The schemas that a value has to meet all at once. */
export interface Facets {
  readonly all: readonly LocatedObject[];
  /** Schemas of which a value meets one or several, nobody knows which. */
  readonly loose: readonly LocatedObject[];
  /** Pointers of the references that lead here, so that a schema inside itself is noticed. */
  readonly open: ReadonlySet<string>;
}

/**
 * Collects the schemas behind references, `allOf`, and the only branch beside null of `oneOf` and `anyOf`. Undefined for a schema that contains
 * itself, and for one that is no object.
 */
export function facetsOf(
  schemas: readonly Located[],
  root: unknown,
  open: ReadonlySet<string> = new Set(),
  branches = new Set<string>(),
): Facets | undefined {
  const all: LocatedObject[] = [];
  const loose: LocatedObject[] = [];
  const opened = new Set(open);
  const seen = new Set<string>();
  const isRead = schemas.every((schema) => collect(schema, false));
  return isRead ? { all, loose, open: opened } : undefined;

  function collect(located: Located, isNullable: boolean): boolean {
    const { value, path } = located;
    if (value === true) return true;
    if (!isJsonObject(value)) return false;
    if (seen.size === seen.add(pointerOf(path)).size) return true;
    const { $ref: reference, ...own } = value;
    const told =
      isNullable && own['type'] !== undefined ? { ...own, type: [own['type'], 'null'].flat() } : own;
    if (reference === undefined || Object.keys(own).length > 0) all.push({ value: told, path });
    if (reference !== undefined) {
      const pointer = pointerIn(reference) ?? '';
      if (open.has(pointer)) return false;
      opened.add(pointer);
      if (!collect(partAt(pointer, root), isNullable)) return false;
    }
    const parts = membersOf(memberOf(located, 'allOf'));
    if (!parts.every((part) => collect(part, isNullable))) return false;
    const types = memberOf(located, 'x-types');
    // The types of records are read one by one.
    if (types && !memberOf(types, 'bare'))
      for (const type of membersOf(memberOf(types, 'of'))) addLoose(type);
    return types !== undefined || ['oneOf', 'anyOf'].every((name) => choose(located, name));
  }

  function choose(located: Located, name: string): boolean {
    const all = membersOf(memberOf(located, name));
    const [only, ...others] = all.filter((branch) => !isNull(branch, root));
    if (only && others.length === 0) return collect(only, all.length > 1);
    for (const branch of all) addLoose(branch);
    return true;
  }

  function addLoose(branch: Located): void {
    // Each branch once, however many schemas share it.
    if (branches.size === branches.add(pointerOf(branch.path)).size) return;
    const found = facetsOf([branch], root, opened, branches);
    loose.push(...(found?.all ?? []), ...(found?.loose ?? []));
  }
}

/** Whether a schema takes null alone. */
export function isNull(schema: Located, root: unknown): boolean {
  const { value } = partBehind(schema, root);
  const [type, list] = [childOf(value, 'type'), childOf(value, 'enum')];
  return (
    type === 'null' ||
    (Array.isArray(list) && list.length > 0 && list.every((each) => each === null)) ||
    (isJsonObject(value) && value['const'] === null)
  );
}

/** The part behind the references at a place. */
function partBehind(located: Located, root: unknown): Located {
  let here = located;
  for (let hops = 0; hops < 100; hops++) {
    const pointer = pointerIn(childOf(here.value, '$ref'));
    if (pointer === undefined) return here;
    here = partAt(pointer, root);
  }
  return here;
}

/** The values of a keyword in several schemas, each where it is. */
export function keyword(facets: readonly LocatedObject[], name: string): readonly Located[] {
  return facets.flatMap((facet) => memberOf(facet, name) ?? []);
}
