import type * as z from 'zod/mini';
import { schemaBelow } from '../contract/field.ts';
import { DESCRIPTORS, type Descriptors, type RecordOf, type Resource } from '../contract/resources.ts';
import { hasFailure, type Path, type Problem, failure, warning } from '../problem.ts';
import { compiled } from '../schema.ts';
import { childOf } from '../values/plain-json.ts';
import type { CheckContext, EnumJudge } from './rule.ts';
import { problemsOfIssues } from './schema-problems.ts';
import { leafChecks } from './leaf-checks.ts';

/** A record that passed, perhaps with warnings; undefined with the problems that stop it. */
export type CheckedRecord<R> = Readonly<{ record: R | undefined; problems: readonly Problem[] }>;

export interface RecordContext extends CheckContext {
  /** Default: the descriptors of the interface. */
  readonly descriptors?: Descriptors;
}

/**
 * Checks the fields of a record by its schema, then the rules between the fields. The client runs this before it sends a
 * record and the server before it stores one, so both agree.
 */
export function checkRecord<K extends Resource>(
  resource: K,
  candidate: unknown,
  context: RecordContext,
): CheckedRecord<RecordOf[K]> {
  const {
    schema: whole,
    schemaFor,
    rules,
    contract,
    typeField,
  } = (context.descriptors ?? DESCRIPTORS)[resource];
  const schema = schemaFor?.(candidate) ?? whole;
  const parsed = compiled(schema).safeParse(candidate);
  if (!parsed.success) {
    const problems = problemsOfIssues(parsed.error.issues, candidate);
    if (contract === undefined) return { record: undefined, problems };
    const type = typeField === null ? undefined : childOf(candidate, typeField);
    const of = (path: Path): string | undefined =>
      type !== undefined && hasField(whole, path)
        ? `a ${String(type as string)}`
        : hasField(DESCRIPTORS[resource].schema, path)
          ? `${contract}'s contract`
          : undefined;
    return { record: undefined, problems: problems.map((each) => withHolder(each, of(each.path))) };
  }
  const problems: Problem[] = [];
  for (const check of rules) for (const problem of check(parsed.data, context)) problems.push(problem);
  for (const problem of checkEnums(schema, parsed.data, context.judge ?? byInterface)) problems.push(problem);
  return hasFailure(problems) ? { record: undefined, problems } : { record: parsed.data, problems };
}

/** Names what has no such field where it is not the interface: a type of the contract, or all of it. */
const withHolder = (problem: Problem, of: string | undefined): Problem =>
  problem.code === 'unexpected_field' && of !== undefined ? { ...problem, facts: { of } } : problem;

/** Whether a schema has a field at a path, in whichever type. */
const hasField = (schema: z.ZodMiniType, path: Path): boolean =>
  path.reduce<z.ZodMiniType | undefined>(schemaBelow, schema) !== undefined;

/** The default judge knows the values of the interface. */
const byInterface: EnumJudge = (_field, _value, isShown) => (isShown ? 'known' : 'undocumented');

const NONE: readonly Problem[] = [];

const checkEnums = leafChecks<Problem, EnumJudge>(({ known }) => (known ? undocumentedValues(known) : null));

/** Warns of values that the interface does not show. A judge may decide otherwise (deployments.md, "Shapes and bounds"). */
function undocumentedValues(known: readonly string[]) {
  return (value: unknown, path: Path, judge: EnumJudge): readonly Problem[] => {
    if (value === '') return NONE;
    const verdict = judge(path.at(-1) as string, value as string, known.includes(value as string));
    if (verdict === 'known') return NONE;
    return verdict === 'refused'
      ? [failure('invalid_choice', path, { known: known.join(', ') })]
      : [warning('undocumented_value', path, { known: known.join(', ') })];
  };
}
