import { sentenceOf } from '../../../core/error-codes/sentence.ts';
import type { Problem } from '../../../core/problem.ts';
import { problemsOfIssues } from '../../../core/rules/schema-problems.ts';
import { Decimal } from '../../../core/values/decimal.ts';
import { constantValue } from '../constant.ts';
import type { LeafShape } from '../field-shape.ts';
import { Flawed } from '../flawed.ts';
import { TRANSFORMS, type StepMaterial } from '../transforms.ts';

/** Why a field cannot have a value that the mapping itself gives, as the end of a sentence; undefined when it can. */
export function constantObjection(text: string, shape: LeafShape): string | undefined {
  return objection(constantValue(text, shape.facts), shape);
}

/** The same for a value of a lookup table, which takes the steps that follow the table. */
export function tableObjection(
  text: string,
  shape: LeafShape,
  material: Omit<StepMaterial, 'tables'>,
): string | undefined {
  const value = constantValue(text, shape.facts);
  if (!(value instanceof Decimal)) return objection(value, shape);
  const steps = TRANSFORMS.flatMap((each) =>
    each.phase === 'amount' ? (each.compile({ ...material, tables: new Map() }) ?? []) : [],
  );
  let amount: Decimal = value;
  for (const step of steps) {
    const next = step(amount);
    if (next instanceof Flawed) return reasonOf(next.problem);
    amount = next ?? amount;
  }
  return objection(amount, shape);
}

function objection(value: unknown, { schema }: LeafShape): string | undefined {
  const parsed = schema.safeParse(value);
  const [problem] = parsed.success ? [] : problemsOfIssues(parsed.error.issues, value);
  return problem && reasonOf(problem);
}

function reasonOf({ code, facts }: Problem): string {
  const known = facts['known'] === undefined ? '' : `: ${facts['known']}`;
  return sentenceOf(code, facts) + known;
}
