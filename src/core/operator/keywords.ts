import type { JsonObject } from '../values/plain-json.ts';
import type { ValueKind, WireForm } from './contract.ts';

/** How one contract differs from an earlier one. `removed`: a field that may not be sent any more. */
export const CHANGE_KINDS = ['added', 'removed', 'tightened', 'loosened', 'changed'] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** How something changed, and a sentence about it. */
export type Said = readonly [ChangeKind, string];

/** What schemas say of a value itself, without what is in it. A keyword that is missing is no limit. */
export interface Keywords extends Readonly<Partial<Record<Limit, number | undefined>>> {
  readonly required?: true | undefined;
  readonly null?: boolean | undefined;
  /** The only values; may contain the empty text. */
  readonly values?: readonly string[] | undefined;
  readonly patterns?: readonly string[] | undefined;
  readonly wire?: WireForm | undefined;
  /** The operator asks not to use the field any more; the text names another one. */
  readonly deprecated?: string | undefined;
}

/** What is known of one keyword: how two of them become one, what a change means, and how a person reads it. */
interface Row {
  /** Of two that a value has to meet, the one that says both. */
  readonly join: (a: never, b: never) => unknown;
  readonly kindOf: (before: never, after: never) => ChangeKind;
  readonly says: (value: never) => string;
}

const LIMITS = {
  minLength: limit(1, (least) => (least === 1 ? 'not empty' : `at least ${least} characters`)),
  maxLength: limit(-1, (most) => `at most ${most} characters`),
  minItems: limit(1, (least) => `at least ${least} items`),
  maxItems: limit(-1, (most) => `at most ${most} items`),
  minimum: limit(1, (least) => `at least ${least}`),
  exclusiveMinimum: limit(1, (bound) => `greater than ${bound}`),
  maximum: limit(-1, (most) => `at most ${most}`),
  exclusiveMaximum: limit(-1, (bound) => `less than ${bound}`),
  multipleOf: limit(1, (step) => `a multiple of ${step}`),
};
type Limit = keyof typeof LIMITS;

/** A limit: at least (1), or at most (-1). */
function limit(tighter: 1 | -1, says: (value: number) => string): Row {
  return {
    join: tighter === 1 ? Math.max : Math.min,
    kindOf: (before: number | undefined, after: number | undefined) =>
      after === undefined || (before !== undefined && (after - before) * tighter < 0)
        ? 'loosened'
        : 'tightened',
    says,
  };
}

const ROWS: Readonly<Record<string, Row>> = {
  required: {
    join: () => true,
    kindOf: (_, after) => (after ? 'tightened' : 'loosened'),
    says: () => 'required',
  },
  null: {
    join: (a: boolean, b: boolean) => a && b,
    kindOf: (_, after: boolean | undefined) => (after ? 'loosened' : 'tightened'),
    says: (value: boolean) => (value ? 'may be null' : 'never null'),
  },
  ...LIMITS,
  wire: {
    join: (_, b) => b,
    kindOf: () => 'changed',
    says: (form: WireForm) => `sent as a ${form}`,
  },
  deprecated: {
    join: (_, b) => b,
    kindOf: () => 'changed',
    says: (instead: string) => (instead === '' ? 'deprecated' : `deprecated: use \`${instead}\` instead`),
  },
};

const both = (a: readonly string[], b: readonly string[]): readonly string[] =>
  a.filter((value) => b.includes(value));
const without = (a: readonly string[], b: readonly string[]): readonly string[] =>
  a.filter((value) => !b.includes(value));

/** The keywords that say what several lists of them say together. */
export function tightest(all: readonly Keywords[]): Keywords {
  const joined: Record<string, unknown> = {};
  for (const each of all as readonly Readonly<Record<string, unknown>>[])
    for (const [name, value] of Object.entries(each)) {
      const before = joined[name];
      if (value === undefined) continue;
      if (before === undefined) joined[name] = value;
      else if (name === 'values') joined[name] = both(before as string[], value as string[]);
      else if (name === 'patterns')
        joined[name] = [...new Set([...(before as string[]), ...(value as string[])])];
      else joined[name] = ROWS[name]?.join(before as never, value as never) ?? before;
    }
  return joined;
}

/** How the keywords of a value differ. */
export function keywordChanges(before: Keywords, after: Keywords): readonly Said[] {
  const [all, now] = [before, after] as unknown as readonly Readonly<Record<string, unknown>>[];
  const { patterns: a = [] } = before;
  const { patterns: b = [] } = after;
  return [
    ...Object.entries(ROWS).flatMap(([name, { kindOf, says }]): readonly Said[] => {
      const [was, is] = [all![name], now![name]];
      if (was === is || (name === 'null' && !was === !is)) return [];
      const words = is === undefined ? `no longer ${says(was as never)}` : says(is as never);
      return [[kindOf(was as never, is as never), words]];
    }),
    ...valuesChanges(before.values, after.values),
    ...without(b, a).map((pattern): Said => ['tightened', `matches \`${pattern}\``]),
    ...without(a, b).map((pattern): Said => ['loosened', `need not match \`${pattern}\``]),
  ];
}

/** A change of a list of values. No list takes any value. */
export function valuesChanges(a?: readonly string[], b?: readonly string[]): readonly Said[] {
  if (!a && !b) return [];
  if (!a) return [['tightened', valuesPhrase(b!)]];
  if (!b) return [['loosened', 'may have any value']];
  const [gone, fresh] = [without(a, b), without(b, a)];
  return [
    ...(gone.length > 0 ? [['tightened', `no longer takes ${listed(gone)}`] as const] : []),
    ...(fresh.length > 0 ? [['loosened', `takes ${listed(fresh)}, too`] as const] : []),
  ];
}

/** The keywords of a value as a person reads them, one phrase for each. */
export function phrasesOf(keywords: Keywords): readonly string[] {
  const said = keywords as Readonly<Record<string, unknown>>;
  return [
    ...Object.entries(ROWS).flatMap(([name, { says }]) =>
      said[name] === undefined || said[name] === false ? [] : [says(said[name] as never)],
    ),
    ...(keywords.values ? [valuesPhrase(keywords.values)] : []),
    ...(keywords.patterns ?? []).map((pattern) => `matches \`${pattern}\``),
  ];
}

function valuesPhrase(values: readonly string[]): string {
  return values.length === 1 ? `only ${listed(values)}` : `one of ${values.length} values: ${listed(values)}`;
}

/** The first values of a list, and how many there are beside them. */
export function listed(values: readonly string[], shown = 8): string {
  const more = values.length - shown;
  const words = values.slice(0, shown).map((value) => (value === '' ? 'the empty text' : value));
  return [...words, ...(more > 0 ? [`and ${more} more`] : [])].join(', ');
}

/** The keywords of one schema. */
export function keywordsOf(schema: JsonObject, kind: ValueKind): Keywords {
  const { type, enum: list, const: constant, pattern, deprecated, 'x-use-instead': instead } = schema;
  const types = type === undefined ? undefined : [type].flat();
  const all = Array.isArray(list) ? list : constant === undefined ? undefined : [constant];
  const limits = Object.keys(LIMITS).filter(
    (name) => typeof schema[name] === 'number' && !(schema[name] === 0 && /^min[LI]/.test(name)),
  );
  const isNumber = types?.some((each) => each === 'number' || each === 'integer') ?? false;
  const isText = types?.includes('string') ?? schema['format'] === 'decimal';
  const isLeaf = kind !== 'object' && kind !== 'list';
  return {
    ...Object.fromEntries(limits.map((name) => [name, schema[name]])),
    null: (types?.includes('null') ?? all?.includes(null)) && (all?.includes(null) ?? true),
    values: isLeaf ? all?.filter((each) => each !== null).map(String) : undefined,
    patterns: typeof pattern === 'string' ? [pattern] : undefined,
    wire: kind !== 'decimal' || isNumber === isText ? undefined : isNumber ? 'number' : 'string',
    deprecated: deprecated === true ? (typeof instead === 'string' ? instead : '') : undefined,
  };
}

const KINDS: Readonly<Record<string, ValueKind>> = {
  string: 'text',
  number: 'decimal',
  integer: 'decimal',
  boolean: 'boolean',
  object: 'object',
  array: 'list',
};
const FORMATS: Readonly<Record<string, ValueKind>> = {
  'date-time': 'datetime',
  date: 'date',
  decimal: 'decimal',
};

/** The kind of a value, by its types or by what schemas without a type say. Any JSON where that is not one kind. */
export function kindOf(schemas: readonly JsonObject[]): ValueKind {
  const given = (name: string): readonly unknown[] =>
    schemas.flatMap((schema) => (schema[name] === undefined ? [] : ([schema[name]].flat() as unknown[])));
  const said = schemas.flatMap(({ type }) => (type === undefined ? [] : [[type].flat()]));
  const [first = inferred(given), ...others] = said as readonly (readonly unknown[])[];
  const kinds = new Set(
    first
      .filter((type) => type !== 'null')
      .filter((type) =>
        others.every((list) => list.includes(type) || (type === 'integer' && list.includes('number'))),
      )
      .map((type) => KINDS[type as string]),
  );
  const [kind] = kinds;
  if (kinds.size !== 1 || !kind) return 'json';
  const formats = given('format');
  return kind === 'text'
    ? (FORMATS[Object.keys(FORMATS).find((name) => formats.includes(name)) ?? ''] ?? kind)
    : kind;
}

/** A schema without a type may show its type by what it says. */
function inferred(given: (name: string) => readonly unknown[]): readonly unknown[] {
  if (given('properties').length > 0 || given('required').length > 0) return ['object'];
  if (given('items').length > 0) return ['array'];
  const values = [...given('enum'), ...given('const')].filter((value) => value !== null);
  const types = new Set(values.map((value) => typeof value));
  const [type] = types;
  if (types.size === 1 && (type === 'string' || type === 'number' || type === 'boolean')) return [type];
  return ['pattern', 'minLength', 'maxLength'].some((name) => given(name).length > 0) ? ['string'] : [];
}
