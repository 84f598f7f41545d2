import * as z from 'zod/mini';
import type { ErrorCode } from '../error-codes/table.ts';
import type { Facts } from '../problem.ts';
import { isCalendarDate } from '../values/calendar-date.ts';
import { Decimal, isExactAsFloat } from '../values/decimal.ts';
import { UnreadableNumber, withNumbers } from '../values/exact-json.ts';
import { parseInstant } from '../values/instant.ts';

/** How the text of a CSV cell becomes a value of the field. */
export type FieldKind = 'text' | 'decimal' | 'boolean' | 'date' | 'datetime' | 'json';

export interface FieldFacts {
  readonly kind: FieldKind;
  /** Values that the interface shows for an open enum; another value is a warning. */
  readonly known?: readonly string[] | undefined;
  /** An amount that travels in minor units. Default: major units. */
  readonly unit?: 'minor';
  /** A text: most characters. */
  readonly max?: number;
  /** A text: whether the empty text passes; a blank one never does. */
  readonly mayBeEmpty?: boolean;
  /** A decimal in major units. */
  readonly bounds?: DecimalBounds;
  /** The only values, by the contract of an operator. */
  readonly values?: readonly string[];
  /** A decimal: how it is sent, by the contract of an operator. Default: a number, or a string where a float would not keep it. */
  readonly wire?: 'number' | 'string';
}

/** Facts of every leaf field of the contract, found by its schema. */
export const FIELD_FACTS = z.registry<FieldFacts>();

/** Why a check of a field failed: the code and the facts of its sentence. */
export type CheckFailure = { readonly code: ErrorCode; readonly facts?: Facts };

/** Digit bounds of a decimal (deployments.md, "Shapes and bounds"). */
export type DecimalBounds = { readonly whole: number; readonly places: number; readonly positive?: boolean };

/** Text that is not blank; `known` makes it an open enum, `mayBeEmpty` lets the empty string pass. */
export function text(options: { max?: number; known?: readonly string[]; mayBeEmpty?: boolean } = {}) {
  return demandedText(z.string(), { kind: 'text', ...options }, (value) => {
    if (value.includes('\0')) return { code: 'null_characters_not_allowed' };
    if (!value.isWellFormed()) return { code: 'invalid', facts: { expected: 'well-formed Unicode text' } };
    if (value.trim() === '' && !(options.mayBeEmpty && value === '')) return { code: 'blank' };
    const { max = Infinity } = options;
    if (value.length > max && [...value].length > max) {
      return { code: 'max_length', facts: { limit: `${max} characters` } };
    }
    return undefined;
  });
}

export function choice<const T extends readonly [string, ...string[]]>(values: T) {
  return register(z.enum(values), { kind: 'text' });
}

/** An exact decimal, given as a JSON number or as a decimal string (deployments.md, "Shapes and bounds"). */
export const decimal = (bounds: DecimalBounds): z.ZodMiniType<Decimal> =>
  demandedDecimal({ kind: 'decimal', bounds });

/** A whole number in minor units, as statement amounts are (deployments.md); a string is rejected. */
export const minorUnits = (): z.ZodMiniType<Decimal> => demandedDecimal({ kind: 'decimal', unit: 'minor' });

const MINOR_BOUNDS: DecimalBounds = { whole: 15, places: 0 };
const MINOR_EXPECTED = 'a whole number of minor units, such as 5324 for 53.24';
/** An amount with decimals where minor units are expected. */
const NOT_MINOR: CheckFailure = {
  code: 'invalid',
  facts: {
    expected: MINOR_EXPECTED,
    remedy:
      'Say `unit: major` in a mapping file when the file has major units, such as 53.24; or correct the cell.',
  },
};

/**
 * A decimal of the interface, or under the contract of an operator, which says how it is sent.
 * @param isWire whether a value in the other form is refused, as a platform does. A client takes the digits of a file in either form
 */
export function demandedDecimal(facts: FieldFacts, isWire = false): z.ZodMiniType<Decimal> {
  const { unit, bounds, wire } = facts;
  const read = (value: unknown): Decimal | CheckFailure => {
    const isOwnText = unit === 'minor' && wire !== 'string' && typeof value === 'string';
    const given = typeof value === 'string' && !isOwnText ? Decimal.parse(value) : value;
    if (!(given instanceof Decimal)) return unreadable(value, unit === 'minor' ? MINOR_EXPECTED : undefined);
    if (isWire && wire !== undefined && (typeof value === 'string') !== (wire === 'string'))
      return { code: 'invalid', facts: { expected: WIRE_WORDS[wire] } };
    if (wire === 'number' && !isExactAsFloat(given))
      return {
        code: 'invalid',
        facts: { expected: 'a number that floats keep, as the operator takes numbers only' },
      };
    if (unit === 'minor' && given.places > 0) return NOT_MINOR;
    const failure = outOfBounds(given, bounds ?? (unit === 'minor' ? MINOR_BOUNDS : ANY_BOUNDS));
    return failure ?? (wire === 'string' ? given.asString() : given);
  };
  const schema = z.pipe(
    z.unknown(),
    z.transform((value, context) => {
      const result = read(value);
      if (result instanceof Decimal) return result;
      context.issues.push({ code: 'custom', input: value, params: result });
      return z.NEVER;
    }),
  );
  return register(schema, facts);
}

const WIRE_WORDS = { number: 'a number', string: 'a decimal as text, such as "12.50"' } as const;
/** More digits than any text that is read as a decimal. */
const ANY_BOUNDS: DecimalBounds = { whole: 64, places: 64 };

/** Any value of JSON, in which a number and a text with the same digits are two values. */
export function anyJson(): z.ZodMiniType {
  const schema = z.unknown().check((context) => {
    if (context.value === undefined)
      context.issues.push({ code: 'custom', input: context.value, params: { code: 'required' } });
  }, z.overwrite(withNumbers));
  return register(schema, { kind: 'json' });
}

/** A text in one form, such as that of a date. */
function textOf(kind: FieldKind, expected: string, isRight: (value: string) => boolean) {
  const failure: CheckFailure = { code: 'invalid', facts: { expected } };
  return demandedText(z.string(), { kind }, (value) => (isRight(value) ? undefined : failure));
}

/** A calendar date (interface.md 2.1). */
export const date = () => textOf('date', 'a calendar date YYYY-MM-DD', isCalendarDate);

/** A date-time with its offset (interface.md 2.1). */
export const datetime = () =>
  textOf('datetime', 'a date-time YYYY-MM-DDTHH:MM:SSZ', (value) => parseInstant(value) !== undefined);

/** A JSON boolean. */
export const flag = () => register(z.boolean(), { kind: 'boolean' });

/**
 * An object schema that refuses numbers. An exact number is an instance of a class, so an object that may contain any field would
 * take it for an object with the fields of the class.
 */
export function objectOnly(schema: z.ZodMiniType): z.ZodMiniType {
  const guarded = z.pipe(
    z.transform((value, context) => {
      if (value instanceof Decimal || value instanceof UnreadableNumber)
        context.issues.push({ code: 'invalid_type', expected: 'object', input: value });
      return value;
    }),
    schema,
  );
  GUARDED.set(guarded, schema);
  return guarded;
}

/** The schemas behind `objectOnly`. */
const GUARDED = new WeakMap<z.ZodMiniType, z.ZodMiniType>();

/** The schema inside `optional`, `nullable`, a default and `objectOnly`. */
export function unwrapped(schema: z.ZodMiniType): z.ZodMiniType {
  const inner =
    schema instanceof z.ZodMiniOptional ||
    schema instanceof z.ZodMiniNullable ||
    schema instanceof z.ZodMiniDefault
      ? (schema.def.innerType as z.ZodMiniType)
      : GUARDED.get(schema);
  return inner === undefined ? schema : unwrapped(inner);
}

/** The schema of a field, or of an item of a list; undefined when the schema has none. */
export function schemaBelow(
  schema: z.ZodMiniType | undefined,
  part: string | number,
): z.ZodMiniType | undefined {
  const inner = schema && unwrapped(schema);
  if (inner instanceof z.ZodMiniArray) return inner.def.element as z.ZodMiniType;
  const shape = inner instanceof z.ZodMiniObject ? (inner.shape as Record<string, z.ZodMiniType>) : {};
  return Object.hasOwn(shape, part) ? shape[part] : undefined;
}

function outOfBounds(value: Decimal, bounds: DecimalBounds): CheckFailure | undefined {
  if (value.wholeDigits > bounds.whole) return { code: 'max_whole_digits', facts: { limit: bounds.whole } };
  if (value.places > bounds.places) return { code: 'max_decimal_places', facts: { limit: bounds.places } };
  if (bounds.positive && (value.isNegative || value.isZero))
    return { code: 'min_value', facts: { limit: '0.01' } };
  return undefined;
}

function unreadable(value: unknown, expected?: string): CheckFailure {
  if (value === undefined) return { code: 'required' };
  if (value === null) return { code: 'null' };
  const instead = value instanceof UnreadableNumber ? value.expected : undefined;
  return { code: 'invalid', facts: { expected: expected ?? instead ?? 'a plain decimal such as -1234.50' } };
}

/** A text with another check, such as that of the contract of an operator. One problem of a value is enough. */
export function demandedText(
  schema: z.ZodMiniType<string>,
  facts: FieldFacts,
  check: (value: string) => CheckFailure | undefined,
): z.ZodMiniType<string> {
  const checked = schema.check((context) => {
    const failure = context.issues.length > 0 ? undefined : check(context.value);
    if (failure) context.issues.push({ code: 'custom', input: context.value, params: failure });
  });
  return register(checked, facts);
}

function register<S extends z.ZodMiniType>(schema: S, facts: FieldFacts): S {
  FIELD_FACTS.add(schema, facts);
  return schema;
}
