import type { Digits, FieldRules } from '../../../core/operator/contract.ts';
import type { Where } from '../../../core/operator/finding.ts';
import { merged, type Keywords } from '../../../core/operator/keyword-changes.ts';
import { Decimal } from '../../../core/values/decimal.ts';
import { unreadablePattern } from '../../../core/values/pattern.ts';
import { digitsOf } from './digits-pattern.ts';
import type { LocatedObject } from './document.ts';
import type { ReadValue, Reading } from './reading.ts';

/** Most values of a closed list. */
const MOST_VALUES = 5_000;

/** What the schemas of a value say of the value itself: the tightest of several rules counts. */
export function leafOf(
  facets: readonly LocatedObject[],
  kind: ReadValue['adds'],
  where: Where,
  reading: Reading,
): Omit<Keywords, 'from'> {
  const {
    from: _,
    values,
    ...rules
  } = merged(
    facets.map((facet) => facetRules(facet, kind, where, reading)),
    '',
  );
  if (values?.length !== 0) return { ...(values && { values }), ...rules };
  reading.findings.add(
    'not_understood',
    where,
    'no value is in the list: it is not checked',
    facets[0]!.path,
  );
  return rules;
}

/** The rules of one schema. */
function facetRules(
  { value: schema, path }: LocatedObject,
  kind: ReadValue['adds'],
  where: Where,
  { document, findings }: Reading,
): Keywords {
  const note = (name: string, says: string): undefined => {
    findings.add('not_understood', where, says, [...path, name]);
  };
  const { pattern, format } = schema;
  const isText = ['text', 'date', 'datetime'].includes(kind);
  const isDecimal = kind === 'decimal';
  // A decimal may be sent as a text, whose length then counts.
  const hasLength = isText || (isDecimal && format === 'decimal');
  const digits = isDecimal && typeof pattern === 'string' ? digitsOf(pattern) : undefined;
  if ((isText || isDecimal) && format !== undefined && !READ_FORMATS.has(format))
    note('format', `the format \`${format as string}\` is not checked`);
  return {
    from: '',
    ...((isText || isDecimal) && { values: values(), patterns: patterns() }),
    ...(hasLength && { min_length: count('minLength'), max_length: count('maxLength') }),
    ...(kind === 'list' && { min_items: count('minItems'), max_items: count('maxItems') }),
    ...(isDecimal && { digits: fewestDigits(), ...limits() }),
  };

  /** The closed list without null. */
  function values(): readonly string[] | undefined {
    const { enum: list, const: constant } = schema;
    if (constant !== undefined) return constant === null ? undefined : [constant].map(String);
    if (list === undefined) return undefined;
    if (!Array.isArray(list)) return note('enum', '`enum` is not a list');
    if (list.length > MOST_VALUES) {
      const todo =
        'Ask the operator whether the list is complete. To go on without it, remove this `enum` from a copy of the document and import the copy: then only the platform checks these values.';
      const reason = `the list has ${list.length} values, and at most ${MOST_VALUES} are read`;
      throw document.failure([...path, 'enum'], reason, todo);
    }
    return [...new Set(list.filter((each) => each !== null).map(String))];
  }

  function count(name: string): number | undefined {
    const limit = schema[name];
    if (limit === undefined || (limit === 0 && name.startsWith('min'))) return undefined;
    if (typeof limit === 'number' && Number.isSafeInteger(limit) && limit >= 0) return limit;
    return note(name, `\`${name}\` is not a whole number of 0 or more`);
  }

  function patterns(): readonly string[] {
    const reason = typeof pattern === 'string' ? unreadablePattern(pattern) : 'it is no text';
    if (pattern !== undefined && reason !== undefined)
      note('pattern', `the pattern is not checked: ${reason}`);
    const isRead = pattern !== undefined && reason === undefined && !digits;
    return [...(isRead ? [pattern as string] : []), ...(format === 'uuid' ? [UUID] : [])];
  }

  /** The digits that a pattern, `multipleOf` and the type leave. */
  function fewestDigits(): Digits | undefined {
    const types = [schema['type']].flat();
    const isWhole = types.includes('integer') && !types.includes('number');
    const { multipleOf: step } = schema;
    const zeros = /^(?:1|0\.(0*)1)$/.exec(decimalOf(step)?.text ?? '');
    if (step !== undefined && !zeros) note('multipleOf', '`multipleOf` is not checked');
    const ofStep = zeros ? (step === 1 ? 0 : zeros[1]!.length + 1) : undefined;
    const places = [digits?.places, ofStep, isWhole ? 0 : undefined].filter((each) => each !== undefined);
    return { whole: digits?.whole, places: places.length > 0 ? Math.min(...places) : undefined };
  }

  function limits(): Pick<FieldRules, 'minimum' | 'maximum' | 'above' | 'below'> {
    const limit = (name: string): string | undefined => {
      const given = schema[name];
      if (given === undefined || typeof given === 'boolean') return undefined;
      return decimalOf(given)?.text ?? note(name, `\`${name}\` is not a number`);
    };
    const [least, most] = INTEGER_FORMATS[format as string] ?? [];
    const [minimum, maximum] = [limit('minimum') ?? least, limit('maximum') ?? most];
    // A boolean in OpenAPI 3.0, a number of its own in 3.1.
    const [isAbove, isBelow] = [schema['exclusiveMinimum'] === true, schema['exclusiveMaximum'] === true];
    return {
      minimum: (isAbove ? undefined : minimum) ?? (digits && !digits.isSigned ? '0' : undefined),
      maximum: isBelow ? undefined : maximum,
      above: isAbove ? minimum : limit('exclusiveMinimum'),
      below: isBelow ? maximum : limit('exclusiveMaximum'),
    };
  }
}

const UUID = '^[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$';

/** Formats that say no more than the type, or that are read. */
const READ_FORMATS: ReadonlySet<unknown> = new Set(
  'date date-time decimal uuid int32 int64 float double password'.split(' '),
);

const INTEGER_FORMATS: Readonly<Record<string, readonly [least: string, most: string]>> = {
  int32: ['-2147483648', '2147483647'],
  int64: ['-9223372036854775808', '9223372036854775807'],
};

/** A number of the document as a decimal; undefined for any other value. */
function decimalOf(value: unknown): Decimal | undefined {
  if (typeof value !== 'number' || !Number.isFinite(value)) return undefined;
  const plain = Decimal.parse(String(value));
  if (plain) return plain;
  const text = Math.abs(value) < 1 ? value.toFixed(20).replace(/0+$/, '') : BigInt(value).toString();
  return Decimal.parse(text);
}
