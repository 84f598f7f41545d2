import type { Fields } from '../../../core/operator/contract.ts';
import { childOf } from '../../../core/values/plain-json.ts';
import { fieldOfSchemas, partsOf, typesIn } from './fields.ts';
import { memberOf, membersOf, type Located } from './located.ts';

/** Types of objects, each with its schema, and the field that tells them apart. */
export type FoundTypes = { readonly by: string; readonly of: readonly (readonly [string, Located])[] };

/**
 * Tells the branches of `oneOf` or `anyOf` apart: by `discriminator`, or by a `const` or a one-value `enum` of a field, never by trying
 * them. Undefined when that is impossible.
 */
export function typesOf(holder: Located, root: unknown): FoundTypes | undefined {
  const discriminator = memberOf(holder, 'discriminator');
  const property = childOf(discriminator?.value, 'propertyName');
  const mapped = membersOf(discriminator && memberOf(discriminator, 'mapping'));
  if (typeof property === 'string' && mapped.length > 0)
    return {
      by: property,
      of: mapped.map(({ key, value, at }) => [key, { value: { $ref: asReference(value) }, at }]),
    };
  const branches = ['oneOf', 'anyOf']
    .flatMap((name) => membersOf(memberOf(holder, name)))
    .filter((branch) => !isNull(branch, root));
  if (branches.length < 2) return undefined;
  const fields = branches.map((branch): Fields => fieldOfSchemas([branch], root).fields ?? {});
  for (const by of typeof property === 'string' ? [property] : Object.keys(fields[0]!)) {
    const values = fields.map((each) => each[by]?.values ?? []);
    const isTold =
      values.every((each) => each.length === 1) && new Set(values.flat()).size === branches.length;
    if (isTold) return { by, of: branches.map((branch, at) => [values[at]![0]!, branch]) };
  }
  // Without a mapping a value is the name of its schema (OpenAPI, "Discriminator Object"). Names such as ChargeBody are no values.
  const named = branches.map((branch) => VALUE_NAME.exec(String(childOf(branch.value, '$ref')))?.[0]);
  const isNamed = typeof property === 'string' && !named.includes(undefined);
  return isNamed ? { by: property, of: branches.map((branch, at) => [named[at]!, branch]) } : undefined;
}

const VALUE_NAME = /(?<=\/)[A-Z][A-Z0-9_]*$/;

/** Whether a schema takes null alone. */
export function isNull(schema: Located, root: unknown): boolean {
  const types = (partsOf([schema], root)?.all ?? []).map(({ value }) => [...typesIn(value)].join());
  return types.includes('null');
}

/** A mapping may name a schema of the components instead of referring to it. */
function asReference(target: unknown): unknown {
  return typeof target === 'string' && /^[\w.-]+$/.test(target) ? `#/components/schemas/${target}` : target;
}
