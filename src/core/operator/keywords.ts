import type { JsonObject } from '../values/plain-json.ts';
import type { ValueKind, WireForm } from './contract.ts';

/** Keywords with a number, and which of two is tighter: the greater (1) or the smaller (-1). */
export const LIMITS = {
  minLength: 1,
  maxLength: -1,
  minItems: 1,
  maxItems: -1,
  minimum: 1,
  exclusiveMinimum: 1,
  maximum: -1,
  exclusiveMaximum: -1,
  multipleOf: 1,
} as const;
export type Limit = keyof typeof LIMITS;

/** What schemas say of a value itself, without what is in it. A keyword that is missing is no limit. */
export interface Keywords extends Readonly<Partial<Record<Limit, number | undefined>>> {
  readonly required?: true | undefined;
  readonly null?: boolean | undefined;
  /** The only values; may contain the empty text. */
  readonly values?: readonly string[] | undefined;
  readonly patterns?: readonly string[] | undefined;
  /** How a number travels; `string` for texts, too. */
  readonly wire?: WireForm | undefined;
}

const OTHERS = ['required', 'null', 'values', 'patterns', 'wire'] as const;
const NAMES = [...(Object.keys(LIMITS) as Limit[]), ...OTHERS];

/** The keywords that say what several of them say together. */
export function tightest(all: readonly Keywords[]): Keywords {
  const joined = NAMES.map((name) => {
    const said = all.map((each) => each[name] as never).filter((value) => value !== undefined);
    return [name, said.length === 0 ? undefined : said.reduce((a, b) => both(name, a, b) as never)];
  });
  return Object.fromEntries(joined) as Keywords;
}

function both(name: keyof Keywords, a: never, b: never): unknown {
  if (name in LIMITS) return LIMITS[name as Limit] === 1 ? Math.max(a, b) : Math.min(a, b);
  if (name === 'null') return a && b;
  if (name === 'values') return (a as string[]).filter((value) => (b as string[]).includes(value));
  return name === 'patterns' ? [...new Set([...(a as string[]), ...(b as string[])])] : b;
}

/** The keywords of one schema. */
export function keywordsOf(schema: JsonObject, kind: ValueKind): Keywords {
  const { enum: list, const: constant, pattern } = schema;
  const types = schema['type'] === undefined ? undefined : [schema['type']].flat();
  const all = Array.isArray(list) ? (list as unknown[]) : constant === undefined ? undefined : [constant];
  // A limit of 0 at the lower end says nothing of a length.
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
    wire: isNumber === isText ? undefined : isNumber ? 'number' : 'string',
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
const FORMATS = { 'date-time': 'datetime', date: 'date', decimal: 'decimal' } as const;

/** The kind of a value that meets several schemas. Any JSON where they leave more than one, or none. */
export function kindOf(schemas: readonly JsonObject[]): ValueKind {
  const said = schemas.map(kindsOf).filter((kinds) => kinds.size > 0);
  const [kind, ...others] = said.reduce((a, b) => a.intersection(b), said[0] ?? new Set<ValueKind>());
  if (kind === undefined || others.length > 0) return 'json';
  const formats = schemas.map(({ format }) => format);
  const format = Object.entries(FORMATS).find(([name]) => formats.includes(name));
  return kind === 'text' && format ? format[1] : kind;
}

/** The kinds that a schema allows, by its types or by keywords of one type; none where it does not say. */
function kindsOf(schema: JsonObject): ReadonlySet<ValueKind> {
  const { type, enum: list, const: constant = null } = schema;
  const has = (...names: readonly string[]): boolean => names.some((name) => schema[name] !== undefined);
  const values = [...(Array.isArray(list) ? (list as unknown[]) : []), constant];
  const types = has('type')
    ? [type].flat()
    : has('properties', 'required')
      ? ['object']
      : has('items')
        ? ['array']
        : has('pattern', 'minLength', 'maxLength')
          ? ['string']
          : values.flatMap((value) => (value === null ? [] : typeof value));
  return new Set(types.flatMap((each) => KINDS[each as string] ?? []));
}

/** The first values of a list, and how many there are beside them. */
export function listed(values: readonly string[], shown = 8): string {
  const more = values.length - shown;
  const words = values.slice(0, shown).map((value) => (value === '' ? 'the empty text' : value));
  return [...words, ...(more > 0 ? [`and ${more} more`] : [])].join(', ');
}
