import { isJsonObject } from '../../../core/values/plain-json.ts';
import { pointerOf, type Where } from '../../../core/operator/finding.ts';
import { memberOf, membersOf, pathOfPointer, type Located, type LocatedObject } from './document.ts';
import { facetsOf, keyword } from './facets.ts';
import type { Reading } from './reading.ts';
import { resolve } from './references.ts';

/** One branch of `oneOf` or `anyOf`. */
type Branch = Readonly<{ located: Located; facets: readonly LocatedObject[] }>;

/** What `oneOf` or `anyOf` comes down to. */
export type Alternatives = { readonly isNullable: boolean } & (
  | {
      /** One schema, beside null perhaps. */
      readonly kind: 'one';
      readonly branch: Located;
      /** The text that the number of the branch may be instead. */
      readonly text?: Located | undefined;
    }
  /** Closed lists of values, which together are one. */
  | Readonly<{ kind: 'values'; values: readonly unknown[] }>
  /** Objects, told apart by the value of a field. */
  | ({ readonly kind: 'types' } & FoundTypes)
);

/** Types of objects. `told`: the schema that tells them apart, if they have it among their own schemas. */
export type FoundTypes = {
  readonly by: string;
  readonly of: ReadonlyMap<string, Located>;
  readonly told?: unknown;
};

/**
 * Tells the branches of `oneOf` or `anyOf` apart: by `discriminator.mapping`, then by a `const` or a one-value `enum` of the
 * discriminator, never by trying them. Undefined when that is impossible; the reason is a finding.
 */
export function alternativesOf(
  holder: LocatedObject,
  name: 'oneOf' | 'anyOf',
  context: { where: Where; open: ReadonlySet<string> },
  reading: Reading,
): Alternatives | undefined {
  const { findings } = reading;
  const from = pointerOf([...holder.path, name]);
  const branches: Branch[] = [];
  let isNullable = false;
  for (const located of membersOf(memberOf(holder, name))) {
    const facets = facetsOf([located], context, reading);
    if (!facets) return undefined;
    if (isNull(facets.all)) isNullable = true;
    else branches.push({ located, facets: facets.all });
  }
  const [only, ...others] = branches;
  if (!only) {
    findings.add('not_understood', context.where, `\`${name}\` has no branch with a value`, from);
    return undefined;
  }
  const isTold = (mappingOf(holder, reading)?.of.size ?? 0) > 0;
  if (others.length === 0 && !isTold) return { kind: 'one', branch: only.located, isNullable };

  const lists = branches.map(({ facets }) => valuesOf(facets));
  if (lists.every((list) => list !== undefined))
    return { kind: 'values', values: [...new Set(lists.flat())], isNullable };

  // A value that may travel as a number or as a text.
  const numbers = branches.filter(({ facets }) => isOfType(facets, ['number', 'integer']));
  const [text, ...more] = branches.filter((branch) => !numbers.includes(branch));
  if (numbers.length === 1 && more.length === 0 && isOfType(text!.facets, ['string']))
    return { kind: 'one', branch: numbers[0]!.located, isNullable, text: text!.located };

  const types = typesOf(holder, branches, { where: context.where, from, name }, reading);
  const isInherited = branches.some(({ facets }) => facets.some(({ value }) => value === holder.value));
  return types && { kind: 'types', ...types, isNullable, ...(isInherited && { told: holder.value }) };
}

function typesOf(
  holder: LocatedObject,
  branches: readonly Branch[],
  { where, from, name }: { where: Where; from: string; name: string },
  { document, findings }: Reading,
): FoundTypes | undefined {
  const discriminator = memberOf(holder, 'discriminator');
  const property = discriminator && memberOf(discriminator, 'propertyName')?.value;
  const mapped = mappingOf(holder, { document });
  if (mapped && mapped.of.size > 0) {
    const { of } = mapped;
    const unmapped = branches.filter(
      ({ facets }) =>
        ![...of.values()].some((target) =>
          facets.some(({ value }) => value === resolve(target, document).value),
        ),
    );
    for (const { located } of unmapped) {
      const says = `a branch of \`${name}\` is not in the mapping of the discriminator, so no record is ever of it`;
      findings.add('not_understood', where, says, located.path);
    }
    return mapped;
  }
  const candidates = typeof property === 'string' ? [property] : fieldsOf(branches[0]!);
  for (const by of candidates) {
    const names = namesOf(branches, by, by === property);
    if (names) return { by, of: new Map(names.map((value, index) => [value, branches[index]!.located])) };
  }
  findings.add(
    'not_understood',
    where,
    `\`${name}\` has ${branches.length} branches that cannot be told apart: neither a mapping of a discriminator nor a field with one value in each`,
    from,
  );
  return undefined;
}

/** The field and the schemas of a discriminator; no schemas when it has no mapping. Undefined without a discriminator. */
export function mappingOf(holder: Located, { document }: Pick<Reading, 'document'>): FoundTypes | undefined {
  const discriminator = memberOf(holder, 'discriminator');
  const by = discriminator && memberOf(discriminator, 'propertyName')?.value;
  if (typeof by !== 'string') return undefined;
  const of = membersOf(memberOf(discriminator!, 'mapping')).map(({ key, value, path }): [string, Located] => {
    const reference = typeof value === 'string' ? asReference(value) : value;
    // A mapping to nothing is as wrong as a reference to nothing.
    resolve({ value: { $ref: reference }, path }, document, path);
    return [key, { value: { $ref: reference }, path }];
  });
  return { by, of: new Map(of) };
}

/** A mapping may name a schema of the components instead of referring to it. */
function asReference(target: string): string {
  return /^[\w.-]+$/.test(target) ? `#/components/schemas/${target}` : target;
}

/**
 * What a field says in each branch, if no two branches have the same: its one value or, for a discriminator without a mapping, the name
 * of the schema.
 */
function namesOf(
  branches: readonly Branch[],
  field: string,
  isDiscriminator: boolean,
): readonly string[] | undefined {
  const names = branches.flatMap(({ located, facets }): readonly string[] => {
    const schemas = keyword(facets, 'properties').flatMap((properties) => memberOf(properties, field) ?? []);
    const list = valuesOf(schemas.filter((schema): schema is LocatedObject => isJsonObject(schema.value)));
    const [only, ...more] = list ?? [];
    if (typeof only === 'string' && more.length === 0) return [only];
    const reference = isDiscriminator && isJsonObject(located.value) ? located.value['$ref'] : undefined;
    if (typeof reference !== 'string') return [];
    const name = String(pathOfPointer(reference, undefined).at(-1));
    return list === undefined || list.includes(name) ? [name] : [];
  });
  return new Set(names).size === branches.length ? names : undefined;
}

function fieldsOf({ facets }: Branch): readonly string[] {
  return keyword(facets, 'properties').flatMap((properties) => membersOf(properties).map(({ key }) => key));
}

/** The closed list of values of a schema that says nothing else; undefined when there is none. */
function valuesOf(facets: readonly LocatedObject[]): readonly unknown[] | undefined {
  const constants = keyword(facets, 'const').map(({ value }) => [value]);
  const lists = keyword(facets, 'enum').map(({ value }) =>
    Array.isArray(value) ? (value as unknown[]) : [],
  );
  const [first, ...others] = [...constants, ...lists];
  return first?.filter((value) => others.every((list) => list.includes(value)));
}

function isNull(facets: readonly LocatedObject[]): boolean {
  const values = valuesOf(facets);
  return (
    keyword(facets, 'type').some(({ value }) => value === 'null') ||
    (values !== undefined && values.length > 0 && values.every((value) => value === null))
  );
}

function isOfType(facets: readonly LocatedObject[], types: readonly string[]): boolean {
  return keyword(facets, 'type').some(({ value }) => types.includes(value as string));
}
