import {
  childOf,
  facetsOf,
  isNull,
  keyword,
  memberOf,
  membersOf,
  pointerIn,
  type Located,
} from '../../../core/operator/located.ts';

/** Types of objects, each with its schema, and the field that tells them apart. */
export type FoundTypes = { readonly by: string; readonly of: readonly (readonly [string, Located])[] };

/**
 * Tells the branches of `oneOf` or `anyOf` apart: by `discriminator.mapping`, by a `const` or a one-value `enum` of a field, then by
 * the names of their schemas, never by trying them. Undefined when that is impossible.
 */
export function typesOf(holder: Located, root: unknown): FoundTypes | undefined {
  const branches = ['oneOf', 'anyOf']
    .flatMap((name) => membersOf(memberOf(holder, name)))
    .filter((branch) => !isNull(branch, root));
  const discriminator = memberOf(holder, 'discriminator');
  const property = childOf(discriminator?.value, 'propertyName');
  if (typeof property === 'string') {
    const mapped = membersOf(memberOf(discriminator!, 'mapping')).map(({ key, value, path }) => {
      const target = { value: { $ref: typeof value === 'string' ? asReference(value) : value }, path };
      return [key, target] as const;
    });
    const known = new Set(mapped.map(([, { value }]) => value.$ref));
    if (mapped.length > 0) {
      const others = branches.filter(({ value }) => !known.has(childOf(value, '$ref')));
      const named = others.flatMap((branch) => nameOf(branch) ?? []);
      return { by: property, of: [...mapped, ...named.map((name, at) => [name, others[at]!] as const)] };
    }
  }
  if (branches.length < 2) return undefined;
  const candidates = typeof property === 'string' ? [property] : fieldsOf(branches[0]!, root);
  for (const by of candidates) {
    const values = branches.flatMap((branch) => onlyValueOf(branch, by, root) ?? []);
    const names =
      values.length === branches.length
        ? values
        : by === property
          ? branches.flatMap((each) => nameOf(each) ?? [])
          : [];
    if (new Set(names).size === branches.length)
      return { by, of: names.map((name, at) => [name, branches[at]!] as const) };
  }
  return undefined;
}

/** A mapping may name a schema of the components instead of referring to it. */
function asReference(target: string): string {
  return /^[\w.-]+$/.test(target) ? `#/components/schemas/${target}` : target;
}

/** The name of the schema that a branch refers to. */
function nameOf({ value }: Located): string | undefined {
  return pointerIn(childOf(value, '$ref'))?.split('/').at(-1);
}

function onlyValueOf(branch: Located, field: string, root: unknown): string | undefined {
  const facets = facetsOf([branch], root)?.all ?? [];
  const schemas = keyword(facets, 'properties').flatMap((properties) => memberOf(properties, field) ?? []);
  const said = facetsOf(schemas, root)?.all ?? [];
  const values = [
    ...keyword(said, 'const').map(({ value }) => value),
    ...keyword(said, 'enum').flatMap(({ value }) =>
      Array.isArray(value) && value.length === 1 ? (value as unknown[]) : [],
    ),
  ];
  return typeof values[0] === 'string' ? values[0] : undefined;
}

function fieldsOf(branch: Located, root: unknown): readonly string[] {
  const facets = facetsOf([branch], root)?.all ?? [];
  return keyword(facets, 'properties').flatMap((properties) => membersOf(properties).map(({ key }) => key));
}
