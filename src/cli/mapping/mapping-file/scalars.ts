import * as z from 'zod/mini';
import { failure, type Problem } from '../../../core/problem.ts';
import { publish } from './published.ts';

/**
 * What an editor may find where a text is read: the YAML is read with every scalar as it is written, so that `01` stays
 * `01` and `NULL` stays `NULL`, while an editor takes them for a number and for nothing.
 */
const ANY_SCALAR = { type: ['string', 'number', 'boolean', 'null'] };

/** Any scalar, as it is written. `expected` says what else it has to be. */
export function text(
  check?: (value: string) => string | undefined,
  published: Readonly<Record<string, unknown>> = ANY_SCALAR,
) {
  const schema = z.string();
  return publish(
    check ? schema.check((context) => objectTo(context, check(context.value))) : schema,
    published,
  );
}

/** Text with at least one character. */
export function filledText() {
  return text((value) => (value === '' ? 'a text that is not empty' : undefined), {
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
      objectTo({ ...context, value }, `a whole number from ${min} to ${max}`);
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

/** A regular expression of JavaScript with the flag `u`. */
export function pattern() {
  return text((value) => {
    try {
      return void new RegExp(value, 'u');
    } catch (error) {
      return `a regular expression: ${(error as Error).message.split(': ').at(-1)}`;
    }
  });
}

/** A time of day, `HH:MM:SS`; without seconds, on the minute. */
export function timeOfDay() {
  const shape = /^(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?$/;
  const schema = z.pipe(
    z.string(),
    z.transform((value, context) => {
      if (shape.test(value)) return value.length === 5 ? `${value}:00` : value;
      objectTo({ ...context, value }, 'a time of day such as 12:00:00');
      return z.NEVER;
    }),
  );
  return publish(schema, { type: 'string', pattern: shape.source });
}

/** A list with at least one item, or one item by itself. */
export function oneOrMore<S extends z.ZodMiniType>(item: S) {
  return z.pipe(
    z.union([item, z.array(item).check(z.minLength(1))]),
    z.transform((value) => [value].flat() as z.output<S>[]),
  );
}

/** Adds an issue that carries a problem of the code table; nothing when `expected` is undefined. */
export function objectTo(
  context: { readonly value: unknown; readonly issues: z.core.$ZodRawIssue[] },
  expected: string | undefined,
): void {
  if (expected !== undefined) addProblem(context, failure('mapping_value_invalid', [], { expected }));
}

/** Adds an issue that carries a problem of the code table, at a path below the value. */
export function addProblem(
  context: { readonly value: unknown; readonly issues: z.core.$ZodRawIssue[] },
  problem: Problem,
): void {
  context.issues.push({
    code: 'custom',
    input: context.value,
    path: [...problem.path],
    params: { problem },
    // Several rules of one object are told at once.
    continue: true,
  });
}
