import * as z from 'zod/mini';
import { accountFields } from '../../core/contract/account.ts';
import { FIELD_FACTS, unwrapped } from '../../core/contract/field.ts';
import { DESCRIPTORS, RESOURCES, type Resource } from '../../core/contract/resources.ts';
import type {
  FieldRules,
  Fields,
  ObjectRules,
  OperatorContract,
  ResourceRules,
  ValueKind,
} from '../../core/operator/contract.ts';
import { inside, nameOf, type Findings, type Where } from '../../core/operator/finding.ts';
import { merged, narrower, type Keywords } from '../../core/operator/keyword-changes.ts';
import { interfaceRules, shapeOf, typesOf, type Shape } from '../../core/operator/resource-fields.ts';
import { vitalFields } from '../../core/operator/vital-fields.ts';
import { KIND_WORDS, listed, phrasesOf } from '../../core/operator/words.ts';
import { digitsOf } from './openapi/digits-pattern.ts';
import type { ReadInterface, ReadResource } from './openapi/operations.ts';
import { REQUIRED_AT, type ReadValue } from './openapi/reading.ts';

export interface ContractComparison {
  readonly findings: Findings;
  /** Names of contradictions in which the document is followed. Each that was of use is added to `used`. */
  readonly accept: ReadonlySet<string>;
  readonly used: Set<string>;
}

/** What the document demands of each resource beyond the interface. */
export function compareWithInterface(
  { resources }: ReadInterface,
  comparison: ContractComparison,
): OperatorContract['resources'] {
  const compared = RESOURCES.flatMap((resource): [Resource, ResourceRules][] => {
    const read = resources.get(resource);
    return read ? [[resource, resourceRules(resource, read, comparison)]] : [];
  });
  return Object.fromEntries(compared) as OperatorContract['resources'];
}

function resourceRules(
  resource: Resource,
  { from, account, record, maxRecords, dryRun, query }: ReadResource,
  comparison: ContractComparison,
): ResourceRules {
  const where = { resource, type: null, field: '' };
  const { findings } = comparison;
  const accountRules = compareFields(accountFields, account, where, comparison);
  if (maxRecords !== undefined)
    findings.add('tightens', where, `a request has at most ${maxRecords} records`, from);
  const isSaid = dryRun && (dryRun.required || dryRun.isTrueByDefault);
  if (dryRun) {
    const at = inside(where, 'dry_run');
    findings.add('adds', at, 'asks to validate and to store nothing', dryRun.from);
    const why = dryRun.isTrueByDefault ? 'is true by default' : 'is required';
    if (isSaid) findings.add('tightens', at, `${why}, so every push says that it is false`, dryRun.from);
  }
  return {
    from: record?.from ?? from,
    ...(Object.keys(accountRules).length > 0 && { account: accountRules }),
    ...(maxRecords !== undefined && { max_records: maxRecords }),
    ...(dryRun && { dry_run: { from: dryRun.from, ...(isSaid && { required: true }) } }),
    ...(Object.keys(query).length > 0 && { query }),
    ...(record && recordRules(resource, record, comparison)),
  };
}

function recordRules(
  resource: Resource,
  record: ReadValue,
  comparison: ContractComparison,
): Omit<ObjectRules, 'from'> {
  const { typeField } = DESCRIPTORS[resource];
  const { findings } = comparison;
  const where = { resource, type: null, field: '' };
  const unread = (says: string): Omit<ObjectRules, 'from'> => {
    findings.add('not_understood', where, `${says}: nothing of them is applied`, record.from);
    return {};
  };
  const { records } = record;
  if (records && records.by !== typeField)
    return unread(`its records are told apart by \`${records.by}\`, and not so in the interface`);
  if (record.adds !== 'object') return unread('the records are not objects');
  const types = typesOf(resource);
  if (typeField === null || (types.length === 0 && !records))
    return withFields(compareFields(shapeOf(resource, null), record, where, comparison));

  const all = types.length > 0 ? types : [...records!.of.keys()];
  const described = records ? all.filter((type) => records.of.has(type)) : all;
  const of = described.map((type): [string, ObjectRules] => {
    const value = records?.of.get(type) ?? record;
    const known = records && typeField;
    const fields = compareFields(shapeOf(resource, type), value, { ...where, type }, comparison, known);
    return [type, { from: value.from, fields }];
  });
  const isNarrower = records !== undefined && (described.length < all.length || types.length === 0);
  if (isNarrower)
    findings.add('tightens', inside(where, typeField), `only ${listed(described)}`, record.from);
  const { fields, types: rest } = hoisted(typeField, of);
  const ofType = { [typeField]: { from: record.from, values: described } };
  return { ...withFields({ ...fields, ...(isNarrower && ofType) }), ...(rest && { types: rest }) };
}

function withFields(fields: Fields = {}): Pick<ObjectRules, 'fields'> {
  return Object.keys(fields).length > 0 ? { fields: sorted(fields) } : {};
}

function sorted<T>(fields: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(Object.entries(fields).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** Fields with the same rules in every type, and the fields that differ. */
function hoisted(
  by: string,
  of: readonly (readonly [string, ObjectRules])[],
): Pick<ObjectRules, 'fields' | 'types'> {
  const [first, ...others] = of.map(([, { fields = {} }]) => fields);
  const shared = Object.entries(first ?? {}).filter(([name, rules]) =>
    others.every((fields) => JSON.stringify(fields[name]) === JSON.stringify(rules)),
  );
  const isShared = new Set(shared.map(([name]) => name));
  const rest = of.flatMap(([type, { from, fields = {} }]): [string, ObjectRules][] => {
    const own = Object.entries(fields).filter(([name]) => !isShared.has(name));
    return own.length > 0 ? [[type, { from, fields: sorted(Object.fromEntries(own)) }]] : [];
  });
  return {
    fields: Object.fromEntries(shared),
    ...(rest.length > 0 && { types: { by, of: sorted(Object.fromEntries(rest)) } }),
  };
}

/** @param known a field whose value is known by the type already */
function compareFields(
  shape: Shape,
  { fields = {}, others }: ReadValue,
  where: Where,
  comparison: ContractComparison,
  known?: string,
): Fields {
  const { findings } = comparison;
  // The properties of the first of its schemas.
  const from = Object.values(fields)[0]?.from.replace(/\/[^/]*$/, '') ?? '';
  const own = Object.entries(shape).flatMap(([name, schema]): [string, FieldRules][] => {
    if (name === known) return [];
    const at = inside(where, name);
    const said = fields[name];
    if (said) {
      const rules = compareValue(schema, said, at, comparison);
      return rules ? [[name, rules]] : [];
    }
    if (others !== undefined) return [];
    if (isRequired(schema)) {
      const says = 'is not in the document, and required by the interface, which wins in any case';
      findings.add('contradicts', at, says, from);
      return [];
    }
    findings.add('tightens', at, 'is not a field here', from);
    return [[name, { from, absent: true }]];
  });
  const added = Object.entries(fields).filter(([name]) => !Object.hasOwn(shape, name));
  for (const [name, { deprecated, ...rules }] of added) {
    findings.add('adds', inside(where, name), phrasesOf(rules).join(', '), rules.from);
    if (deprecated) noteDeprecated({ from: rules.from, deprecated }, inside(where, name), findings);
  }
  return sorted(Object.fromEntries([...own, ...added]));
}

function noteDeprecated(rules: FieldRules, where: Where, findings: Findings): void {
  findings.add('deprecates', where, phrasesOf(rules)[0]!, rules.from);
}

/** What the document demands of a value beyond the interface. Undefined when that is nothing. */
function compareValue(
  schema: z.ZodMiniType,
  described: ReadValue,
  where: Where,
  comparison: ContractComparison,
): FieldRules | undefined {
  const { findings } = comparison;
  const { from } = described;
  const inner = unwrapped(schema);
  const base = interfaceRules(schema);
  const said = inFormOf(base.adds!, described);
  if (said.required && !base.required)
    findings.add('tightens', where, 'is required', REQUIRED_AT.get(described) ?? from);
  const isNewlyRequired = said.required && !base.required ? { required: true as const } : {};
  if (said.adds === 'json') return said.required && !base.required ? { from, required: true } : undefined;
  const contradiction = contradictionOf(schema, base.adds!, said);
  if (contradiction !== undefined) {
    const followed = noteContradiction(contradiction, isRequired(schema), { where, from }, comparison);
    return followed ? described : isNewlyRequired.required && { from, ...isNewlyRequired };
  }
  const own = ownRules(schema, base, said);
  for (const says of phrasesOf({ ...own, from, required: undefined, wire: undefined, deprecated: undefined }))
    findings.add('tightens', where, says, from);
  if (own.wire) findings.add('wire', where, `is sent as a ${own.wire}`, from);
  if (own.deprecated) noteDeprecated({ from, deprecated: own.deprecated }, where, findings);
  const rules = { ...own, ...insideOf(inner, said, where, comparison) };
  return Object.keys(rules).length > 0 ? { from, ...rules } : undefined;
}

/** The rules of the value itself that are narrower than those of the interface. */
function ownRules(schema: z.ZodMiniType, base: FieldRules, said: ReadValue): Partial<FieldRules> {
  const inner = unwrapped(schema);
  const isText = base.adds === 'text';
  const isChoice = inner instanceof z.ZodMiniEnum;
  const { min_length: least = 0, max_length: most = Infinity } = said;
  const values = (said.values ?? (isChoice ? base.values : undefined))?.filter(
    (value) =>
      base.adds === 'decimal' ||
      (inner.safeParse(value).success && (!isChoice || (value.length >= least && value.length <= most))),
  );
  const { min_length: _, max_length: __, values: ___, ...others } = said;
  const lengths = isChoice ? {} : { min_length: said.min_length, max_length: said.max_length };
  const than: FieldRules = {
    ...base,
    null: base.null ?? false,
    // A number above zero is at least zero, and an empty list or text may be refused already.
    minimum: base.above,
    min_items: inner.safeParse([]).success ? undefined : 1,
    min_length: isText && !inner.safeParse('').success ? 1 : undefined,
  };
  const rules = narrower(than, { ...others, ...lengths, null: said.null ?? false, values });
  return { ...(isText && said.adds.startsWith('date') && { adds: said.adds }), ...rules };
}

/** The fields of an object and the items of a list. */
function insideOf(
  inner: z.ZodMiniType,
  said: ReadValue,
  where: Where,
  comparison: ContractComparison,
): Pick<FieldRules, 'fields' | 'item'> {
  if (FIELD_FACTS.has(inner)) return {};
  if (inner instanceof z.ZodMiniArray) {
    const element = inner.def.element as z.ZodMiniType;
    const item = said.item && compareValue(element, said.item, inside(where, '[]'), comparison);
    return item ? { item } : {};
  }
  if (said.types) {
    const says = 'its fields depend on a field, and not so in the interface';
    comparison.findings.add('not_understood', where, says, said.from);
    return {};
  }
  const fields = compareFields((inner as z.ZodMiniObject).shape as Shape, said, where, comparison);
  return Object.keys(fields).length > 0 ? { fields } : {};
}

/** A value in the form that the interface has it: a number that may be a text, and a decimal that is described as a text. */
function inFormOf(kind: ValueKind, { or, ...said }: ReadValue): ReadValue {
  if (kind !== 'decimal') return said;
  const { required, null: mayBeNull } = said;
  if (or) return { ...(or as ReadValue), required, null: mayBeNull };
  if (said.adds !== 'text') return said;
  const { patterns = [], ...others } = said;
  const digits = patterns.map((pattern) => digitsOf(pattern));
  const rules = digits.flatMap((each): Keywords[] =>
    each ? [{ from: '', digits: each, minimum: each.isSigned ? undefined : '0' }] : [],
  );
  const rest = patterns.filter((_, index) => !digits[index]);
  return {
    ...others,
    ...merged(rules, said.from),
    adds: 'decimal',
    wire: 'string',
    ...(rest.length > 0 && { patterns: rest }),
  };
}

/** Which kinds of the document a kind of the interface agrees with. A text of the document may be any text. */
const AGREEING: Readonly<Partial<Record<ValueKind, readonly ValueKind[]>>> = {
  text: ['text', 'date', 'datetime'],
  date: ['date', 'text'],
  datetime: ['datetime', 'text'],
};

/** Why a value of the document cannot be a value of the interface; undefined when both go together. */
function contradictionOf(schema: z.ZodMiniType, kind: ValueKind, said: ReadValue): string | undefined {
  const isDecimalText = kind === 'text' && said.adds === 'decimal' && said.wire === 'string';
  if (!isDecimalText && !(AGREEING[kind] ?? [kind]).includes(said.adds))
    return `is ${KIND_WORDS[said.adds]}, and ${KIND_WORDS[kind]} in the interface`;
  const inner = unwrapped(schema);
  const isUsable = !said.values || said.values.some((value) => inner.safeParse(value).success);
  if (kind !== 'text' || isUsable) return undefined;
  return `has no value that the interface has: ${listed(said.values!) || 'its list is empty'}`;
}

/** Whether the document is followed in a contradiction. */
function noteContradiction(
  contradiction: string,
  isNeeded: boolean,
  { where, from }: { where: Where; from: string },
  { accept, used, findings }: ContractComparison,
): boolean {
  const { resource, type, field } = where;
  const isVital = resource !== null && vitalFields(resource).includes(field);
  // A name without a type means every type.
  const names = [[], ...(type === null ? [] : [[type]])].map((types) => nameOf({ resource, types, field }));
  const name = isVital ? undefined : names.find((each) => accept.has(each));
  if (name !== undefined) used.add(name);
  const accepted = isVital ? undefined : name !== undefined;
  const why = isVital ? ', which wins: records are told apart, dated and added up by it' : '';
  // Fields of the record itself: an object or a list around a field may be left out.
  if (isNeeded && !accepted && /^\w+$/.test(field)) {
    const says = `${contradiction}${why}: every such record would be refused`;
    findings.addFailure('contradicts', where, says, from, accepted as false | undefined);
  } else findings.add('contradicts', where, `${contradiction}${why}`, from, accepted);
  return accepted ?? false;
}

const isRequired = (schema: z.ZodMiniType): boolean => !(schema instanceof z.ZodMiniOptional);
