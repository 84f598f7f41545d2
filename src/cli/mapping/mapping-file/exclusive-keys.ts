import type * as z from 'zod/mini';
import { failure } from '../../../core/problem.ts';
import { addProblem } from './scalars.ts';
import { extend } from './published.ts';

/** Keys that only make sense together. */
type KeyGroup = readonly [string, ...string[]];

/** An object in which exactly one of several groups of keys has to be given, and that group in full. */
export function withOneOf<S extends z.ZodMiniType>(schema: S, groups: readonly KeyGroup[]): S {
  const names = groups.map((keys) => keys.map((key) => `\`${key}\``).join(' with ')).join(', ');
  const checked = schema.check((context) => {
    const given = (key: string): boolean => (context.value as Record<string, unknown>)[key] !== undefined;
    const begun = groups.filter((keys) => keys.some(given));
    const isFine = begun.length === 1 && begun[0]!.every(given);
    if (!isFine) addProblem(context, failure('mapping_needs', [], { needed: `exactly one of ${names}` }));
  });
  return extend(checked, schema, {
    oneOf: groups.map((keys) => ({
      required: [...keys],
      not: {
        anyOf: groups.flatMap((others) =>
          others === keys
            ? []
            : others.filter((key) => !keys.includes(key)).map((key) => ({ required: [key] })),
        ),
      },
    })),
  });
}
