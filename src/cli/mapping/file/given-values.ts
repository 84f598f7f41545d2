import { sentenceOf } from '../../../core/error-codes/sentence.ts';
import { failure, type Path, type Problem } from '../../../core/problem.ts';
import { problemsOfIssues } from '../../../core/rules/schema-problems.ts';
import { Decimal } from '../../../core/values/decimal.ts';
import type { LeafVisit } from '../language/field-visits.ts';
import type { LeafShape } from '../language/fields.ts';
import { interfaceValue } from '../language/interface-value.ts';
import { isLookupFile } from '../language/lookup.ts';
import { stepSpecOf } from '../language/source.ts';
import { StepProblem } from '../language/step-problem.ts';
import { templatePieces } from '../language/template.ts';
import { TRANSFORMS } from '../language/transforms.ts';

/** The problems of one alternative of a field that has one value, and of the values that it gives itself. */
export function valueProblems(visit: LeafVisit): readonly Problem[] {
  const { path, shape, spec } = visit;
  if (spec.constant !== undefined) {
    const value = interfaceValue(spec.constant, shape.facts.kind);
    return unfit(reasonAgainst(value, shape), [...path, 'constant']);
  }
  const { lookup = {} } = spec;
  const table = isLookupFile(lookup) ? {} : lookup;
  const pieces = spec.template === undefined ? [] : templatePieces(spec.template);
  return [
    ...missingKeys(visit),
    ...Object.entries(table).flatMap(([from, text]) =>
      unfit(tableReason(text, visit), [...path, 'lookup', from]),
    ),
    ...(typeof pieces === 'string'
      ? [failure('mapping_value_invalid', [...path, 'template'], { expected: pieces })]
      : []),
  ];
}

/** The problems of steps that lack a key. */
function missingKeys(visit: LeafVisit): readonly Problem[] {
  const { spec, field } = stepsOf(visit);
  return TRANSFORMS.filter(({ kinds }) => kinds.includes(field.facts.kind))
    .flatMap((each) => each.needs?.(spec, field) ?? [])
    .map((problem) => ({ ...problem, path: [...visit.path, ...problem.path] }));
}

function unfit(reason: string | undefined, path: Path): readonly Problem[] {
  return reason === undefined
    ? []
    : [failure('mapping_value_invalid', path, { expected: `a value that the field can have: it ${reason}` })];
}

/**
 * Why a field cannot have a value of its lookup table, as the end of a sentence; undefined when it can. The value takes the
 * steps that follow the table.
 */
export function tableReason(text: string, visit: LeafVisit): string | undefined {
  const value = interfaceValue(text, visit.shape.facts.kind);
  if (!(value instanceof Decimal)) return reasonAgainst(value, visit.shape);
  const { spec, field } = stepsOf(visit);
  let amount: Decimal = value;
  for (const each of TRANSFORMS) {
    const next = each.phase === 'amount' ? each.compile(spec, field)?.(amount) : undefined;
    if (next instanceof StepProblem) return reasonOf(next.problem);
    amount = next ?? amount;
  }
  return reasonAgainst(amount, visit.shape);
}

/** The steps of a field, and what they have to know of it. */
function stepsOf({ shape: { facts }, spec, source }: LeafVisit) {
  return {
    spec: stepSpecOf(source, spec, facts.kind),
    field: { facts, isFixedWidth: source.fixed !== undefined },
  };
}

function reasonAgainst(value: unknown, { schema }: LeafShape): string | undefined {
  const parsed = schema.safeParse(value);
  const [problem] = parsed.success ? [] : problemsOfIssues(parsed.error.issues, value);
  return problem && reasonOf(problem);
}

function reasonOf({ code, facts }: Problem): string {
  const known = facts['known'] === undefined ? '' : `: ${facts['known']}`;
  return sentenceOf(code, facts) + known;
}
