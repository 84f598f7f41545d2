import { DESCRIPTORS, type RecordOf, type Resource } from '../contract/resources.ts';
import { hasFailure, type Problem } from '../problem.ts';
import { compiled } from '../schema.ts';
import { undocumentedValues } from './open-enum.ts';
import type { CheckContext } from './rule.ts';
import { problemsOfIssues } from './schema-problems.ts';

/** A record that passed, perhaps with warnings, or the problems that stop it. */
export type CheckedRecord<R> =
  | { readonly record: R; readonly problems: readonly Problem[] }
  | { readonly record: undefined; readonly problems: readonly Problem[] };

/**
 * Checks the fields of a record by its schema, then the rules between the fields. The client runs this before it sends a
 * record and the server before it stores one, so both agree.
 */
export function checkRecord<K extends Resource>(
  resource: K,
  candidate: unknown,
  context: CheckContext,
): CheckedRecord<RecordOf[K]> {
  const { schema: whole, schemaFor, rules } = DESCRIPTORS[resource];
  const schema = schemaFor?.(candidate) ?? whole;
  const parsed = compiled(schema).safeParse(candidate);
  if (!parsed.success)
    return { record: undefined, problems: problemsOfIssues(parsed.error.issues, candidate) };
  const problems = [
    ...rules.flatMap((check) => check(parsed.data, context)),
    ...undocumentedValues(schema, parsed.data, context.judge),
  ];
  return hasFailure(problems) ? { record: undefined, problems } : { record: parsed.data, problems };
}
