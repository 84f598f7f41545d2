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
  /** Everything on the way to the schemas. A reader that applies them notes that a request uses it. */
  readonly passed: readonly unknown[];
}

/**
 * Collects the schemas behind references and `allOf`. Undefined when one of them cannot be read; the reason is a finding.
 * @throws AppError `operator_document_invalid` for references that lead nowhere, outside or in a circle
 */
export function facetsOf(
  schemas: readonly Located[],
  { where, open }: { where: Where; open: ReadonlySet<string> },
  reading: Reading,
): Facets | undefined {
  const all: LocatedObject[] = [];
  const passed: unknown[] = [];
  const opened = new Set(open);
  const isRead = schemas.every((schema) => collect(schema, new Set()));
  return isRead ? { all, open: opened, passed } : undefined;

  /** `trail`: the references on the way through `allOf`. */
  function collect(located: Located, trail: ReadonlySet<string>): boolean {
    const { document, findings } = reading;
    const resolved = resolve(located, document);
    passed.push(...resolved.passed);
    if (resolved.by.some((pointer) => trail.has(pointer))) {
      const todo = 'Ask the operator to correct the document.';
      throw document.failure(located.path, 'the references of `allOf` lead in a circle', todo);
    }
    if (resolved.by.some((pointer) => open.has(pointer))) {
      findings.add('not_understood', where, 'contains itself, so it has no end', located.path);
      return false;
    }
    for (const pointer of resolved.by) opened.add(pointer);
    if (resolved.by.length > 0) all.push(...siblings(located));
    const { value, path } = resolved;
    if (value === true) return true;
    if (!isJsonObject(value)) {
      findings.add('not_understood', where, 'is not described by an object', located.path);
      return false;
    }
    if (all.some((facet) => facet.value === value)) return true;
    all.push({ value, path });
    const parts = membersOf(memberOf({ value, path }, 'allOf'));
    return parts.every((part) => collect(part, new Set([...trail, ...resolved.by])));
  }

  /** The keys beside a reference. They count in OpenAPI 3.1; in 3.0 extensions and `deprecated` are read all the same. */
  function siblings({ value, path }: Located): readonly LocatedObject[] {
    const entries = Object.entries(value as object).filter(([name]) => name !== '$ref') as [
      string,
      unknown,
    ][];
    const isRead = ([name]: readonly [string, unknown]): boolean =>
      !reading.document.is30 || name.startsWith('x-') || name === 'deprecated';
    for (const [name] of entries.filter((entry) => !isRead(entry) && !WORDS.has(entry[0]))) {
      const says = `\`${name}\` beside a reference has no effect in OpenAPI 3.0`;
      reading.findings.add('ignored', where, says, [...path, name]);
    }
    const read = entries.filter(isRead);
    return read.length === 0 ? [] : [{ value: Object.fromEntries(read), path }];
  }
}

const WORDS: ReadonlySet<string> = new Set(['title', 'summary', 'description', 'example', 'examples']);

/** The values of a keyword in several schemas, each where it is. */
export function keyword(facets: readonly LocatedObject[], name: string): readonly Located[] {
  return facets.flatMap((facet) => memberOf(facet, name) ?? []);
}
