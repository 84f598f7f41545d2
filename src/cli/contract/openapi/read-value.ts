import { isJsonObject } from '../../../core/values/plain-json.ts';
import { FIELD_NAME, type FieldRules } from '../../../core/operator/contract.ts';
import { pointerOf, inside, type Where } from '../../../core/operator/finding.ts';
import { Pattern } from '../../../core/values/pattern.ts';
import { alternativesOf, mappingOf, type FoundTypes } from './alternatives.ts';
import { membersOf, type Located, type LocatedObject } from './document.ts';
import { facetsOf, keyword } from './facets.ts';
import { noteUncheckedKeywords } from './keywords.ts';
import { leafOf } from './leaf.ts';
import { REQUIRED_AT, type ReadValue, type Reading } from './reading.ts';
import { resolve } from './references.ts';
import { readValidators } from './validators.ts';
import { kindOf } from './value-kind.ts';

interface Context {
  readonly where: Where;
  readonly open: ReadonlySet<string>;
  /** Schemas whose types are being read, so that a type which inherits from one has no types again. */
  readonly told?: readonly unknown[];
  readonly depth?: number;
}

const DEEPEST = 64;

/** Reads the schema of one value. */
export function readSchema(schema: Located, where: Where, reading: Reading): ReadValue {
  return readValue([schema], { where, open: new Set() }, reading);
}

/** @param schemas the value has to meet all of them */
function readValue(schemas: readonly Located[], context: Context, reading: Reading): ReadValue {
  const { where, depth = 0 } = context;
  const isTooDeep = depth > DEEPEST;
  if (isTooDeep)
    reading.findings.add('not_understood', where, `is more than ${DEEPEST} levels deep`, schemas[0]!.path);
  const found = isTooDeep ? undefined : facetsOf(schemas, context, reading);
  const from = pointerOf(found?.all.at(0)?.path ?? schemas[0]!.path);
  if (!found) return { from, adds: 'json' };
  const own = { where, open: found.open, depth: depth + 1 };
  const facets: LocatedObject[] = [];
  let types: FoundTypes | undefined;
  let text: Located | undefined;
  let acceptsNull = true;
  // Branches that were not told apart may have any further field.
  let isOpen = false;

  for (const waiting = [...found.all]; waiting.length > 0;) {
    const facet = waiting.shift()!;
    facets.push(facet);
    if (--reading.budget.left < 0) {
      const todo = 'Ask the operator for a document in which schemas do not repeat each other endlessly.';
      throw reading.document.failure(facet.path, 'the references lead to too many schemas', todo);
    }
    for (const name of ['oneOf', 'anyOf'] as const) {
      if (facet.value[name] === undefined || context.told?.includes(facet.value)) continue;
      const alternatives = alternativesOf(facet, name, context, reading);
      if (!alternatives) {
        isOpen = true;
        continue;
      }
      const { isNullable } = alternatives;
      acceptsNull &&= isNullable;
      if (alternatives.kind === 'values') {
        const value = { enum: alternatives.values, nullable: isNullable };
        facets.push({ value, path: [...facet.path, name] });
      } else if (alternatives.kind === 'one') {
        text ??= alternatives.text;
        const branch = facetsOf([alternatives.branch], own, reading);
        if (!branch) return { from, adds: 'json' };
        waiting.push(...branch.all.map((each) => (isNullable ? nullable(each) : each)));
      } else if (types) {
        reading.findings.add('not_understood', where, `a second \`${name}\` is not read`, facet.path);
        isOpen = true;
      } else types = alternatives;
    }
  }
  types ??= typesByMapping(facets, context, reading);
  for (const facet of facets) readValidators(facet, reading, where);
  const { kind, orText } = types
    ? { kind: 'object' as const, orText: false }
    : kindOf(facets, where, reading);
  if (isOpen && kind === 'json') return { from, adds: 'json' };
  noteUncheckedKeywords(facets, kind, where, reading);
  const nullables = facets.map(nullability);
  const isNullable = acceptsNull && nullables.includes('yes') && !nullables.includes('no');
  const common = { from, adds: kind, ...(isNullable && { null: true }), ...deprecationOf(facets) };
  if (kind === 'object') {
    const object = {
      ...common,
      ...fieldsOf(facets, own, reading),
      ...(isOpen && { others: 'any' as const }),
    };
    if (!types) return object;
    const of = readTypes(types, facets, types.told ? context : own, reading);
    const { by } = types;
    return isOfRecord(where)
      ? { ...object, records: { by, of } }
      : {
          ...common,
          types: {
            by,
            of: Object.fromEntries([...of].map(([type, value]) => [type, withoutField(value, by)])),
          },
        };
  }
  const leaf = leafOf(facets, kind, where, reading);
  if (kind === 'list') {
    const items = keyword(facets, 'items');
    const isOfRecords = where.resource !== null && where.field === reading.list;
    const at = { ...own, where: isOfRecords ? { ...where, field: '' } : inside(where, '[]') };
    return { ...common, ...leaf, ...(items.length > 0 && { item: readValue(items, at, reading) }) };
  }
  if (kind !== 'decimal') return { ...common, ...leaf };
  const isNumber = keyword(facets, 'type').every(({ value }) => value !== 'string');
  if (!text && !orText) return { ...common, ...leaf, wire: isNumber ? 'number' : 'string' };
  // A number that may be a text instead. A text that is free may have the digits of any number.
  const { adds: _, null: __, deprecated: ___, ...number } = { ...common, ...leaf };
  const asText = text ? readValue([text], own, reading) : { from, ...leafOf(facets, 'text', where, reading) };
  const isFree = !asText.values && !asText.patterns && !asText.max_length && !asText.min_length;
  return {
    ...asText,
    ...common,
    adds: 'text',
    or: { ...number, adds: 'decimal', ...(!isFree && { wire: 'number' as const }) },
  };
}

/** Whether a place is a record itself, or the body around records. */
const isOfRecord = ({ field, resource }: Where): boolean => field === '' && resource !== null;

/** One type of an object. The field that tells the types apart is known. */
function withoutField({ from, fields = {} }: ReadValue, name: string) {
  const own = Object.entries(fields).filter(([each]) => each !== name);
  return { from, fields: Object.fromEntries(own) as Readonly<Record<string, FieldRules>> };
}

/** A discriminator of a schema from which its types inherit (OpenAPI 3.0.3, "Discriminator Object"). */
function typesByMapping(
  facets: readonly LocatedObject[],
  { where, told = [] }: Context,
  reading: Reading,
): FoundTypes | undefined {
  const holders = facets.filter(
    ({ value }) =>
      value['discriminator'] !== undefined && !value['oneOf'] && !value['anyOf'] && !told.includes(value),
  );
  const [holder] = holders;
  if (!holder) return undefined;
  const { by, of } = mappingOf(holder, reading) ?? {};
  if (holders.length === 1 && by !== undefined && of !== undefined && of.size > 0)
    return { by, of, told: holder.value };
  const says = 'a discriminator without `mapping` and without `oneOf` does not say which types there are';
  reading.findings.add('not_understood', where, says, [...holder.path, 'discriminator']);
  return undefined;
}

function nullable({ value, path }: LocatedObject): LocatedObject {
  return { value: { ...value, nullable: true }, path };
}

/** Whether a schema says that null passes, that it does not pass, or neither. */
function nullability({ value }: LocatedObject): 'yes' | 'no' | 'unsaid' {
  const types = value['type'];
  const values = value['enum'];
  const isListed = !Array.isArray(values) || values.includes(null);
  // A closed list without null has no null, whatever `nullable` says (OpenAPI 3.0.3, "Schema Object").
  if (!isListed) return 'no';
  if (value['nullable'] === true || (Array.isArray(types) && types.includes('null'))) return 'yes';
  if (types !== undefined || value['const'] !== undefined) return 'no';
  return Array.isArray(values) ? 'yes' : 'unsaid';
}

/** The fields of an object, and what else it may contain. An object that nobody describes may contain anything. */
function fieldsOf(
  facets: readonly LocatedObject[],
  context: Context,
  reading: Reading,
): Pick<ReadValue, 'fields' | 'others'> {
  const required = new Set(keyword(facets, 'required').flatMap(({ value }) => value));
  const schemas = new Map<string, Located[]>();
  for (const properties of keyword(facets, 'properties'))
    for (const { key, value, path } of membersOf(properties)) {
      const located = [...(schemas.get(key) ?? []), { value, path }];
      schemas.set(key, located);
    }
  const note = (name: string, says: string, from: Located | undefined): void =>
    reading.findings.add('not_understood', inside(context.where, name), says, from?.path ?? []);
  for (const name of required)
    if (typeof name === 'string' && !schemas.has(name))
      note(name, 'is required and not described', keyword(facets, 'required')[0]);
  const fields = [...schemas].flatMap(([name, located]): [string, ReadValue][] => {
    // Fields of answers are never sent.
    if (located.some((schema) => isOfAnswers(schema, reading))) return [];
    if (!FIELD_NAME.test(name)) {
      note(name, 'has a name that no field can have, so it is left out', located[0]);
      return [];
    }
    const value = readValue(located, { ...context, where: inside(context.where, name) }, reading);
    if (!required.has(name)) return [[name, value]];
    const demanded = { ...value, required: true as const };
    REQUIRED_AT.set(demanded, pointerOf(located[0]!.path));
    return [[name, demanded]];
  });
  const said = [...keyword(facets, 'additionalProperties'), ...keyword(facets, 'unevaluatedProperties')];
  const schema = said.find(({ value }) => isJsonObject(value) && Object.keys(value).length > 0);
  const isClosed = said.some(({ value }) => value === false);
  const isAny = !isClosed && !schema && (said.length > 0 || schemas.size === 0);
  const at = { ...context, where: inside(context.where, '*') };
  return {
    fields: Object.fromEntries(fields),
    ...(isAny && { others: 'any' }),
    ...(!isClosed && schema && { others: readValue([schema], at, reading) as FieldRules }),
  };
}

/** Whether a property is one of answers only. A reference to such a schema is, too. */
function isOfAnswers(schema: Located, { document }: Reading): boolean {
  const parts = [schema, resolve(schema, document)];
  return parts.some(({ value }) => isJsonObject(value) && value['readOnly'] === true);
}

function readTypes(
  { by, of, told }: FoundTypes,
  facets: readonly LocatedObject[],
  context: Context,
  reading: Reading,
): ReadonlyMap<string, ReadValue> {
  const { where } = context;
  const shared = facets.map(withoutAlternatives);
  const types = [...of].map(([type, branch]): [string, ReadValue] => {
    const at = isOfRecord(where) ? { ...where, type } : where;
    const inner = { ...context, where: at, depth: (context.depth ?? 0) + 1 };
    // A type that inherits has the schema of its parent by itself, without its types.
    return told
      ? [type, readValue([branch], { ...inner, told: [...(context.told ?? []), told] }, reading)]
      : [type, readValue([...shared, branch], inner, reading)];
  });
  const usable = types.filter(([type, { fields = {} }]) => takes(fields[by], type));
  if (usable.length > 0) return new Map(usable);
  const says = 'its pattern or its lengths fit no type, so they are not applied';
  reading.findings.add('not_understood', inside(where, by), says, facets[0]!.path);
  return new Map(types);
}

/** Whether the field that tells types apart may have the name of a type. */
function takes(
  { patterns = [], min_length: least = 0, max_length: most = Infinity }: Partial<ReadValue> = {},
  type: string,
): boolean {
  const isLong = type.length >= least && type.length <= most;
  return isLong && patterns.every((pattern) => new Pattern(pattern).test(type));
}

/** A schema without the keywords that were read already. */
function withoutAlternatives({ value, path }: LocatedObject): LocatedObject {
  const { oneOf: _, anyOf: __, discriminator: ___, ...rest } = value;
  return { value: rest, path };
}

function deprecationOf(facets: readonly LocatedObject[]): Pick<ReadValue, 'deprecated'> {
  if (!keyword(facets, 'deprecated').some(({ value }) => value === true)) return {};
  const instead = keyword(facets, 'x-use-instead').find(({ value }) => typeof value === 'string')?.value;
  return { deprecated: instead === undefined ? {} : { instead: instead as string } };
}
