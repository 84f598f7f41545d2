import * as z from 'zod/mini';
import { envelope } from '../contract/account.ts';
import type { AccountFields, ResourceDescriptor } from '../contract/descriptor.ts';
import { FIELD_FACTS, flag, unwrapped } from '../contract/field.ts';
import { DESCRIPTORS, RESOURCES, type Descriptors, type Resource } from '../contract/resources.ts';
import { fieldsShownForType } from '../rules/transaction-rules.ts';
import type { OperatorContract, ResourceRules } from './contract.ts';
import { optional, required, shapeUnder, type End } from './narrowed-value.ts';
import { fieldsFor, shapeOf, typesOf, type Shape } from './resource-fields.ts';
import { rulesByCode } from './rules-by-code.ts';

/** The descriptors of the interface, narrowed by what an operator demands. Made once; checks cost as much as without it. */
export function narrowedDescriptors(contract: OperatorContract, end: End): Descriptors {
  const narrowed = RESOURCES.map((resource) => [resource, narrowedDescriptor(resource, contract, end)]);
  return Object.fromEntries(narrowed) as Descriptors;
}

function narrowedDescriptor(resource: Resource, contract: OperatorContract, end: End): object {
  const descriptor: ResourceDescriptor<Record<string, unknown>> = {
    ...(DESCRIPTORS[resource] as ResourceDescriptor<Record<string, unknown>>),
    ...(contract.trims && { trims: true }),
  };
  const rules = contract.resources[resource] as ResourceRules | undefined;
  if (!rules) return descriptor;
  const own = {
    ...descriptor,
    contract: contract.document.title,
    rules: [
      // The operator says which fields each type has.
      ...descriptor.rules.filter((rule) => (rule as unknown) !== fieldsShownForType),
      ...rulesByCode(resource, contract),
    ],
  };
  const account = shapeUnder(
    descriptor.account as Shape,
    rules.account ?? {},
    end,
  ) as unknown as AccountFields;
  const { typeField, endpoint, list } = descriptor;
  const known = typesOf(resource);
  const types = known.length > 0 ? known : Object.keys(rules.types?.of ?? {});
  const byType = new Map(
    types.map((type) => [
      type,
      z.strictObject(shapeUnder(shapeOf(resource, type), fieldsFor(rules, type), end)),
    ]),
  );
  const whole =
    byType.size === 0
      ? z.strictObject(shapeUnder(shapeOf(resource, null), rules.fields ?? {}, end))
      : anyOfTypes(shapeUnder(shapeOf(resource, null), rules.fields ?? {}, end), [...byType.values()]);
  const dryRun = rules.dry_run && (rules.dry_run.required ? 'required' : 'optional');
  const around = {
    ...account,
    ...(dryRun && { dry_run: dryRun === 'required' ? flag() : z.optional(flag()) }),
  };
  return {
    ...own,
    account,
    schema: whole,
    schemaFor: (candidate: unknown) => {
      const type =
        typeField === null ? undefined : (candidate as Readonly<Record<string, unknown>> | null)?.[typeField];
      return (typeof type === 'string' ? byType.get(type) : undefined) ?? whole;
    },
    endpoint: {
      ...endpoint,
      request: envelope(list, around),
      ...(rules.query && { query: { ...endpoint.query, ...rules.query } }),
    },
    ...(rules.max_records !== undefined && { maxRecords: rules.max_records }),
    ...(dryRun && { dryRun }),
  };
}

/**
 * The fields that any type has, for mappings and for records without a known type. A field that some types do not have, or that
 * only some require, is optional. The order is that of the interface, so that added fields come last.
 */
function anyOfTypes(base: Shape, types: readonly z.ZodMiniObject[]): z.ZodMiniObject {
  const shapes = types.map(({ shape }) => shape as Shape);
  const names = new Set([...Object.keys(base), ...shapes.flatMap((shape) => Object.keys(shape))]);
  const fields = [...names].flatMap((name): [string, z.ZodMiniType][] => {
    const schemas = shapes.flatMap((shape) => (Object.hasOwn(shape, name) ? [shape[name]!] : []));
    const [first] = schemas;
    if (!first) return [];
    const isRequired =
      schemas.length === shapes.length && schemas.every((schema) => !(schema instanceof z.ZodMiniOptional));
    // The interface's own schema is wider than those of the types.
    const schema = Object.hasOwn(base, name) && !hasAddedParts(unwrapped(first)) ? base[name]! : first;
    return [[name, isRequired ? required(schema) : optional(schema)]];
  });
  return z.strictObject(Object.fromEntries(fields));
}

/** A list or an object may have gained fields. */
const hasAddedParts = (schema: z.ZodMiniType): boolean => !FIELD_FACTS.has(schema);
