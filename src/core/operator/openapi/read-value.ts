import { isJsonObject } from '../../values/plain-json.ts';
import { isPattern, type Digits } from '../contract.ts';
import { inside, type Where } from '../finding.ts';
import { alternativesOf, mappingOf } from './alternatives.ts';
import { boundsOf } from './bounds.ts';
import { digitsOf } from './digits-pattern.ts';
import { memberOf, membersOf, pointerOf, type Located, type LocatedObject } from './document.ts';
import { facetsOf, keyword } from './facets.ts';
import {
  KIND_WORDS,
  type ReadKind,
  type ReadMember,
  type ReadMembers,
  type ReadTypes,
  type ReadValue,
  type Reading,
} from './reading.ts';
import { resolve } from './references.ts';
import { noteOthers } from './unread-parts.ts';
import { readValidators } from './validators.ts';

/** Most values of a closed list. */
const MOST_VALUES = 5_000;

interface Context {
  readonly where: Where;
  readonly open: ReadonlySet<string>;
  /** Schemas whose types are being read, so that a type which inherits from one has no types again. */
  readonly told?: readonly unknown[];
}

/** Reads the schema of one value. Undefined when it is not understood; the reason is a finding. */
export function readSchema(schema: Located, where: Where, reading: Reading): ReadValue | undefined {
  return readValue([schema], { where, open: new Set() }, reading);
}

/** @param schemas the value has to meet all of them */
function readValue(schemas: readonly Located[], context: Context, reading: Reading): ReadValue | undefined {
  const found = facetsOf(schemas, context, reading);
  if (!found) return undefined;
  const use = (values: readonly unknown[]): void => values.forEach((value) => reading.read.add(value));
  use(found.passed);
  const { where } = context;
  const from = pointerOf(found.all.at(0)?.path ?? schemas[0]!.path);
  const own = { where, open: found.open };
  const facets: LocatedObject[] = [];
  let types: FoundTypes | undefined;
  let acceptsNull = true;
  let orText = false;
  // Branches that were not told apart may have any further field.
  let isOpen = false;

  for (const waiting = [...found.all]; waiting.length > 0;) {
    const facet = waiting.shift()!;
    facets.push(facet);
    for (const name of ['oneOf', 'anyOf'] as const) {
      if (facet.value[name] === undefined) continue;
      const alternatives = alternativesOf(facet, name, own, reading);
      if (!alternatives) {
        isOpen = true;
        continue;
      }
      acceptsNull &&= alternatives.isNullable;
      use(alternatives.noted.map(({ value }) => value));
      for (const each of alternatives.noted) noteOtherKeywords(each, where, reading);
      if (alternatives.kind === 'values') {
        facets.push({
          value: { enum: alternatives.values, nullable: alternatives.isNullable },
          path: [...facet.path, name],
        });
      } else if (alternatives.kind === 'one') {
        orText ||= alternatives.orText;
        const branch = facetsOf([alternatives.branch], own, reading);
        if (!branch) return undefined;
        use(branch.passed);
        waiting.push(...branch.all.map((each) => (alternatives.isNullable ? nullable(each) : each)));
      } else if (types) {
        reading.findings.add(
          'not_understood',
          where,
          `a second \`${name}\` is not read`,
          pointerOf(facet.path),
        );
        isOpen = true;
      } else types = alternatives;
    }
  }
  types ??= typesByMapping(facets, context, reading);
  for (const facet of facets) {
    noteOtherKeywords(facet, where, reading);
    readValidators(facet, reading, where);
  }
  const known = types ? { kind: 'object' as const, orText: false } : kindOf(facets, where, reading);
  if (!known || (isOpen && known.kind === 'json')) return undefined;
  const { kind } = known;
  orText ||= known.orText;
  noteKeywordsOfOthers(facets, kind, orText, where, reading);
  const nullables = facets.map(nullability);
  const common = {
    from,
    patterns: [],
    isNullable: acceptsNull && nullables.includes('yes') && !nullables.includes('no'),
    ...deprecationOf(facets),
  };
  if (kind === 'object') {
    const members = readMembers(facets, own, reading);
    return {
      ...common,
      kind,
      members: isOpen ? { ...members, others: 'any' } : members,
      ...(types && {
        types: readTypes(
          types,
          facets,
          types.told ? { ...context, told: [...(context.told ?? []), types.told] } : own,
          reading,
        ),
      }),
    };
  }
  if (kind === 'list') {
    const items = keyword(facets, 'items');
    const item =
      items.length === 0
        ? { from, kind: 'json' as const, isNullable: true, patterns: [] }
        : readValue(items, { ...own, where: inside(where, '[]') }, reading);
    return { ...common, kind, item, ...countsOf(facets, 'minItems', 'maxItems') };
  }
  const leaf = leafOf(facets, kind, where, reading);
  if (!orText) return { ...common, kind, ...leaf };
  // A value that may travel in two forms travels in the form of the interface.
  const { wire: _, ...both } = leaf;
  return { ...common, kind, ...both, orText };
}

/** Types of objects. `told`: the schema whose discriminator tells them apart, if they inherit from it. */
interface FoundTypes {
  readonly by: string;
  readonly of: ReadonlyMap<string, Located>;
  readonly told?: unknown;
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
  reading.findings.add('not_understood', where, says, pointerOf([...holder.path, 'discriminator']));
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

const KINDS: Readonly<Record<string, ReadKind>> = {
  string: 'text',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  object: 'object',
  array: 'list',
};

function kindOf(
  facets: readonly LocatedObject[],
  where: Where,
  { findings }: Reading,
): { readonly kind: ReadKind; readonly orText: boolean } | undefined {
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
  if (kinds.size === 2 && kinds.has('number') && kinds.has('text')) return { kind: 'number', orText: true };
  const [only] = kinds;
  if (kinds.size === 0 && said.length === 0) return { kind: 'json', orText: false };
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
  return { kind: only === 'text' ? formatted(facets) : only, orText: false };
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
    const where = inside(context.where, name);
    if (located.some((schema) => isOfAnswers(schema, reading))) {
      const says = 'is a field of answers (`readOnly`), and never sent';
      reading.findings.add('ignored', where, says, pointerOf(located[0]!.path));
      continue;
    }
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

/** Whether a property is one of answers only. A reference to such a schema is, too. */
function isOfAnswers(schema: Located, reading: Reading): boolean {
  const parts = [schema, resolve(schema, reading.document)];
  return parts.some(({ value }) => isJsonObject(value) && value['readOnly'] === true);
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
  { by, of, told }: FoundTypes,
  facets: readonly LocatedObject[],
  context: Context,
  reading: Reading,
): ReadTypes {
  const shared = facets.map(withoutAlternatives);
  const types = [...of].flatMap(([type, branch]) => {
    const { where } = context;
    const isOfRecord = where.field === '' && where.resource !== null;
    const inner = isOfRecord ? { ...where, type } : where;
    // A type that inherits has the schema of its parent by itself.
    const schemas = told ? [branch] : [...shared, branch];
    const value = readValue(schemas, { ...context, where: inner }, reading);
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

/** Keywords that have an effect on values of some kinds only. */
const EFFECTIVE: readonly (readonly [readonly string[], readonly ReadKind[]])[] = [
  [
    ['minLength', 'maxLength'],
    ['text', 'date', 'datetime'],
  ],
  // Decimals are texts with digits and limits in several documents.
  [
    ['pattern', 'format'],
    ['text', 'date', 'datetime', 'number'],
  ],
  [
    ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
    ['number', 'text'],
  ],
  [['items', 'minItems', 'maxItems'], ['list']],
  [['properties', 'required', 'additionalProperties', 'unevaluatedProperties', 'discriminator'], ['object']],
];

/** Lists keywords that are not for values of the kind, and closed lists of values that are no text and no number. */
function noteKeywordsOfOthers(
  facets: readonly LocatedObject[],
  kind: ReadKind,
  orText: boolean,
  where: Where,
  { findings }: Reading,
): void {
  for (const [names, kinds] of EFFECTIVE) {
    if (kinds.includes(kind) || (orText && kinds.includes('text'))) continue;
    for (const name of names)
      for (const { path } of keyword(facets, name)) {
        if (kind === 'json')
          findings.add(
            'not_understood',
            where,
            `\`${name}\` of a schema without \`type\` is not checked`,
            pointerOf(path),
          );
        else
          findings.add('ignored', where, `\`${name}\` has no effect on ${KIND_WORDS[kind]}`, pointerOf(path));
      }
  }
  if (['text', 'date', 'datetime', 'number'].includes(kind)) return;
  for (const name of ['enum', 'const'])
    for (const { path } of keyword(facets, name)) {
      findings.add(
        'not_understood',
        where,
        `\`${name}\` of ${KIND_WORDS[kind]} is not checked`,
        pointerOf(path),
      );
    }
}

/** Keywords for people and tools. Examples are never believed. */
const ANNOTATIONS = new Set(
  (
    'title summary description example examples default externalDocs xml writeOnly $comment $defs definitions $id $schema ' +
    '$anchor'
  ).split(' '),
);

function noteOtherKeywords(facet: LocatedObject, where: Where, reading: Reading): void {
  const { findings, definitions } = reading;
  const discriminator = memberOf(facet, 'discriminator');
  if (discriminator) noteOthers(discriminator, ['propertyName', 'mapping'], where, reading);
  for (const name of ['$defs', 'definitions'])
    definitions.push(...[memberOf(facet, name)].filter((found) => found !== undefined));
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
