import type { Digits } from '../../../core/operator/contract.ts';
import type { Where } from '../../../core/operator/finding.ts';
import { digitsOf } from './digits-pattern.ts';
import { type LocatedObject } from './document.ts';
import { keyword } from './facets.ts';
import { noteFormats } from './keywords.ts';
import type { ReadKind, ReadValue, Reading } from './reading.ts';
import { compareDecimals, Decimal } from '../../../core/values/decimal.ts';
import { unreadablePattern } from '../../../core/values/pattern.ts';

/** Most values of a closed list. */
const MOST_VALUES = 5_000;

/** The keywords for the fewest and the most items or characters. */
export type Counts = 'Items' | 'Length';

/**
 * The fewest and the most items of a list, or characters of a text. The tightest of several counts. Limits that no value can
 * satisfy are not applied.
 */
export function countsOf(
  facets: readonly LocatedObject[],
  of: Counts,
  where: Where,
  { findings }: Reading,
): { minItems?: number; maxItems?: number } {
  const numbersOf = (name: string): readonly number[] =>
    keyword(facets, name).flatMap(({ value, path }) => {
      if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return [value];
      findings.add('not_understood', where, `\`${name}\` is not a whole number of 0 or more`, path);
      return [];
    });
  const [least, most] = [numbersOf(`min${of}`), numbersOf(`max${of}`)];
  const [min, max] = [Math.max(0, ...least), Math.min(Infinity, ...most)];
  if (min > max) {
    const says = `no value has ${min} or more and ${max} or fewer: neither limit is checked`;
    findings.add('not_understood', where, says, keyword(facets, `min${of}`)[0]!.path);
    return {};
  }
  return { ...(min > 0 && { minItems: min }), ...(max < Infinity && { maxItems: max }) };
}

/** The parts of a value that is neither an object nor a list. */
export function leafOf(
  facets: readonly LocatedObject[],
  kind: ReadKind,
  where: Where,
  reading: Reading,
): Partial<ReadValue> {
  const values = closedList(facets, where, reading);
  const { minItems: minLength, maxItems: maxLength } = countsOf(facets, 'Length', where, reading);
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
    const reason = typeof value === 'string' ? unreadablePattern(value) : 'it is no text';
    if (found) {
      digits.push(found);
      if (!found.isSigned) minimum ??= '0';
    } else if (reason === undefined) patterns.push(value as string);
    else reading.findings.add('not_understood', where, `the pattern is not checked: ${reason}`, path);
  }
  if (formats.some(({ value }) => value === 'uuid')) patterns.push(UUID);
  return {
    ...bounds,
    ...(minimum !== undefined && { minimum }),
    ...(values && { values }),
    ...(kind === 'boolean' &&
      keyword(facets, 'default').some(({ value }) => value === true) && { isTrueByDefault: true }),
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
      findings.add('not_understood', where, '`enum` is not a list', path);
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
  if (!first) return undefined;
  const values = [...new Set(first.filter((value) => others.every((list) => list.includes(value))))];
  if (values.length > 0) return values;
  const [list] = [...keyword(facets, 'enum'), ...keyword(facets, 'const')];
  findings.add('not_understood', where, 'no value is in the list: it is not checked', list!.path);
  return undefined;
}

type Bounds = Pick<ReadValue, 'minimum' | 'maximum' | 'above' | 'below' | 'digits'>;

/** The bounds of a number: limits, and the decimals that `multipleOf` leaves. The tightest of several counts. */
function boundsOf(facets: readonly LocatedObject[], where: Where, { findings }: Reading): Bounds {
  const limits = { minimum: undefined, maximum: undefined, above: undefined, below: undefined } as {
    [Name in Limit]: Decimal | undefined;
  };
  const tighten = (name: Limit, limit: Decimal): void => {
    const before = limits[name];
    const isTighter = before === undefined || compareDecimals(limit, before) === (LEAST.has(name) ? 1 : -1);
    if (isTighter) limits[name] = limit;
  };
  for (const facet of facets) {
    for (const [inclusive, exclusive, keywordOfIt] of SIDES) {
      const limit = decimalOf(facet.value[inclusive]);
      const other = facet.value[keywordOfIt];
      if (facet.value[inclusive] !== undefined && !limit) unread(facet, inclusive);
      // A boolean in OpenAPI 3.0, a number of its own in 3.1.
      if (limit) tighten(other === true ? exclusive : inclusive, limit);
      const own = typeof other === 'boolean' ? undefined : decimalOf(other);
      if (own) tighten(exclusive, own);
    }
    for (const [name, limit] of INTEGER_FORMATS[facet.value['format'] as string] ?? [])
      tighten(name, Decimal.of(limit));
  }
  const places = keyword(facets, 'multipleOf').flatMap(({ value, path }) => {
    const text = decimalOf(value)?.text ?? '';
    const decimals = text === '1' ? 0 : /^0\.(0*)1$/.exec(text)?.[1]?.length;
    if (decimals === undefined) findings.add('not_understood', where, '`multipleOf` is not checked', path);
    return decimals === undefined ? [] : [text === '1' ? 0 : decimals + 1];
  });
  return {
    ...Object.fromEntries(
      Object.entries(limits).flatMap(([name, limit]) => (limit === undefined ? [] : [[name, limit.text]])),
    ),
    ...(places.length > 0 && { digits: { places: Math.min(...places) } }),
  };

  function unread(facet: LocatedObject, name: string): void {
    findings.add('not_understood', where, `\`${name}\` is not a number`, [...facet.path, name]);
  }
}

type Limit = 'minimum' | 'maximum' | 'above' | 'below';

const LEAST: ReadonlySet<Limit> = new Set<Limit>(['minimum', 'above']);
const SIDES = [
  ['minimum', 'above', 'exclusiveMinimum'],
  ['maximum', 'below', 'exclusiveMaximum'],
] as const;

const INTEGER_FORMATS: Readonly<Record<string, readonly (readonly [Limit, string])[]>> = {
  int32: [
    ['minimum', '-2147483648'],
    ['maximum', '2147483647'],
  ],
  int64: [
    ['minimum', '-9223372036854775808'],
    ['maximum', '9223372036854775807'],
  ],
};

/** A number of the document as a decimal; undefined for any other value. */
function decimalOf(value: unknown): Decimal | undefined {
  if (typeof value !== 'number' || !Number.isFinite(value)) return undefined;
  const plain = Decimal.parse(String(value));
  if (plain) return plain;
  const text = Math.abs(value) < 1 ? value.toFixed(20).replace(/0+$/, '') : BigInt(value).toString();
  return Decimal.parse(text);
}
