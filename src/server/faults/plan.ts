import * as z from 'zod/mini';
import { AppError } from '../../core/app-error.ts';
import { described } from '../../core/schema/described.ts';
import { IN_ENGLISH } from '../../core/schema/in-english.ts';
import { readRule } from './read-rule.ts';
import type { FaultPlan } from './rule.ts';
import { objectionOf, writtenRule } from './written-rule.ts';

/** A rule as `--fault` takes it, or as an object. */
const rule = z.union([described(z.string(), 'A rule as `--fault` takes it.'), writtenRule]);

const writtenPlan = z.strictObject({
  version: described(z.optional(z.literal(1)), 'Of the format.'),
  seed: described(z.optional(z.int('must be a whole number')), 'Where chance starts from; 0 when left out.'),
  rules: described(z.array(rule), 'Asked in this order; the first that fires takes the request.'),
});

/** A plan as a file has it; what its rules say is checked one by one. */
const planEnvelope = z.extend(writtenPlan, { rules: z.array(z.unknown(), 'must be a list of rules') });

/** A plan whose rules are texts or objects, not yet read. */
export interface WrittenPlan {
  readonly seed?: number | undefined;
  readonly rules: readonly unknown[];
}

/** No faults: the platform as it should be. */
export const NO_FAULTS: FaultPlan = { seed: 0, rules: [] };

/** @throws AppError `fault_invalid` for the first rule that is wrong */
export function planOf({ seed = 0, rules }: WrittenPlan): FaultPlan {
  return {
    seed,
    rules: rules.map((given, index) => {
      const reading = readRule(given);
      if (reading.rule) return reading.rule;
      const name = typeof given === 'string' ? `\`${given}\`` : `rules.${index}`;
      throw new AppError('fault_invalid', { rule: name, reason: reading.reason });
    }),
  };
}

/** The frame of a plan, or what is wrong with it. */
export function readPlanFrame(
  value: unknown,
):
  | { readonly plan: WrittenPlan; readonly reason?: undefined }
  | { readonly plan?: undefined; readonly reason: string } {
  const parsed = planEnvelope.safeParse(value, IN_ENGLISH);
  if (parsed.success) return { plan: parsed.data };
  return { reason: objectionOf(parsed.error.issues[0]!, Object.keys(writtenPlan.shape)) };
}

/** The JSON Schema (draft 2020-12) of plans, for editors. */
export function faultPlanJsonSchema(): object {
  return { title: 'Plan of faults of dataimport serve', ...z.toJSONSchema(writtenPlan, { io: 'input' }) };
}
