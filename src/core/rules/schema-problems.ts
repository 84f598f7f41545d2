import type { z } from 'zod';
import type { CheckFailure } from '../contract/field.ts';
import { failure, type Path, type Problem } from '../problem.ts';

/**
 * The issues of a schema as problems with the codes of the platform (deployments.md, "Framework behaviour").
 * `input` is what was parsed: a missing value is told from a null by looking it up.
 */
export function problemsOfIssues(issues: readonly z.core.$ZodIssue[], input: unknown): readonly Problem[] {
  return issues.flatMap((issue) => {
    const path = issue.path as Path;
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => failure('unexpected_field', [...path, key]));
    }
    const { code, facts } = failureOf(issue, valueAt(input, path));
    return [failure(code, path, facts)];
  });
}

function failureOf(issue: z.core.$ZodIssue, value: unknown): CheckFailure {
  if (issue.code === 'custom') return issue.params as unknown as CheckFailure;
  if (value === undefined) return { code: 'required' };
  if (value === null) return { code: 'null' };
  if (issue.code === 'too_small') return { code: 'empty' };
  if (issue.code === 'invalid_value') {
    return { code: 'invalid_choice', facts: { known: issue.values.map(String).join(', ') } };
  }
  if (issue.code === 'invalid_type' && issue.expected === 'array') return { code: 'not_a_list' };
  return { code: 'invalid', facts: { expected: EXPECTED[issue.code === 'invalid_type' ? issue.expected : ''] ?? 'valid' } };
}

const EXPECTED: Readonly<Record<string, string>> = {
  string: 'text',
  boolean: 'true or false',
  object: 'an object',
};

function valueAt(input: unknown, path: Path): unknown {
  return path.reduce<unknown>((value, part) => (value as Record<string | number, unknown> | null | undefined)?.[part], input);
}
