import * as z from 'zod/mini';
import { accountFields } from '../contract/account.ts';
import { FIELD_FACTS, unwrapped } from '../contract/field.ts';
import { RESOURCES, type Resource } from '../contract/resources.ts';
import { shapeOf, typesOf } from './resource-fields.ts';
import type { FieldRules, Fields, OperatorContract } from './contract.ts';
import { phrasesOf } from './words.ts';

/** A field under a contract, as a person reads it. */
export interface ListedField {
  /** `line_items[].params.register`. */
  readonly field: string;
  readonly isRequired: boolean;
  /** What the field has to be, joined with commas. */
  readonly says: string;
  /** JSON pointer into the operator's document; null when the interface alone decides. */
  readonly from: string | null;
  /** What the operator says of the field itself; null when it says nothing. */
  readonly rules: FieldRules | null;
}

/** The fields of the records of one type. */
export interface ListedType {
  readonly resource: Resource;
  /** Null for a resource without types. */
  readonly type: string | null;
  readonly fields: readonly ListedField[];
}

/** Every field of every type under a contract: those of the interface and those of the operator. */
export function listingOf({ resources }: OperatorContract): readonly ListedType[] {
  return RESOURCES.flatMap((resource) => {
    const rules = resources[resource] ?? { from: '' };
    const known = typesOf(resource);
    const types = known.length > 0 ? known : Object.keys(rules.types?.of ?? {});
    return (types.length > 0 ? types : [null]).map((type) => ({
      resource,
      type,
      fields: [
        ...listed(accountFields, rules.account ?? {}, ''),
        ...listed(shapeOf(resource, type), fieldsFor(rules, type), ''),
      ],
    }));
  });
}

/** The rules of the fields of one type: those for every type, and its own. */
export function fieldsFor(
  { fields = {}, types }: Pick<FieldRules, 'fields' | 'types'>,
  type: string | null,
): Fields {
  const own = type !== null && types && Object.hasOwn(types.of, type) ? types.of[type]!.fields : undefined;
  return { ...fields, ...own };
}

function listed(
  shape: Readonly<Record<string, z.ZodMiniType>>,
  rules: Fields,
  prefix: string,
): readonly ListedField[] {
  const own = Object.entries(shape).flatMap(([name, schema]) =>
    listedValue(prefix + name, Object.hasOwn(rules, name) ? rules[name]! : null, schema),
  );
  const added = Object.entries(rules).filter(([name]) => !Object.hasOwn(shape, name));
  return [...own, ...added.flatMap(([name, rule]) => listedValue(prefix + name, rule, undefined))];
}

function listedValue(
  field: string,
  rules: FieldRules | null,
  schema: z.ZodMiniType | undefined,
): readonly ListedField[] {
  const base = schema && !rules?.adds ? interfaceRules(schema) : undefined;
  const { absent, ...merged } = {
    from: '',
    ...base,
    ...(rules?.values && { min_length: undefined }),
    ...rules,
    digits: rules?.digits || base?.digits ? { ...base?.digits, ...rules?.digits } : undefined,
  };
  const shown: FieldRules = absent ? { from: '', absent } : merged;
  const { fields: _, types: __, item: ___, ...flat } = rules ?? { from: '' };
  const row: ListedField = {
    field,
    isRequired: shown.required ?? false,
    says: phrasesOf(shown).join(', '),
    from: rules?.from ?? null,
    rules: rules && flat,
  };
  if (absent) return [row];
  const inner = schema && !rules?.adds ? unwrapped(schema) : undefined;
  const element = inner instanceof z.ZodMiniArray ? (inner.def.element as z.ZodMiniType) : undefined;
  return [row, ...insideOf(field, rules, inner), ...itemOf(field, rules?.item ?? null, element)];
}

/** The item of a list. A list of objects has the fields of its items without a row for the item. */
function itemOf(
  field: string,
  rules: FieldRules | null,
  element: z.ZodMiniType | undefined,
): readonly ListedField[] {
  if (!rules && !element) return [];
  const rows = listedValue(`${field}[]`, rules, element);
  const isObject = element ? !FIELD_FACTS.has(unwrapped(element)) : rules?.adds === 'object';
  return isObject ? rows.slice(1) : rows;
}

function insideOf(
  field: string,
  rules: FieldRules | null,
  schema: z.ZodMiniType | undefined,
): readonly ListedField[] {
  const shape =
    schema instanceof z.ZodMiniObject ? (schema.shape as Readonly<Record<string, z.ZodMiniType>>) : {};
  const types = Object.entries(rules?.types?.of ?? {});
  return [
    ...listed(shape, rules?.fields ?? {}, `${field}.`),
    ...types.flatMap(([type, { fields = {} }]) => listed({}, fields, `${field}(${type}).`)),
  ];
}

/** What the interface says of a value, in the words of a contract. */
export function interfaceRules(schema: z.ZodMiniType): FieldRules {
  const inner = unwrapped(schema);
  const facts = FIELD_FACTS.get(inner);
  const isRequired = !(schema instanceof z.ZodMiniOptional);
  const adds = facts?.kind ?? (inner instanceof z.ZodMiniArray ? 'list' : 'object');
  const { whole, places, positive } = facts?.bounds ?? {};
  const isChoice = inner instanceof z.ZodMiniEnum;
  const isMinor = facts?.unit === 'minor';
  return {
    from: '',
    adds,
    ...(isRequired && { required: true }),
    ...(isChoice && { values: Object.values(inner.def.entries).map(String) }),
    ...(facts?.max !== undefined && { max_length: facts.max }),
    ...(facts?.kind === 'text' &&
      !facts.mayBeEmpty &&
      facts.max === undefined &&
      !isChoice && { min_length: 1 }),
    ...(isMinor ? { digits: { whole: 15, places: 0 } } : facts?.bounds && { digits: { whole, places } }),
    ...(positive && { above: '0' }),
    ...(schema.safeParse(null).success && { null: true }),
  };
}
