import { isJsonObject } from '../../../core/values/plain-json.ts';
import type { Where } from '../../../core/operator/finding.ts';
import { memberOf, membersOf, type Located, type LocatedObject } from './document.ts';
import type { Reading } from './reading.ts';
import { resolve } from './references.ts';

/** The schemas that a value has to meet all at once: a schema, those of its `allOf`, and those that they refer to. */
export interface Facets {
  readonly all: readonly LocatedObject[];
  /** Pointers of the references that lead here, so that a schema inside itself is noticed. */
  readonly open: ReadonlySet<string>;
}

/**
 * Collects the schemas behind references and `allOf`. Undefined when one of them cannot be read; the reason is a finding.
 * @throws AppError `operator_document_invalid` for references that lead nowhere, outside or in a circle
 */
export function facetsOf(
  schemas: readonly Located[],
  { where, open }: { where: Where; open: ReadonlySet<string> },
  { document, findings }: Reading,
): Facets | undefined {
  const all: LocatedObject[] = [];
  const opened = new Set(open);
  const isRead = schemas.every((schema) => collect(schema, new Set()));
  return isRead ? { all, open: opened } : undefined;

  /** `trail`: the references on the way through `allOf`. */
  function collect(located: Located, trail: ReadonlySet<string>): boolean {
    const { by, value, path } = resolve(located, document);
    if (by.some((pointer) => trail.has(pointer))) {
      const todo = 'Ask the operator to correct the document.';
      throw document.failure(located.path, 'the references of `allOf` lead in a circle', todo);
    }
    if (by.some((pointer) => open.has(pointer))) {
      findings.add('not_understood', where, 'contains itself, so it has no end', located.path);
      return false;
    }
    for (const pointer of by) opened.add(pointer);
    if (by.length > 0) all.push(...besideReference(located));
    if (value === true) return true;
    if (!isJsonObject(value)) {
      findings.add('not_understood', where, 'is not described by an object', located.path);
      return false;
    }
    if (all.some((facet) => facet.value === value)) return true;
    all.push({ value, path });
    const parts = membersOf(memberOf({ value, path }, 'allOf'));
    return parts.every((part) => collect(part, new Set([...trail, ...by])));
  }

  /** The keys beside a reference. They count in OpenAPI 3.1; in 3.0 extensions and `deprecated` are read all the same. */
  function besideReference({ value, path }: Located): readonly LocatedObject[] {
    const read = Object.entries(value as object).filter(
      ([name]) => name !== '$ref' && (!document.is30 || name.startsWith('x-') || name === 'deprecated'),
    );
    return read.length === 0 ? [] : [{ value: Object.fromEntries(read), path }];
  }
}

/** The values of a keyword in several schemas, each where it is. */
export function keyword(facets: readonly LocatedObject[], name: string): readonly Located[] {
  return facets.flatMap((facet) => memberOf(facet, name) ?? []);
}
