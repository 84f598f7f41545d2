import * as z from 'zod/mini';
import { failure, type Path, type Problem } from '../../../core/problem.ts';
import { unreadablePattern } from '../../../core/values/pattern.ts';
import { publish } from './published-schema.ts';

/**
 * The types that an editor may show for a text. A mapping file is read with every scalar as it is written, so `01` stays `01`
 * and `NULL` stays `NULL`; an editor takes them for a number and for null.
 */
const ANY_SCALAR = { type: ['string', 'number', 'boolean', 'null'] };

/** The problem of a key that needs another one, or a value. */
export const missingKey = (path: Path, needed: string): Problem =>
  failure('mapping_value_invalid', path, { what: `needs ${needed}`, needed });

/** The problem of a key beside another one that it does not go with. */
export const conflictingKey = (path: Path, other: string): Problem =>
  failure('mapping_value_invalid', path, { what: `does not go with ${other}` });

/** Whether a problem is that of `missingKey`. */
export const isMissingKey = ({ facts }: Problem): boolean => facts['needed'] !== undefined;

/** Any scalar, as it is written. `check` returns what is expected of a text that it refuses. */
export function text(
  check?: (value: string) => string | undefined,
  published: Readonly<Record<string, unknown>> = ANY_SCALAR,
) {
  const schema = z.string();
  return publish(
    check ? schema.check((context) => expectOf(context, check(context.value))) : schema,
    published,
  );
}

/** Text with at least one character. `expected`: the words for what is missing. */
export function filledText(expected = 'a text that is not empty') {
  return text((value) => (value === '' ? expected : undefined), {
    anyOf: [{ type: 'string', minLength: 1 }, { type: ['number', 'boolean'] }],
  });
}

/** `true` or `false`. */
export function yesNo() {
  return publish(
    z.pipe(
      z.enum(['true', 'false']),
      z.transform((value) => value === 'true'),
    ),
    { type: 'boolean' },
  );
}

/** A whole number from `min` to `max`. */
export function wholeNumber(min: number, max: number) {
  const schema = z.pipe(
    z.string(),
    z.transform((value, context) => {
      const number = /^(?:0|[1-9]\d{0,8})$/.test(value) ? Number.parseInt(value, 10) : Number.NaN;
      if (number >= min && number <= max) return number;
      expectOf({ ...context, value }, `a whole number from ${min} to ${max}`);
      return z.NEVER;
    }),
  );
  return publish(schema, { type: 'integer', minimum: min, maximum: max });
}

/** One character of Unicode. */
export function oneCharacter() {
  return text((value) => ([...value].length === 1 ? undefined : 'one character'), {
    anyOf: [
      { type: 'string', minLength: 1, maxLength: 1 },
      { type: 'integer', minimum: 0, maximum: 9 },
    ],
  });
}

/** A regular expression of RE2. */
export function pattern() {
  return text((value) => {
    const reason = unreadablePattern(value);
    return reason === undefined
      ? undefined
      : `a regular expression of RE2, which has no references back and no look-around: ${reason}`;
  });
}

/** How other languages write a group of the match, which would be sent as it is here. */
const FOREIGN_GROUP = /\\\d|\\g<|\$0|\$\{/;

/** The text in place of a match. */
export function replacement() {
  return text((value) =>
    FOREIGN_GROUP.test(value)
      ? 'a text in which `$1` is the first group, and `$&` the whole match'
      : undefined,
  );
}

/** A time of day, `HH:MM:SS`. Seconds may be left out and are then zero. */
export function timeOfDay() {
  const shape = /^(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?$/;
  const schema = z.pipe(
    z.string(),
    z.transform((value, context) => {
      if (shape.test(value)) return value.length === 5 ? `${value}:00` : value;
      expectOf({ ...context, value }, 'a time of day such as 12:00:00');
      return z.NEVER;
    }),
  );
  return publish(schema, { type: 'string', pattern: shape.source });
}

/** A list with at least one item. */
export function filledList<S extends z.ZodMiniType>(item: S) {
  return z.array(item).check(z.minLength(1));
}

/** A list with at least one item. A single item without a list is read as a list of one. */
export function oneOrMore<S extends z.ZodMiniType>(item: S) {
  return z.pipe(
    z.union([item, filledList(item)]),
    z.transform((value) => [value].flat() as z.output<S>[]),
  );
}

/** Keys that only make sense together. */
type KeyGroup = readonly [string, ...string[]];

/** An object that has exactly one of several groups of keys, and that group in full. */
export function withOneOf<S extends z.ZodMiniType>(schema: S, groups: readonly KeyGroup[]): S {
  const names = groups.map((keys) => keys.map((key) => `\`${key}\``).join(' with ')).join(', ');
  return schema.check((context) => {
    const given = (key: string): boolean => (context.value as Record<string, unknown>)[key] !== undefined;
    const begun = groups.filter((keys) => keys.some(given));
    const isFine = begun.length === 1 && begun[0]!.every(given);
    if (!isFine) addProblem(context, missingKey([], `exactly one of ${names}`));
  });
}

type CheckedValue = { readonly value: unknown; readonly issues: z.core.$ZodRawIssue[] };

/** Reports that a value is not the expected one; nothing when `expected` is undefined. */
export function expectOf(context: CheckedValue, expected: string | undefined): void {
  if (expected !== undefined) addProblem(context, failure('mapping_value_invalid', [], { expected }));
}

/** Adds an issue that carries a problem. The path of the problem begins at the value. */
function addProblem({ value, issues }: CheckedValue, problem: Problem): void {
  issues.push({
    code: 'custom',
    input: value,
    path: [...problem.path],
    params: { problem },
    // Go on, so that all problems of one object are reported at once.
    continue: true,
  });
}
