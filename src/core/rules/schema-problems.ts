import type * as z from 'zod/mini';
import type { CheckFailure } from '../contract/field.ts';
import { failure, NON_FIELD, type Path, type Problem } from '../problem.ts';
import { Decimal } from '../values/decimal.ts';
import { UnreadableNumber } from '../values/exact-json.ts';
import { childOf } from '../values/plain-json.ts';

/**
 * Turns the issues of a schema into problems with the codes of the platform (deployments.md, "Framework behaviour").
 * @param input the parsed value, which shows whether a value is missing or null
 */
export function problemsOfIssues(issues: readonly z.core.$ZodIssue[], input: unknown): readonly Problem[] {
  const numbers = new Set<unknown>();
  return issues.flatMap((issue) => {
    const path = issue.path as Path;
    const number = numberOnTheWay(issue, input);
    if (number) {
      if (numbers.has(number.value)) return [];
      numbers.add(number.value);
      return [noObject(number.path)];
    }
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => failure('unexpected_field', [...path, key]));
    }
    if (isNoObject(issue, input)) return [noObject(path)];
    const { code, facts } = failureOf(issue, valueAt(input, path));
    return [failure(code, path, facts)];
  });
}

/** A value that is not an object has no field to name. */
const noObject = (path: Path): Problem => failure('invalid', [...path, NON_FIELD], { expected: 'an object' });

function isNoObject(issue: z.core.$ZodIssue, input: unknown): boolean {
  return expectedType(issue) === 'object' && (valueAt(input, issue.path as Path) ?? null) !== null;
}

const expectedType = (issue: z.core.$ZodIssue): string | undefined =>
  issue.code === 'invalid_type' ? issue.expected : undefined;

/**
 * The number in the place of an object, if it caused the issue. An exact number is an instance of a class, so the schema takes
 * it for an object and reports each missing field. One problem is enough.
 */
function numberOnTheWay(issue: z.core.$ZodIssue, input: unknown): { value: unknown; path: Path } | undefined {
  const path = issue.path as Path;
  const inside = issue.code === 'unrecognized_keys' ? path.length : path.length - 1;
  for (let length = 0; length <= inside; length++) {
    const value = valueAt(input, path.slice(0, length));
    if (value instanceof Decimal || value instanceof UnreadableNumber)
      return { value, path: path.slice(0, length) };
  }
  return undefined;
}

function failureOf(issue: z.core.$ZodIssue, value: unknown): CheckFailure {
  if (issue.code === 'custom') return issue.params as unknown as CheckFailure;
  if (value === undefined) return { code: 'required' };
  if (value === null) return { code: 'null' };
  if (issue.code === 'too_small') return { code: 'empty' };
  if (issue.code === 'invalid_value') {
    return { code: 'invalid_choice', facts: { known: issue.values.map(String).join(', ') } };
  }
  const type = expectedType(issue);
  if (type === 'array') return { code: 'not_a_list' };
  return { code: 'invalid', facts: { expected: EXPECTED.get(type) ?? 'valid' } };
}

const EXPECTED = new Map<string | undefined, string>([
  ['string', 'text'],
  ['boolean', 'true or false'],
]);

/** The value at a path; undefined when the path leads nowhere. */
export function valueAt(input: unknown, path: Path): unknown {
  return path.reduce<unknown>(childOf, input);
}
