import type { Fields } from '../../../core/operator/contract.ts';
import { childOf } from '../../../core/values/plain-json.ts';
import { fieldOfSchemas, partsOf } from './fields.ts';
import { memberOf, membersOf, pointerIn, type Located } from './located.ts';

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
  const mapped = membersOf(discriminator && memberOf(discriminator, 'mapping')).map(
    ({ key, value, path }) => {
      const target = { value: { $ref: typeof value === 'string' ? asReference(value) : value }, path };
      return [key, target] as const;
    },
  );
  if (typeof property === 'string' && mapped.length > 0) {
    const known = new Set(mapped.map(([, { value }]) => value.$ref));
    const others = branches.filter(({ value }) => !known.has(childOf(value, '$ref')));
    const named = others.flatMap((branch) => nameOf(branch) ?? []);
    return { by: property, of: [...mapped, ...named.map((name, at) => [name, others[at]!] as const)] };
  }
  if (branches.length < 2) return undefined;
  const fields = branches.map((branch): Fields => fieldOfSchemas([branch], root).fields ?? {});
  for (const by of typeof property === 'string' ? [property] : Object.keys(fields[0]!)) {
    const values = fields.map((each) => each[by]?.values ?? []);
    const isTold = values.every((each) => each.length === 1);
    const names = isTold
      ? values.flat()
      : by === property
        ? branches.flatMap((each) => nameOf(each) ?? [])
        : [];
    if (new Set(names).size === branches.length)
      return { by, of: names.map((name, at) => [name, branches[at]!] as const) };
  }
  return undefined;
}

/** Whether a schema takes null alone. */
export function isNull(schema: Located, root: unknown): boolean {
  const parts = partsOf([schema], root)?.all ?? [];
  return parts.some(({ value: { type, enum: list, const: constant } }) => {
    const values = Array.isArray(list) && list.length > 0 ? (list as unknown[]) : [constant];
    return type === 'null' || values.every((each) => each === null);
  });
}

/** A mapping may name a schema of the components instead of referring to it. */
function asReference(target: string): string {
  return /^[\w.-]+$/.test(target) ? `#/components/schemas/${target}` : target;
}

function nameOf({ value }: Located): string | undefined {
  return pointerIn(childOf(value, '$ref'))?.split('/').at(-1);
}
