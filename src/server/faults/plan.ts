import * as z from 'zod/mini';
import { AppError } from '../../core/app-error.ts';
import { described } from '../../core/schema.ts';
import { objectionsOf } from './objections.ts';
import { readRule } from './read-rule.ts';
import type { FaultPlan } from './rule.ts';
import { writtenRule } from './written-rule.ts';

/** A rule as `--fault` takes it, or as an object. */
const rule = z.union([described(z.string(), 'A rule as `--fault` takes it.'), writtenRule]);

const writtenPlan = z.strictObject({
  version: described(z.optional(z.literal(1, 'must be 1')), 'Of the format.'),
  seed: described(z.optional(z.int('must be a whole number')), 'Where chance starts from; 0 when left out.'),
  rules: described(z.array(rule), 'Asked in this order; the first that fires takes the request.'),
});

/** A plan as a file has it; what its rules say is checked one by one. */
const planFrame = z.strictObject(
  { ...writtenPlan.shape, rules: z.array(z.unknown(), 'must be a list of rules') },
  'it must be an object with `rules`',
);

/** No faults: the platform as it should be. */
export const NO_FAULTS: FaultPlan = { seed: 0, rules: [] };

/** One thing that is wrong with a plan. */
export interface PlanMistake {
  /** Where in the plan; empty for all of it. */
  readonly path: readonly (string | number)[];
  readonly reason: string;
}

/** A plan, or all that is wrong with it. */
export type PlanReading =
  | { readonly plan: FaultPlan; readonly mistakes?: undefined }
  | { readonly plan?: undefined; readonly mistakes: readonly PlanMistake[] };

/** Reads a plan whose rules are texts or objects. */
export function readPlan(value: unknown): PlanReading {
  const frame = planFrame.safeParse(value);
  const given = (value as { readonly rules?: unknown } | null | undefined)?.rules;
  const readings = Array.isArray(given) ? given.map(readRule) : [];
  const objections = objectionsOf(frame.error?.issues ?? [], value, Object.keys(planFrame.shape));
  const mistakes: readonly PlanMistake[] = [
    ...objections.map(({ key, reason }) => ({ path: key === null ? [] : [key], reason })),
    ...readings.flatMap(({ reason }, index) =>
      reason === undefined ? [] : [{ path: ['rules', index], reason }],
    ),
  ];
  if (mistakes.length > 0) return { mistakes };
  return { plan: { seed: frame.data?.seed ?? 0, rules: readings.flatMap(({ rule }) => rule ?? []) } };
}

/** @throws AppError `fault_invalid` with all that is wrong */
export function planOf(written: unknown): FaultPlan {
  const { plan, mistakes } = readPlan(written);
  if (plan) return plan;
  const [{ path, reason }, ...others] = mistakes as readonly [PlanMistake, ...PlanMistake[]];
  const rule = path.reduce<unknown>((inner, part) => (inner as Record<string, unknown>)[part], written);
  // A single rule of words is named by them: who typed it has not counted.
  if (others.length === 0 && path.length > 1 && typeof rule === 'string')
    throw new AppError('fault_invalid', { rule: `\`${rule}\``, reason });
  throw new AppError('fault_invalid', { rule: 'plan', reason: mistakesText(mistakes) });
}

/** How many mistakes are told at once. */
const MOST_MISTAKES = 10;

/** The mistakes as one text, each with the number of its rule. `behind` is what stands behind one, such as its line. */
export function mistakesText(
  mistakes: readonly PlanMistake[],
  behind: (path: PlanMistake['path']) => string = () => '',
): string {
  const told = mistakes.slice(0, MOST_MISTAKES).map(({ path, reason }) => {
    const [, index] = path;
    return `${typeof index === 'number' ? `rule ${index + 1}: ` : ''}${reason}${behind(path)}`;
  });
  const more = mistakes.length - told.length;
  return [...told, ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
}

/** The JSON Schema (draft 2020-12) of plans, for editors. */
export function faultPlanJsonSchema(): object {
  return { title: 'Plan of faults of dataimport serve', ...z.toJSONSchema(writtenPlan, { io: 'input' }) };
}
