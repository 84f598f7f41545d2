import { isJsonObject } from '../../values/plain-json.ts';
import { isPattern, type Digits } from '../contract.ts';
import { inside, type Where } from '../finding.ts';
import { alternativesOf } from './alternatives.ts';
import { boundsOf } from './bounds.ts';
import { digitsOf } from './digits-pattern.ts';
import { memberOf, membersOf, pointerOf, type Located, type LocatedObject } from './document.ts';
import { facetsOf, keyword } from './facets.ts';
import type { ReadKind, ReadMember, ReadMembers, ReadTypes, ReadValue, Reading } from './reading.ts';
import { readValidators } from './validators.ts';

/** Most values of a closed list. */
const MOST_VALUES = 5_000;

interface Context {
  readonly where: Where;
  readonly open: ReadonlySet<string>;
}

/** Reads the schema of one value. Undefined when it is not understood; the reason is a finding. */
export function readSchema(schema: Located, where: Where, reading: Reading): ReadValue | undefined {
  return readValue([schema], { where, open: new Set() }, reading);
}

/** @param schemas the value has to meet all of them */
function readValue(schemas: readonly Located[], context: Context, reading: Reading): ReadValue | undefined {
  const found = facetsOf(schemas, context, reading);
  if (!found) return undefined;
  const { where } = context;
  const from = pointerOf(found.all.at(0)?.path ?? schemas[0]!.path);
  const own = { where, open: found.open };
  const facets: LocatedObject[] = [];
  let types: { by: string; of: ReadonlyMap<string, Located> } | undefined;
  let acceptsNull = true;

  for (const waiting = [...found.all]; waiting.length > 0;) {
    const facet = waiting.shift()!;
    facets.push(facet);
    for (const name of ['oneOf', 'anyOf'] as const) {
      if (facet.value[name] === undefined) continue;
      const alternatives = alternativesOf(facet, name, own, reading);
      if (!alternatives) return undefined;
      acceptsNull &&= alternatives.isNullable;
      if (alternatives.kind === 'values')
        facets.push({
          value: { enum: alternatives.values, nullable: alternatives.isNullable },
          path: [...facet.path, name],
        });
      else if (alternatives.kind === 'one') {
        const branch = facetsOf([alternatives.branch], own, reading);
        if (!branch) return undefined;
        waiting.push(...branch.all.map((each) => (alternatives.isNullable ? nullable(each) : each)));
      } else if (types) {
        reading.findings.add(
          'not_understood',
          where,
          `a second \`${name}\` is not read`,
          pointerOf(facet.path),
        );
        return undefined;
      } else types = alternatives;
    }
  }
  for (const facet of facets) {
    noteOtherKeywords(facet, where, reading);
    readValidators(facet, reading, where);
  }
  const kind = types ? 'object' : kindOf(facets, where, reading);
  if (!kind) return undefined;
  const nullables = facets.map(nullability);
  const common = {
    from,
    patterns: [],
    isNullable: acceptsNull && nullables.includes('yes') && !nullables.includes('no'),
    ...deprecationOf(facets),
  };
  if (kind === 'object') {
    const members = readMembers(facets, own, reading);
    return { ...common, kind, members, ...(types && { types: readTypes(types, facets, own, reading) }) };
  }
  if (kind === 'list') {
    const items = keyword(facets, 'items');
    const item =
      items.length === 0
        ? { from, kind: 'json' as const, isNullable: true, patterns: [] }
        : readValue(items, { ...own, where: inside(where, '[]') }, reading);
    return { ...common, kind, item, ...countsOf(facets, 'minItems', 'maxItems') };
  }
  return { ...common, kind, ...leafOf(facets, kind, where, reading) };
}

function nullable({ value, path }: LocatedObject): LocatedObject {
  return { value: { ...value, nullable: true }, path };
}

/** Whether a schema says that null passes, that it does not pass, or neither. */
function nullability({ value }: LocatedObject): 'yes' | 'no' | 'unsaid' {
  const types = value['type'];
  const values = value['enum'];
  const isListed = !Array.isArray(values) || values.includes(null);
  if (value['nullable'] === true || (Array.isArray(types) && types.includes('null'))) return 'yes';
  if (!isListed || types !== undefined || value['const'] !== undefined) return 'no';
  return Array.isArray(values) ? 'yes' : 'unsaid';
}

const KINDS: Readonly<Record<string, ReadKind>> = {
  string: 'text',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  object: 'object',
  array: 'list',
};

function kindOf(facets: readonly LocatedObject[], where: Where, { findings }: Reading): ReadKind | undefined {
  const said = keyword(facets, 'type').map(({ value }) =>
    (Array.isArray(value) ? (value as unknown[]) : [value]).filter((type) => type !== 'null'),
  );
  const [first = inferred(facets), ...others] = said;
  const kinds = new Set(
    first
      .filter((type) =>
        others.every((list) => list.includes(type) || (type === 'integer' && list.includes('number'))),
      )
      .map((type) => KINDS[type as string]),
  );
  // A decimal that may travel in two forms travels as a number.
  if (kinds.size === 2 && kinds.has('number') && kinds.has('text')) return 'number';
  const [only] = kinds;
  if (kinds.size === 0 && said.length === 0) return 'json';
  if (kinds.size !== 1 || !only) {
    const from = keyword(facets, 'type')[0];
    findings.add(
      'not_understood',
      where,
      'has no type, or several that exclude each other',
      pointerOf(from?.path ?? []),
    );
    return undefined;
  }
  return only === 'text' ? formatted(facets) : only;
}

/** A schema without a type may show its type by what it says. */
function inferred(facets: readonly LocatedObject[]): readonly unknown[] {
  const says = (name: string): boolean => keyword(facets, name).length > 0;
  if (says('properties')) return ['object'];
  if (says('items')) return ['array'];
  const values = [
    ...keyword(facets, 'enum').flatMap(({ value }) => value as unknown[]),
    ...keyword(facets, 'const').map(({ value }) => value),
  ];
  const types = new Set(values.filter((value) => value !== null).map((value) => typeof value));
  const [type] = types;
  if (types.size === 1 && (type === 'string' || type === 'number' || type === 'boolean')) return [type];
  return says('pattern') || says('maxLength') ? ['string'] : [];
}

function formatted(facets: readonly LocatedObject[]): ReadKind {
  const formats = keyword(facets, 'format').map(({ value }) => value);
  if (formats.includes('date-time')) return 'datetime';
  return formats.includes('date') ? 'date' : 'text';
}

/** A list with no limit of its own takes the limit of another schema of the same value. */
function countsOf(
  facets: readonly LocatedObject[],
  least: string,
  most: string,
): { readonly minItems?: number; readonly maxItems?: number } {
  const [min, max] = [numbersOf(facets, least), numbersOf(facets, most)];
  return {
    ...(min.length > 0 && Math.max(...min) > 0 && { minItems: Math.max(...min) }),
    ...(max.length > 0 && { maxItems: Math.min(...max) }),
  };
}

function numbersOf(facets: readonly LocatedObject[], name: string): readonly number[] {
  return keyword(facets, name).flatMap(({ value }) =>
    typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? [value] : [],
  );
}

/** The parts of a value that is neither an object nor a list. */
function leafOf(
  facets: readonly LocatedObject[],
  kind: ReadKind,
  where: Where,
  reading: Reading,
): Partial<ReadValue> {
  const values = closedList(facets, where, reading);
  const { minItems: minLength, maxItems: maxLength } = countsOf(facets, 'minLength', 'maxLength');
  const formats = keyword(facets, 'format');
  const bounds = boundsOf(facets, where, reading);
  const types = keyword(facets, 'type').flatMap(({ value }) => value);
  const isDecimal = formats.some(({ value }) => value === 'decimal');
  const isInteger = types.includes('integer') && !types.includes('number');
  noteFormats(formats, where, reading);

  const patterns: string[] = [];
  const digits: Digits[] = [...(bounds.digits ? [bounds.digits] : []), ...(isInteger ? [{ places: 0 }] : [])];
  let { minimum } = bounds;
  for (const { value, path } of keyword(facets, 'pattern')) {
    const found = typeof value === 'string' && (isDecimal || kind === 'number') ? digitsOf(value) : undefined;
    if (found) {
      digits.push(found);
      if (!found.isSigned) minimum ??= '0';
    } else if (typeof value !== 'string' || !isPattern(value))
      reading.findings.add('not_understood', where, '`pattern` is not a regular expression', pointerOf(path));
    else patterns.push(value);
  }
  if (formats.some(({ value }) => value === 'uuid')) patterns.push(UUID);
  return {
    ...bounds,
    ...(minimum !== undefined && { minimum }),
    ...(values && { values }),
    ...(minLength !== undefined && { minLength }),
    ...(maxLength !== undefined && { maxLength }),
    patterns,
    ...(digits.length > 0 && { digits: tightest(digits) }),
    ...(isDecimal && { isDecimal }),
    ...(kind === 'number' ? { wire: 'number' } : isDecimal ? { wire: 'string' } : {}),
  };
}

const UUID = '^[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$';

/** The fewer digits of several. */
function tightest(digits: readonly Digits[]): Digits {
  const least = (name: 'whole' | 'places'): number | undefined => {
    const limits = digits.flatMap((each) => each[name] ?? []);
    return limits.length === 0 ? undefined : Math.min(...limits);
  };
  const [whole, places] = [least('whole'), least('places')];
  return { ...(whole !== undefined && { whole }), ...(places !== undefined && { places }) };
}

/** The values that every list of the schemas has, null left out. */
function closedList(
  facets: readonly LocatedObject[],
  where: Where,
  { document, findings }: Reading,
): readonly string[] | undefined {
  const lists = [
    ...keyword(facets, 'enum'),
    ...keyword(facets, 'const').map(({ value, path }) => ({ value: [value], path })),
  ].map(({ value, path }) => {
    if (!Array.isArray(value)) {
      findings.add('not_understood', where, '`enum` is not a list', pointerOf(path));
      return undefined;
    }
    if (value.length > MOST_VALUES) {
      const todo =
        'Ask the operator whether the list is complete. To go on without it, remove this `enum` from a copy of the document and import the copy: then only the platform checks these values.';
      throw document.failure(
        path,
        `the list has ${value.length} values, and at most ${MOST_VALUES} are read`,
        todo,
      );
    }
    return (value as unknown[]).filter((each) => each !== null).map(String);
  });
  const [first, ...others] = lists.filter((list) => list !== undefined);
  return first && [...new Set(first.filter((value) => others.every((list) => list.includes(value))))];
}

function readMembers(facets: readonly LocatedObject[], context: Context, reading: Reading): ReadMembers {
  const required = new Set(
    keyword(facets, 'required').flatMap(({ value }) => (Array.isArray(value) ? (value as unknown[]) : [])),
  );
  const schemas = new Map<string, Located[]>();
  for (const properties of keyword(facets, 'properties')) {
    for (const { key, value, path } of membersOf(properties)) {
      const before = schemas.get(key);
      if (before) before.push({ value, path });
      else schemas.set(key, [{ value, path }]);
    }
  }
  const fields = new Map<string, ReadMember>();
  for (const [name, located] of schemas) {
    // A field of answers.
    if (located.some(({ value }) => isJsonObject(value) && value['readOnly'] === true)) continue;
    const where = inside(context.where, name);
    const value = readValue(located, { ...context, where }, reading);
    fields.set(name, { isRequired: required.has(name), value, from: pointerOf(located[0]!.path) });
  }
  for (const name of required) {
    if (typeof name !== 'string' || schemas.has(name)) continue;
    const from = pointerOf(keyword(facets, 'required')[0]!.path);
    reading.findings.add(
      'not_understood',
      inside(context.where, name),
      'is required and not described',
      from,
    );
  }
  return { fields, others: othersOf(facets, context, reading) };
}

function othersOf(
  facets: readonly LocatedObject[],
  context: Context,
  reading: Reading,
): ReadMembers['others'] {
  const said = [...keyword(facets, 'additionalProperties'), ...keyword(facets, 'unevaluatedProperties')];
  if (said.some(({ value }) => value === false)) return 'none';
  const schema = said.find(({ value }) => isJsonObject(value) && Object.keys(value).length > 0);
  if (!schema) return said.length > 0 ? 'any' : 'unsaid';
  const where = inside(context.where, '*');
  return readValue([schema], { ...context, where }, reading) ?? 'none';
}

function readTypes(
  { by, of }: { readonly by: string; readonly of: ReadonlyMap<string, Located> },
  facets: readonly LocatedObject[],
  context: Context,
  reading: Reading,
): ReadTypes {
  const shared = facets.map(withoutAlternatives);
  const types = [...of].flatMap(([type, branch]) => {
    const { where } = context;
    const isOfRecord = where.field === '' && where.resource !== null;
    const inner = isOfRecord ? { ...where, type } : where;
    const value = readValue([...shared, branch], { ...context, where: inner }, reading);
    return value ? [[type, value] as const] : [];
  });
  return { by, of: new Map(types) };
}

/** A schema without the keywords that were read already. */
function withoutAlternatives({ value, path }: LocatedObject): LocatedObject {
  const entries = Object.entries(value).filter(
    ([name]) => !['oneOf', 'anyOf', 'discriminator'].includes(name),
  );
  return { value: Object.fromEntries(entries), path };
}

function deprecationOf(facets: readonly LocatedObject[]): Pick<ReadValue, 'deprecated'> {
  if (!keyword(facets, 'deprecated').some(({ value }) => value === true)) return {};
  const instead = keyword(facets, 'x-use-instead').find(({ value }) => typeof value === 'string')?.value;
  return { deprecated: instead === undefined ? {} : { instead: instead as string } };
}

/** Formats that say no more than the type, or that are read. */
const READ_FORMATS: ReadonlySet<unknown> = new Set([
  'date',
  'date-time',
  'decimal',
  'uuid',
  'int32',
  'int64',
  'float',
  'double',
  'password',
]);

function noteFormats(formats: readonly Located[], where: Where, { findings }: Reading): void {
  for (const { value, path } of formats) {
    if (!READ_FORMATS.has(value))
      findings.add(
        'not_understood',
        where,
        `the format \`${String(value)}\` is not checked`,
        pointerOf(path),
      );
  }
}

/** Keywords that are read here or in the files beside this one. */
const READ = new Set(
  (
    '$ref type properties required items allOf oneOf anyOf discriminator enum const nullable format pattern minLength ' +
    'maxLength minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minItems maxItems additionalProperties ' +
    'unevaluatedProperties deprecated readOnly x-use-instead x-validators'
  ).split(' '),
);

/** Keywords for people and tools. Examples are never believed. */
const ANNOTATIONS = new Set(
  (
    'title summary description example examples default externalDocs xml writeOnly $comment $defs definitions $id $schema ' +
    '$anchor'
  ).split(' '),
);

function noteOtherKeywords(facet: LocatedObject, where: Where, { findings }: Reading): void {
  for (const name of Object.keys(facet.value)) {
    if (READ.has(name) || ANNOTATIONS.has(name)) continue;
    const from = pointerOf([...facet.path, name]);
    if (name.startsWith('x-')) findings.add('ignored', where, `the extension \`${name}\` is not read`, from);
    else findings.add('not_understood', where, `\`${name}\` is not checked`, from);
  }
  const use = memberOf(facet, 'x-use-instead');
  if (use && typeof use.value !== 'string')
    findings.add('not_understood', where, '`x-use-instead` is not a text', pointerOf(use.path));
}
