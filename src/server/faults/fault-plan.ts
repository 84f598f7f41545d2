import * as z from 'zod/mini';
import { AppError } from '../../core/app-error.ts';
import { problemsOf, readRule, type PlanProblem } from './read-rule.ts';
import type { FaultPlan } from './fault-rule.ts';
import { faultRule } from './rule-schema.ts';
import { described } from '../../core/schema.ts';

const planSchema = z.strictObject({
  version: described(z.optional(z.literal(1, 'must be 1')), 'Of the format.'),
  seed: described(z.optional(z.int('must be a whole number')), 'Seed of the chance. Default: 0.'),
  rules: described(
    z.array(z.union([described(z.string(), 'A rule as `--fault` takes it.'), faultRule])),
    'Asked in this order. The first that fires takes the request.',
  ),
});

/** A plan whose rules are checked one by one. */
const planFrame = z.strictObject(
  { ...planSchema.shape, rules: z.array(z.unknown(), 'must be a list of rules') },
  'it must be an object with `rules`',
);

/** A plan, or all its problems. */
export type ParsedPlan =
  | { readonly plan: FaultPlan; readonly problems?: undefined }
  | { readonly plan?: undefined; readonly problems: readonly PlanProblem[] };

/** Reads a plan whose rules are texts or objects. */
export function readPlan(value: unknown): ParsedPlan {
  const frame = planFrame.safeParse(value);
  const given = (value as { rules?: unknown } | null | undefined)?.rules;
  const parsed = Array.isArray(given) ? given.map(readRule) : [];
  const problems: readonly PlanProblem[] = [
    ...problemsOf(frame.error?.issues ?? [], value, Object.keys(planFrame.shape)),
    ...parsed.flatMap(({ reason }, index) =>
      reason === undefined ? [] : [{ path: ['rules', index], reason }],
    ),
  ];
  if (problems.length > 0) return { problems };
  return { plan: { seed: frame.data?.seed ?? 0, rules: parsed.flatMap(({ rule }) => rule ?? []) } };
}

/** @throws AppError `fault_invalid` with all problems */
export function planOf(value: unknown): FaultPlan {
  const { plan, problems } = readPlan(value);
  if (plan) return plan;
  const [{ path, reason }, ...others] = problems as readonly [PlanProblem, ...PlanProblem[]];
  const rule = path.reduce<unknown>((inner, part) => (inner as Record<string, unknown>)[part], value);
  // A person who typed a single rule has not counted, so the text names it.
  if (others.length === 0 && path.length > 1 && typeof rule === 'string')
    throw new AppError('fault_invalid', { rule: `\`${rule}\``, reason });
  throw new AppError('fault_invalid', { rule: 'plan', reason: problemsText(problems) });
}

/** How many problems one error reports. */
const MOST_PROBLEMS = 10;

/** The problems as one text, each with the number of its rule. `suffix` adds the line of a problem, where there are lines. */
export function problemsText(
  problems: readonly PlanProblem[],
  suffix: (path: PlanProblem['path']) => string = () => '',
): string {
  const reported = problems.slice(0, MOST_PROBLEMS).map(({ path, reason }) => {
    const [, index] = path;
    return `${typeof index === 'number' ? `rule ${index + 1}: ` : ''}${reason}${suffix(path)}`;
  });
  const more = problems.length - reported.length;
  return [...reported, ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
}

/** The JSON Schema (draft 2020-12) of fault plans, for editors. */
export function faultPlanJsonSchema(): object {
  return { title: 'Plan of faults of dataimport serve', ...z.toJSONSchema(planSchema, { io: 'input' }) };
}
