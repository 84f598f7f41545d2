import { compareDecimals, Decimal } from '../../../core/values/decimal.ts';
import type { Where } from '../../../core/operator/finding.ts';
import { pointerOf, type LocatedObject } from './document.ts';
import { keyword } from './facets.ts';
import type { ReadValue, Reading } from './reading.ts';

type Bounds = Pick<ReadValue, 'minimum' | 'maximum' | 'above' | 'below' | 'digits'>;

/** The bounds of a number: limits, and the decimals that `multipleOf` leaves. The tightest of several counts. */
export function boundsOf(facets: readonly LocatedObject[], where: Where, { findings }: Reading): Bounds {
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
    if (decimals === undefined)
      findings.add('not_understood', where, '`multipleOf` is not checked', pointerOf(path));
    return decimals === undefined ? [] : [text === '1' ? 0 : decimals + 1];
  });
  return {
    ...Object.fromEntries(
      Object.entries(limits).flatMap(([name, limit]) => (limit === undefined ? [] : [[name, limit.text]])),
    ),
    ...(places.length > 0 && { digits: { places: Math.min(...places) } }),
  };

  function unread(facet: LocatedObject, name: string): void {
    findings.add('not_understood', where, `\`${name}\` is not a number`, pointerOf([...facet.path, name]));
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
