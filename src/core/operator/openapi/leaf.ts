import { isPattern, type Digits } from '../contract.ts';
import type { Where } from '../finding.ts';
import { isQuickPattern } from '../pattern-work.ts';
import { boundsOf } from './bounds.ts';
import { digitsOf } from './digits-pattern.ts';
import { pointerOf, type LocatedObject } from './document.ts';
import { keyword } from './facets.ts';
import { noteFormats } from './keywords.ts';
import type { ReadKind, ReadValue, Reading } from './reading.ts';

/** Most values of a closed list. */
const MOST_VALUES = 5_000;

/** A list with no limit of its own takes the limit of another schema of the same value. */
export function countsOf(
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
export function leafOf(
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
    else if (!isQuickPattern(value))
      reading.findings.add(
        'not_understood',
        where,
        'the pattern may take too long: it is not checked',
        pointerOf(path),
      );
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
